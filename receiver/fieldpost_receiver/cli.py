# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost-receiver`: the command line of the receiver."""

import argparse
import sys
from typing import Final

from fieldpost_shared.version import __version__

_NOT_SET_UP: Final = 78


def main() -> int:
    """Answers `--version`; the receiver itself comes with a later version and says so."""
    parser = argparse.ArgumentParser(prog="fieldpost-receiver", description="Receives files sent with Fieldpost.")
    parser.add_argument("--version", action="version", version=f"Fieldpost {__version__}")
    parser.parse_args()
    print("fieldpost-receiver: this version brings the protocol only; the receiver comes next.", file=sys.stderr)
    return _NOT_SET_UP
