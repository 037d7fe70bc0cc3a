#!/usr/bin/env bash
# Prepares this machine for work on Fieldpost: system packages when missing, .venv with the pinned packages, and the
# local broker's jars. Each step leaves a stamp that names its inputs, so a second call has nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=${PATH//"$PWD/.venv/bin:"/} # called from within .venv, which may be made anew below: not with its own Python

say() { echo "setup: $*"; }
# shellcheck source=packaging/system_packages.sh
source packaging/system_packages.sh

has() { PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null; } # also what only an administrator has on the path

missing_packages() { # one line each: how to see that it is there, and the package that brings it
  has java || echo openjdk-17-jre-headless
  has mvn || echo maven
  has git || echo git
  has objdump || echo binutils # for PyInstaller, which asks libraries what they need
  python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
  # What Qt's windows need, and a screen that is none for the end-to-end tests.
  has Xvfb || echo xvfb
  local library
  for library in libEGL.so.1:libegl1 libGL.so.1:libgl1 libfontconfig.so.1:libfontconfig1 libdbus-1.so.3:libdbus-1-3 \
    libglib-2.0.so.0:libglib2.0-0 libxkbcommon-x11.so.0:libxkbcommon-x11-0 libxcb-cursor.so.0:libxcb-cursor0 \
    libxcb-icccm.so.4:libxcb-icccm4 libxcb-keysyms.so.1:libxcb-keysyms1 libxcb-image.so.0:libxcb-image0 \
    libxcb-render-util.so.0:libxcb-render-util0 libxcb-shape.so.0:libxcb-shape0; do
    ldconfig -p | grep -q "${library%%:*}" || echo "${library#*:}"
  done
  fc-list 2>/dev/null | grep -qi dejavu || echo fonts-dejavu-core
  # What single tests need, which would be skipped without it.
  has go || echo golang-go              # builds toxiproxy: bad lines
  has ip || echo iproute2               # network namespaces: lost packets
  has nft || echo nftables              # likewise
  has systemd-analyze || echo systemd   # reads the receiver's unit
  has osslsigncode || echo osslsigncode # signs the installer
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { say "Python 3.11 or newer is needed as python3"; exit 1; }
mapfile -t wanted < <(missing_packages)
[ ${#wanted[@]} = 0 ] || install_packages "${wanted[@]}"

# The stamp stands for everything that decides what is in .venv; linter settings do not.
project() { python3 -c 'import tomllib; print({k: v for k, v in tomllib.load(open("pyproject.toml", "rb")).items() if k != "tool"})'; }
stamp=.venv/.fieldpost-$(cat constraints.txt <(project) <(python3 -V) <(pwd) | sha256sum | cut -c1-16)
if [ ! -f "$stamp" ]; then
  started=$SECONDS
  say "making .venv with the packages of constraints.txt (a few minutes the first time)"
  rm -rf .venv
  python3 -m venv .venv
  .venv/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[desktop,receiver,dev]'
  touch "$stamp"
  say "packages ready after $((SECONDS - started)) s"
fi

.venv/bin/python -m devkafka jars
