#!/usr/bin/env bash
# Builds the Windows program on Linux and starts it: under Wine a Windows Python runs PyInstaller on fieldpost.spec.
# Everything is made in build/windows. Each step leaves a stamp that names its inputs, so a second call makes only what
# has changed. The program is started each time: that it starts is what this is about.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$PWD/build/windows
python=$PWD/.venv/bin/python
windows_python=$out/python/python.exe
program=$out/dist/fieldpost
exe=$program/fieldpost-console.exe
result=$out/self-test.json

export WINEPREFIX=$out/prefix WINEARCH=win64 WINEDEBUG=-all
# No questions about .NET and a browser engine, and no entries in this user's menus.
export WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe='
export LC_ALL=C.UTF-8 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1

say() { printf 'exe: %4d s  %s\n' "$SECONDS" "$*"; }

give_up() { # why, and a log to show the end of
  say "$1"
  [ -z "${2:-}" ] || tail -n 30 "$2"
  exit 1
}

install_packages() { # names of Debian packages
  if [ "$(id -u)" = 0 ]; then as_root=(); elif command -v sudo >/dev/null; then as_root=(sudo); else
    say "these system packages are missing: $*"
    give_up "install them as an administrator (apt-get install $*), then run this again"
  fi
  say "installing system packages: $*"
  # An unreachable package list is no failure as long as the packages themselves can be had.
  "${as_root[@]}" apt-get update -qq || say "the package lists could not be refreshed; trying with the ones here"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

find_one() { # the first of these programs that is there
  local candidate
  for candidate in "$@"; do command -v "$candidate" && return; done
  return 1
}

find_wine() { # Debian keeps both out of PATH; its `wine` is a wrapper that asks for 32 bits as well
  wine=$(find_one wine64 /usr/lib/wine/wine64 wine) && wineserver=$(find_one wineserver /usr/lib/wine/wineserver)
}

in_wine() { # at most so many seconds; a Windows program and its arguments
  # A Windows Python dies at its start when its output is a plain file under Wine: it always gets a pipe.
  timeout --kill-after=10 "$1" "$wine" "${@:2}" </dev/null 2>&1 | cat
}

once() { # NAME WHAT: make_NAME fills build/windows/NAME, unless it did so from these same inputs (on stdin) before
  local folder=$out/$1 started=$SECONDS stamp
  stamp=$folder/.made-from-$({ cat; declare -f "make_$1"; } | sha256sum | cut -c1-16)
  if [ -f "$stamp" ]; then say "$2: as before"; return; fi
  say "$2 ..."
  rm -rf "$folder"
  "make_$1"
  touch "$stamp"
  say "$2: made in $((SECONDS - started)) s"
}

follow_pip() { # uv does not read what pip was told on this machine about registries and certificates: pass it on
  local section setting variable value
  for section in :env: install global; do
    while read -r setting variable; do
      value=$("$python" -m pip config get "$section.$setting" 2>/dev/null | tr -s '[:space:]' "${variable##*/}") || continue
      [ -n "${!variable%/*}" ] || export "${variable%/*}=$value"
    done
  done
}

make_tools() {
  "$python" -m pip install -q --disable-pip-version-check -c constraints.txt --target "$out/tools" uv
}

make_prefix() {
  in_wine 300 wineboot --init >"$out/wineboot.log" || give_up "Wine could not be set up" "$out/wineboot.log"
  "$wineserver" --wait
}

make_python() {
  true
}
