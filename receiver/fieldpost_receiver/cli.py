# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost-receiver`: parse the command line and run the command."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from fieldpost_receiver import commands
from fieldpost_receiver.commands.output import PROGRAM, Refused, failure_text, print_error
from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.config.settings import LogLevel, ReceiverConfig
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED, TEMPORARY, exit_of
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.telemetry import logs
from fieldpost_receiver.telemetry.child_output import captured_output, second_stderr
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.version import __version__

_EXITS: Final = """exit codes:
   0  stopped, or done
   2  wrong use
  74  storage: the destination cannot be written, or holds other bytes than were received
  75  temporary: start me again
  78  configuration: settings, ledger or topic need a person
"""
_GROUPS: Final = {"topics": "make the topics", "jobs": "see, pause, resume, stop and restart jobs"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for names that the terminal cannot show
    try:
        config = load(options.config, os.environ)
    except FieldpostError as error:
        print_error(f"{options.config}: {error.detail}")
        return CONFIGURATION
    # The log of a service holds JSON only, so Spark's output is logged too; on a terminal it is shown as it is.
    collected = options.is_service and not sys.stderr.isatty()
    # The service reports in its log; other commands print their results and log warnings only.
    level = config.receiver.log_level if options.is_service else LogLevel.WARNING
    with second_stderr() if collected else nullcontext(sys.stderr) as stream:
        logs.set_up(level, config.secrets, stream=stream)
        try:
            with captured_output() if collected else nullcontext():
                return _run_command(config, options)
        finally:
            logs.shut_down()


def _run_command(config: ReceiverConfig, options: argparse.Namespace) -> int:
    command: commands.Command = options.command
    try:
        return command(config, options)
    except Refused as refusal:
        print_error(refusal.text)
        return refusal.exit
    except FieldpostError as error:
        # The words name the receiver whose storage failed, or the brokers that do not answer.
        servers = ", ".join(dict.fromkeys(job.kafka.bootstrap_servers for job in config.jobs))
        place = config.receiver.name if isinstance(error, StorageError) else servers
        print_error(failure_text(error, place))
        return exit_of(error)
    except BrokenPipeError:  # the reader (`| head`) has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STOPPED
    except KeyboardInterrupt:
        print_error("Stopped.")
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
