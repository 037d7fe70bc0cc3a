#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# Freezes Fieldpost for the Linux it runs on, from the same recipe as the Windows program, and lets the result test
# itself without a screen. It is no release: it shows within a minute that the recipe still holds.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=${FIELDPOST_FROZEN:-build/linux}
python=$PWD/.venv/bin/python
program=$out/dist/fieldpost

say() { printf 'exe-linux: %4d s  %s\n' "$SECONDS" "$*"; }
# shellcheck source=packaging/system_packages.sh
source packaging/system_packages.sh

# PyInstaller takes Python itself along as a library, which Debian packs apart.
python_library() {
  "$python" -c 'from PyInstaller.depend import bindepend as b; import sys; sys.exit(not b.get_python_library_path())' 2>&-
}
python_library || install_packages "libpython$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
mkdir -p "$out"
# The same sources make the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)
export SOURCE_DATE_EPOCH PYTHONHASHSEED=0

say "freezing Fieldpost with PyInstaller"
"$python" -m PyInstaller --noconfirm --log-level WARN --distpath "$out/dist" --workpath "$out/pyinstaller" \
  packaging/fieldpost.spec >"$out/pyinstaller.log" 2>&1 || { tail -n 30 "$out/pyinstaller.log"; say "PyInstaller failed"; exit 1; }

say "its own test"
rm -f "$out/self-test.json"
# Nothing of this machine's settings may help it: no PATH, no PYTHONPATH, no screen, an empty home folder.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
env -i HOME="$home" LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen "$program/fieldpost" self-test "$out/self-test.json" ||
  { cat "$out/self-test.json"; say "the self-test failed"; exit 1; }
cat "$out/self-test.json"
say "ready: $program, $(du -sm --apparent-size "$program" | cut -f1) MB"
