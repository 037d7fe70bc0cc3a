# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# An imitation of Windows on Linux, in build/windows: for scripts that build the program there and try it out. Read it
# in from the project's folder; it brings `say`, `give_up`, `once`, `in_wine` and `start_windows`.

out=$PWD/build/windows
# shellcheck disable=SC2034 # for the scripts that read this in
python=$PWD/.venv/bin/python

export WINEPREFIX=$out/prefix WINEARCH=win64 WINEDEBUG=-all
# No questions about .NET and a browser engine, no entries in this user's menus, and no list of networks: Wine's never
# ends, and Qt reads it to its end. The app then knows nothing of the network, as on a computer that does not tell.
export WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe=;netprofm='
export LC_ALL=C.UTF-8 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1

say() { printf '%s: %4d s  %s\n' "${target:-exe}" "$SECONDS" "$*"; }

give_up() { # why, and a log whose end tells more
  [ -z "${2:-}" ] || tail -n 30 "$2"
  say "$1"
  exit 1
}

# shellcheck source=packaging/system_packages.sh
source packaging/system_packages.sh

first_of() { # the first of these programs that is there
  local candidate
  for candidate in "$@"; do command -v "$candidate" && return; done
  return 1
}

find_wine() { # Debian keeps both out of PATH
  wine=$(first_of wine64 /usr/lib/wine/wine64 wine) && wineserver=$(first_of wineserver /usr/lib/wine/wineserver)
}

missing_for_wine() {
  find_wine || echo wine64
  command -v Xvfb >/dev/null || echo xvfb
  command -v x86_64-w64-mingw32-gcc >/dev/null || echo gcc-mingw-w64-x86-64-win32
  fc-list 2>/dev/null | grep -qi dejavu || echo fonts-dejavu-core
}

in_wine() { # at most so many seconds: a Windows program and its arguments
  # Windows Python dies at its start when its output is a plain file under Wine, so it always gets a pipe.
  timeout --kill-after=10 "$1" "$wine" "${@:2}" </dev/null 2>&1 | cat
}

once() { # NAME WORDS: make_NAME fills build/windows/NAME, unless it did so before from the inputs that come on stdin
  local folder=$out/$1 started=$SECONDS stamp
  stamp=$folder/.made-from-$({ cat; declare -f "make_$1"; } | sha256sum | cut -c1-16)
  if [ -f "$stamp" ]; then say "$2: nothing to do"; return; fi
  say "$2"
  rm -rf "$folder"
  mkdir -p "$folder"
  "make_$1"
  touch "$stamp"
  say "... done in $((SECONDS - started)) s"
}

start_windows() { # from here on Windows programs can be started, and have a screen that nobody sees
  local missing number
  mapfile -t missing < <(missing_for_wine)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
  find_wine || give_up "Wine is not there even after installing it"
  mkdir -p "$out"
  exec {screen}< <(exec Xvfb -displayfd 1 -screen 0 1280x800x24 -nolisten tcp -noreset 2>/dev/null)
  screen_server=$!
  trap 'stop_windows' EXIT
  read -r -t 30 -u "$screen" number || give_up "Xvfb does not start"
  export DISPLAY=:$number
  once prefix "Wine's own Windows" <<<"$("$wine" --version) $(sha256sum packaging/windows/stand_in.c)"
}

stop_windows() {
  "$wineserver" --kill || true # only the server of our own prefix
  "$wineserver" --wait || true # its programs hold the screen
  kill "$screen_server" 2>/dev/null || true
}

make_prefix() {
  local log=$out/wineboot.log system=$out/prefix/drive_c/windows/system32 name
  local class='HKLM\Software\Microsoft\WindowsRuntime\ActivatableClassId\Windows.UI.ViewManagement.UISettings'
  in_wine 300 wineboot --init >"$log" || give_up "Wine could not set itself up" "$log"
  for name in icuuc uisettings; do
    x86_64-w64-mingw32-gcc -Wall -shared -O1 -s -o "$system/$name.dll" packaging/windows/stand_in.c
  done
  in_wine 60 reg add "$class" /v DllPath /d 'C:\windows\system32\uisettings.dll' /f >>"$log"
  # The letters that Windows has and Wine has not.
  for name in 'Segoe UI' Tahoma 'MS Shell Dlg 2'; do
    in_wine 60 reg add 'HKCU\Software\Wine\Fonts\Replacements' /v "$name" /d 'DejaVu Sans' /f >>"$log"
  done
  "$wineserver" --wait
}
