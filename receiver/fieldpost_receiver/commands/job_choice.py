# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`--job NAME`: which job a command is about."""

import argparse

from fieldpost_receiver.commands.output import Refused
from fieldpost_receiver.config.settings import JobConfig, ReceiverConfig
from fieldpost_receiver.runtime.exit_codes import USAGE
from fieldpost_shared.kafka.values import nearest, shown


def add_job(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument("--job", default="", metavar="NAME", help="which job, if receiver.toml has several")


def chosen_job(config: ReceiverConfig, options: argparse.Namespace) -> JobConfig:
    """Return the job that was named, or the only one.

    Raises:
        Refused: none was named although there are several, or there is none of that name.
    """
    if not options.job and len(config.jobs) > 1:
        raise Refused(f"There are several jobs; choose one with --job: {', '.join(names_of(config))}", USAGE)
    return job_named(config, options.job) if options.job else config.jobs[0]


def job_named(config: ReceiverConfig, name: str) -> JobConfig:
    """Return the job of that name.

    Raises:
        Refused: there is none.
    """
    found = next((job for job in config.jobs if job.name == name), None)
    if found is None:
        names = names_of(config)
        hint = nearest(name, names) or f"; there are: {', '.join(names)}"
        raise Refused(f"There is no job {shown(name)}{hint}", USAGE)
    return found


def names_of(config: ReceiverConfig) -> list[str]:
    """Return the names of all jobs."""
    return [job.name for job in config.jobs]


def suffix_of(config: ReceiverConfig, job: JobConfig) -> str:
    """Return what tells a job from others after a heading; nothing if it is the only one."""
    return f" of job {job.name}" if len(config.jobs) > 1 else ""
