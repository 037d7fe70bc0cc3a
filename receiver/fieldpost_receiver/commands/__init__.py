# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of `fieldpost-receiver`, one module each, by name. They import every other folder but telemetry."""

import argparse
from collections.abc import Callable, Mapping
from typing import Final

from fieldpost_receiver.commands.check import check, check_options
from fieldpost_receiver.commands.expire import expire, expire_options
from fieldpost_receiver.commands.files import files, files_options
from fieldpost_receiver.commands.jobs import list_jobs, list_options, name_options, pause, restart, resume, stop
from fieldpost_receiver.commands.prepare import prepare, prepare_options
from fieldpost_receiver.commands.rebuild import rebuild, rebuild_options
from fieldpost_receiver.commands.run import run, run_options
from fieldpost_receiver.commands.status import status, status_options
from fieldpost_receiver.commands.topics import create, create_options
from fieldpost_receiver.commands.verify import verify, verify_options
from fieldpost_receiver.config.settings import ReceiverConfig

Command = Callable[[ReceiverConfig, argparse.Namespace], int]
Options = Callable[[argparse.ArgumentParser], None]

# In the order of the help; a name of two words is a subcommand.
ALL: Final[Mapping[str, tuple[Command, Options]]] = {
    "run": (run, run_options),
    "check": (check, check_options),
    "prepare": (prepare, prepare_options),
    "topics create": (create, create_options),
    "status": (status, status_options),
    "files": (files, files_options),
    "expire": (expire, expire_options),
    "verify": (verify, verify_options),
    "rebuild": (rebuild, rebuild_options),
    "jobs list": (list_jobs, list_options),
    "jobs pause": (pause, name_options),
    "jobs resume": (resume, name_options),
    "jobs stop": (stop, name_options),
    "jobs restart": (restart, name_options),
}
