# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost-receiver`: the command line of the receiver. Parses, then hands over to the commands."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from fieldpost_receiver import commands
from fieldpost_receiver.commands.speaking import PROGRAM, Refused, complain, failure_words
from fieldpost_receiver.config.receiver_toml import LogLevel, ReceiverConfig, load
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED, TEMPORARY, exit_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.telemetry import logs
from fieldpost_receiver.telemetry.child_output import second_stderr, taken_up
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.version import __version__

_EXITS: Final = """exit codes:
   0  stopped, or done
   2  wrong use
  74  storage: the destination cannot be written, or holds other bytes than were received
  75  temporary: start me again
  78  configuration: settings, ledger or topic need a person
"""
_GROUPS: Final = {"topics": "make the topics"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that this terminal cannot show
    try:
        config = load(options.config, os.environ)
    except FieldpostError as error:
        complain(f"{options.config}: {error.detail}")
        return CONFIGURATION
    # A service's log holds JSON alone, whatever Spark prints; a person at a terminal sees it as it is.
    collected = options.is_service and not sys.stderr.isatty()
    # The service tells what it does in its log, the others in words; what they log besides is for nobody.
    level = config.receiver.log_level if options.is_service else LogLevel.WARNING
    with second_stderr() if collected else nullcontext(sys.stderr) as stream:
        logs.set_up(level, config.secrets, stream=stream)
        try:
            with taken_up() if collected else nullcontext():
                return _carry_out(config, options)
        finally:
            logs.shut_down()


def _carry_out(config: ReceiverConfig, options: argparse.Namespace) -> int:
    command: commands.Command = options.command
    try:
        return command(config, options)
    except Refused as refusal:
        complain(refusal.words)
        return refusal.exit
    except FieldpostError as error:
        # Whose storage is full, or to whom there is no connection.
        place = config.receiver.name if isinstance(error, StorageError) else config.kafka.bootstrap_servers
        complain(failure_words(error, place))
        return exit_of(error)
    except BrokenPipeError:  # whoever read (`| head`) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STOPPED
    except KeyboardInterrupt:
        complain("Stopped.")
        return TEMPORARY


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Receives files sent with Fieldpost: reassembles, verifies, publishes and confirms them.",
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Fieldpost {__version__}")
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    places = {"": under}
    for name, (command, add_options) in commands.ALL.items():
        group, _, word = name.rpartition(" ")
        if group not in places:
            parent = under.add_parser(group, help=_GROUPS[group], description=_GROUPS[group])
            places[group] = parent.add_subparsers(required=True, metavar="COMMAND")
        sub = places[group].add_parser(word, help=command.__doc__, description=command.__doc__)
        sub.add_argument("--config", type=Path, required=True, metavar="FILE", help="receiver.toml")
        sub.set_defaults(command=command, is_service=name == "run")
        add_options(sub)
    return parser
