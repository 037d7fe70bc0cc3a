# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`run`: run the service."""

import argparse
import os

from fieldpost_receiver.config.settings import ReceiverConfig
from fieldpost_receiver.runtime.service import Service
from fieldpost_receiver.runtime.systemd import ServiceManager
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.crash_points import NoCrashPoints


def run(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """receive files until a signal comes"""  # noqa: D403, D415 - stands in the list of commands
    manager = ServiceManager.of(os.environ, os.getpid())
    service = Service(config, clock=SystemClock(), crash=NoCrashPoints(), manager=manager)
    return service.run(once=options.once)


def run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `run`."""
    parser.add_argument("--once", action="store_true", help="take what is there, publish, confirm, and end")
