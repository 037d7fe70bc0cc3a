#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# Makes what is given away from the program that `make exe` has built and tried out: the installer, a ZIP that needs no
# installation, and their SHA-256 sums, in dist/installer. Everything is proven under Wine, in a Windows of its own,
# before it gets there. Order: the programs are signed, then packed, then the installer is signed (see sign.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2034 # for `say`
target=installer
# shellcheck source=packaging/windows/wine.sh
source packaging/windows/wine.sh

frozen=$PWD/${1:-dist/windows/fieldpost}
out=$PWD/build/installer
export WINEPREFIX=$out/prefix
program=$out/program
made=$out/made
release=$PWD/dist/installer
sign=$PWD/packaging/installer/sign.sh
export QT_QPA_PLATFORM=offscreen # for the icon, which Qt draws

missing_packages() {
  command -v makensis >/dev/null || echo nsis
  command -v osslsigncode >/dev/null || echo osslsigncode
}

copy_program() { # hard links where they are possible; signing makes new files of those it touches
  rm -rf "$program" "$made"
  mkdir -p "$made"
  cp -al "$frozen" "$program" 2>/dev/null || { rm -rf "$program" && cp -a "$frozen" "$program"; }
}

make_setup() {
  local numbers log=$out/makensis.log
  numbers=${version%%[!0-9.]*}.0 # Windows wants four
  "$python" -m installer.pictures desktop/fieldpost_desktop/ui/widgets/icons/app.svg "$out/fieldpost.ico" "$out/side.bmp"
  makensis -V2 -WX -INPUTCHARSET UTF8 -DPROGRAM="$program" -DOUT="$setup" -DVERSION="$version" -DVERSION4="$numbers" \
    -DSIZE_KB="$(du -sk --apparent-size "$program" | cut -f1)" -DICON="$out/fieldpost.ico" \
    -DPICTURE="$out/side.bmp" -DSIGN="$sign" "${compressor[@]}" packaging/installer/fieldpost.nsi >"$log" 2>&1 ||
    give_up "makensis failed" "$log"
  cat "$log"
}

prove() { # in a copy of that Windows: each proof begins where nothing was ever installed
  rm -rf "$out/proof" "$out/laptop"
  mkdir -p "$out/proof"
  cp -a "$out/prefix" "$out/laptop"
  export WINEPREFIX=$out/laptop
  WINE=$wine "$python" -m installer.prove "$setup" "$portable" "$out/proof" ||
    give_up "the installer does not do its work"
}

hand_over() {
  rm -rf "$release"
  mkdir -p "$release"
  cp "$setup" "$portable" "$out"/proof/proof.json "$release/"
  (cd "$release" && sha256sum -- *.exe *.zip >SHA256SUMS && sha256sum --check --quiet SHA256SUMS)
}

[ -x "$python" ] || give_up "there is no .venv yet: \`make installer\` makes it first, or run \`make setup\`"
[ -f "$frozen/fieldpost.exe" ] || give_up "there is no program in ${frozen#"$PWD"/}: \`make exe\` builds it"
version=$("$python" -c 'from fieldpost_shared.version import __version__; print(__version__)')
setup=$made/Fieldpost-$version-setup.exe
portable=$made/Fieldpost-$version-portable.zip
# For those who work on the script itself: QUICK=1 packs in seconds, to twice the size.
compressor=(${QUICK:+-DQUICK})

mapfile -t missing < <(missing_packages)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
start_windows
copy_program
"$sign" "$program/fieldpost.exe" "$program/fieldpost-console.exe"
say "packing the installer (a minute or two)"
make_setup
"$sign" "$setup"
say "packing the ZIP"
"$python" -m installer.portable "$program" "$portable"
say "installing, upgrading, removing"
prove
hand_over
say "ready: in ${release#"$PWD"/}"
du -m --apparent-size "$release"/*.exe "$release"/*.zip | sed "s|$PWD/||; s|^|  MB |"
