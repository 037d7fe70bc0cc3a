# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`topics create`: both topics, and who has to be allowed what."""

import argparse
from typing import Final

from fieldpost_receiver.commands import arguments
from fieldpost_receiver.commands.speaking import Refused, say
from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.kafka.acls import grant_commands
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, STOPPED
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

PARTITIONS: Final = 8
MOST_COPIES: Final = 3
_DAY_MS: Final = 86_400_000
FILES_DAYS: Final = 7
STATUS_DAYS: Final = 30


def create(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """make both topics and tell the rights to grant"""  # noqa: D403, D415 - stands in the list of commands
    kafka = config.kafka
    broker = Broker(kafka, SystemClock())
    copies = min(MOST_COPIES, broker.brokers())
    for topic, days in ((kafka.files_topic, FILES_DAYS), (kafka.status_topic, STATUS_DAYS)):
        _create(broker, topic, options.partitions, copies, days)
    say()
    say("Rights to grant, if the brokers check rights:")
    for line in grant_commands(kafka):
        say(f"  {line}")
    return STOPPED


def create_options(parser: argparse.ArgumentParser) -> None:
    """What `topics create` takes."""
    parser.add_argument(
        "--partitions",
        type=arguments.partitions,
        default=PARTITIONS,
        metavar="N",
        help=f"of each topic that is made (default {PARTITIONS})",
    )


def _create(broker: Broker, topic: str, partitions: int, copies: int, days: int) -> None:
    """One that is there is left as it is, whatever it is like: `check` judges it."""
    settings = {
        "retention.ms": str(days * _DAY_MS),
        "cleanup.policy": "delete",
        # Said here: a cluster's default of 2 would make a topic with one copy refuse everything.
        "min.insync.replicas": str(max(1, copies - 1)),
    }
    try:
        there = broker.topic(topic)
        if there is None:
            broker.create(topic, partitions=partitions, replicas=copies, settings=settings)
    except FieldpostError as error:
        if error.code is Code.MAY_NOT_SEND:
            words = f"This account may not create {topic}. Sign in as one that may, or ask who runs the brokers."
            raise Refused(words, CONFIGURATION) from None
        raise
    if there is None:
        say(f"{topic}: made ({_shape(partitions, copies)}, kept {days} days)")
    else:
        say(f"{topic}: is there already ({_shape(there.partitions, there.replicas)}); left as it is")


def _shape(partitions: int, copies: int) -> str:
    return f"{partitions} partition{'s'[: partitions != 1]}, {copies} cop{'ies' if copies != 1 else 'y'}"
