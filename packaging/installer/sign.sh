#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# Signs Windows programs in place: sign.sh FILE.exe... Without a certificate it leaves them as they are and says so.
#   FIELDPOST_SIGN_PFX            the certificate with its key (PKCS #12)
#   FIELDPOST_SIGN_PASSWORD_FILE  a file whose only line is its password; nothing secret ever stands in a command line
#   FIELDPOST_SIGN_TIMESTAMP_URL  a time-stamping service: without it a signature ends with its certificate
set -euo pipefail

say() { echo "sign: $*"; }

if [ -z "${FIELDPOST_SIGN_PFX:-}" ]; then
  say "no certificate (FIELDPOST_SIGN_PFX is not set): $* stays unsigned"
  exit 0
fi
[ -r "$FIELDPOST_SIGN_PFX" ] || { say "the certificate cannot be read: $FIELDPOST_SIGN_PFX"; exit 1; }
[ -r "${FIELDPOST_SIGN_PASSWORD_FILE:-}" ] || { say "FIELDPOST_SIGN_PASSWORD_FILE has to name a file"; exit 1; }

# shellcheck source=packaging/system_packages.sh
source "$(dirname "$0")/../system_packages.sh"
command -v osslsigncode >/dev/null || install_packages osslsigncode

sign() { # into a new file, so that another name of the same file (a hard link) keeps the unsigned bytes
  local options=(-pkcs12 "$FIELDPOST_SIGN_PFX" -readpass "$FIELDPOST_SIGN_PASSWORD_FILE" -h sha256 -n Fieldpost)
  [ -z "${FIELDPOST_SIGN_TIMESTAMP_URL:-}" ] || options+=(-ts "$FIELDPOST_SIGN_TIMESTAMP_URL")
  rm -f "$1.signed" # it refuses to write over a file
  osslsigncode sign "${options[@]}" -in "$1" -out "$1.signed" >/dev/null || { say "$1 could not be signed"; return 1; }
  chmod --reference="$1" "$1.signed"
  mv "$1.signed" "$1"
}

for file in "$@"; do
  sign "$file" || { rm -f "$file.signed"; exit 1; }
  say "signed $(basename "$file")"
done
[ -n "${FIELDPOST_SIGN_TIMESTAMP_URL:-}" ] || say "without a time stamp (FIELDPOST_SIGN_TIMESTAMP_URL is not set)"
