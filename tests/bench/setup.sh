#!/usr/bin/env bash
# What `make bench` needs beyond `make setup`: rsync and btrfs from the system, and a virtual environment that draws.
# What cannot be had is said and left out: the report then calls it absent.
set -uo pipefail
cd "$(dirname "$0")/../.."

say() { echo "bench: $*"; }
# shellcheck source=packaging/system_packages.sh
source packaging/system_packages.sh

wanted=()
command -v rsync >/dev/null || wanted+=(rsync)
command -v mkfs.btrfs >/dev/null || wanted+=(btrfs-progs)
command -v npm >/dev/null || wanted+=(npm)
if [ ${#wanted[@]} != 0 ]; then
  (install_packages "${wanted[@]}") || say "not installed: ${wanted[*]}; what needs it is reported as absent"
fi

# Of its own, so that nothing of it ends up in the program that is built from .venv.
if [ ! -x build/bench/bin/python ]; then
  say "making build/bench, which draws the pictures"
  python3 -m venv build/bench && build/bench/bin/python -m pip install -q --disable-pip-version-check 'matplotlib>=3.9' ||
    { rm -rf build/bench; say "no pictures: matplotlib cannot be installed"; }
fi
