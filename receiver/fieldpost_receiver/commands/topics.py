# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`topics create`: create both topics and print the commands that grant permissions."""

import argparse
from typing import Final

from fieldpost_receiver.commands import arguments
from fieldpost_receiver.commands.output import Refused, print_line
from fieldpost_receiver.config.settings import ReceiverConfig
from fieldpost_receiver.kafka.acls import grant_commands
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.kafka.group_offsets import PREFIX
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

PARTITIONS: Final = 8
MOST_COPIES: Final = 3
_DAY_MS: Final = 86_400_000
FILES_DAYS: Final = 7
STATUS_DAYS: Final = 30


def create(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """make both topics and tell the rights to grant"""  # noqa: D403, D415 - stands in the list of commands
    grants: list[str] = []
    for kafka, topics in _by_cluster(config):
        broker = Broker(kafka, SystemClock())
        copies = min(MOST_COPIES, broker.brokers())
        for topic, days in topics.items():
            _create(broker, topic, options.partitions, copies, days)
    for job in config.jobs:
        grants += grant_commands(job.kafka, group=f"{PREFIX}{job.name}")
    print_line()
    print_line("Rights to grant, if the brokers check rights:")
    for line in dict.fromkeys(grants):
        print_line(f"  {line}")
    return STOPPED


def create_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `topics create`."""
    parser.add_argument(
        "--partitions",
        type=arguments.partitions,
        default=PARTITIONS,
        metavar="N",
        help=f"of each topic that is made (default {PARTITIONS})",
    )


def _by_cluster(config: ReceiverConfig) -> list[tuple[KafkaSettings, dict[str, int]]]:
    """Return the topics of all jobs on each cluster, with the days that each is kept."""
    found: dict[str, tuple[KafkaSettings, dict[str, int]]] = {}
    for job in config.jobs:
        kafka = job.kafka
        _, topics = found.setdefault(kafka.bootstrap_servers, (kafka, {}))
        topics |= {kafka.files_topic: FILES_DAYS, kafka.status_topic: STATUS_DAYS}
    return list(found.values())


def _create(broker: Broker, topic: str, partitions: int, copies: int, days: int) -> None:
    """Create a topic; leave an existing one as it is, because `check` judges it."""
    settings = {
        "retention.ms": str(days * _DAY_MS),
        "cleanup.policy": "delete",
        # Explicit, because a cluster's default of 2 would make a topic with one copy refuse everything.
        "min.insync.replicas": str(max(1, copies - 1)),
    }
    try:
        existing = broker.topic(topic)
        if existing is None:
            broker.create(topic, partitions=partitions, replicas=copies, settings=settings)
    except FieldpostError as error:
        if error.code is Code.MAY_NOT_SEND:
            text = f"This account may not create {topic}. Sign in as one that may, or ask who runs the brokers."
            raise Refused(text, CONFIGURATION) from None
        raise
    if existing is None:
        print_line(f"{topic}: made ({_shape(partitions, copies)}, kept {days} days)")
    else:
        print_line(f"{topic}: is there already ({_shape(existing.partitions, existing.replicas)}); left as it is")


def _shape(partitions: int, copies: int) -> str:
    return f"{partitions} partition{'s'[: partitions != 1]}, {copies} cop{'ies' if copies != 1 else 'y'}"
