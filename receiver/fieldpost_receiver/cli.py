# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost-receiver`: the command line of the receiver. Parses, then hands over to the commands."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fieldpost_receiver import commands, logs
from fieldpost_receiver.config import load
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.version import __version__

_EXITS: Final = """exit codes:
   0  stopped, or done
   2  wrong use
  74  storage: the destination cannot be written
  75  temporary: start me again
  78  configuration: settings, ledger or topic need a person
"""
_CONFIGURATION: Final = 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        config = load(options.config, os.environ)
    except FieldpostError as error:
        print(f"fieldpost-receiver: {options.config}: {error.detail}", file=sys.stderr)
        return _CONFIGURATION
    logs.set_up(config.receiver.log_level, config.secrets)
    command: commands.Command = options.command
    return command(config, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fieldpost-receiver",
        description="Receives files sent with Fieldpost: reassembles, verifies, publishes and confirms them.",
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Fieldpost {__version__}")
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in commands.ALL.items():
        sub = under.add_parser(name, help=command.__doc__, description=command.__doc__)
        sub.add_argument("--config", type=Path, required=True, metavar="FILE", help="receiver.toml")
        sub.set_defaults(command=command)
        commands.OPTIONS.get(name, lambda _parser: None)(sub)
    return parser
