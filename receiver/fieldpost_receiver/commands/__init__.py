# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of `fieldpost-receiver`, by name."""

import argparse
from collections.abc import Callable, Mapping
from typing import Final

from fieldpost_receiver.commands.run import run, run_options
from fieldpost_receiver.config import ReceiverConfig

Command = Callable[[ReceiverConfig, argparse.Namespace], int]

ALL: Final[Mapping[str, Command]] = {"run": run}
OPTIONS: Final[Mapping[str, Callable[[argparse.ArgumentParser], object]]] = {"run": run_options}
