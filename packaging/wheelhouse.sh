#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
#
# Fills a folder with the wheel of Fieldpost and of everything it needs, at the versions of constraints.txt, for
# machines of this kind (system, processor, Python):   packaging/wheelhouse.sh [FOLDER]
# A machine without a network then installs from it:   pip install --no-index --find-links FOLDER "fieldpost[receiver]"
# Fieldpost's own wheel is built each time; the others only when what they come from has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/wheelhouse}
extras=desktop,receiver
pip=(.venv/bin/python -m pip --disable-pip-version-check -q)

say() { echo "wheelhouse: $*"; }

# Names and versions that decide what lies there; Fieldpost's own version does not.
inputs() {
  cat constraints.txt
  .venv/bin/python -VV
  .venv/bin/python -c 'import platform, tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
print(platform.platform(), project["dependencies"], project["optional-dependencies"])'
}

mkdir -p "$folder"
rm -f "$folder"/fieldpost-*.whl
stamp=$folder/.made-from-$(inputs | sha256sum | cut -c1-16)
started=$SECONDS
if [ -f "$stamp" ]; then
  "${pip[@]}" wheel --no-deps -c constraints.txt -w "$folder" .
else
  say "fetching and building (a minute or two the first time)"
  rm -f "$folder"/*.whl "$folder"/.made-from-*
  "${pip[@]}" wheel -c constraints.txt -w "$folder" ".[$extras]"
  touch "$stamp"
fi
(cd "$folder" && sha256sum -- *.whl >SHA256SUMS)
count=$(find "$folder" -name '*.whl' | wc -l)
size=$(du -sm "$folder" | cut -f1)
say "$folder: $count wheels, $size MB, after $((SECONDS - started)) s"
say "to install: pip install --no-index --find-links $folder \"fieldpost[receiver]\""
