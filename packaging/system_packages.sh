# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# For scripts that need programs of the system; whoever reads it in has a function `say`.

install_packages() { # names of Debian packages
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "these system packages are missing: $*"
      say "install them as an administrator (apt-get install $*), then run this again"
      exit 1
    fi
    as_root=(sudo)
  fi
  say "installing system packages: $*"
  # An unreachable package list is no failure as long as the packages themselves can be had.
  "${as_root[@]}" apt-get update -qq || say "the package lists could not be refreshed; trying with the ones here"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}
