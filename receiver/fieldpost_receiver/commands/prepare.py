# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`prepare`: archive Spark's classes once, which makes later starts quicker."""

import argparse

from fieldpost_receiver.commands.output import Refused, print_line
from fieldpost_receiver.config.settings import ReceiverConfig
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED
from fieldpost_receiver.spark import class_archive
from fieldpost_shared.saying import size_words


def prepare(config: ReceiverConfig, options: argparse.Namespace) -> int:  # noqa: ARG001 - it has none
    """make later starts quicker: needed once for each version of Java and Spark"""  # noqa: D403, D415 - in the list
    state = config.receiver.state_dir
    archive = class_archive.archive_in(state, config.spark)
    if archive is None:
        raise Refused(f"Nothing can be prepared: there is no Java, or {state} has a colon in its name.", CONFIGURATION)
    if archive.exists():
        print_line("Prepared already.")
        return STOPPED
    print_line("Preparing: this takes about half a minute, once.")
    class_archive.make(config.spark, archive)
    print_line(f"Prepared: {archive}, {size_words(archive.stat().st_size)}.")
    return STOPPED


def prepare_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing: `prepare` has no options of its own."""
