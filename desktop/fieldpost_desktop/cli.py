# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost`: the command line of the uploader."""

import argparse
import sys
from typing import Final

from fieldpost_shared.version import __version__

_NOT_SET_UP: Final = 78


def main() -> int:
    """Answers `--version`; the uploader itself comes with a later version and says so."""
    parser = argparse.ArgumentParser(prog="fieldpost", description="Sends files to the office over Kafka.")
    parser.add_argument("--version", action="version", version=f"Fieldpost {__version__}")
    parser.parse_args()
    print("fieldpost: this version brings the protocol only; the uploader comes next.", file=sys.stderr)
    return _NOT_SET_UP
