# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The least permissions that both ends need on the two topics, and the commands that grant them."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # re-exported without saying so

from fieldpost_shared.kafka.settings import KafkaSettings

UPLOADER: Final = "uploader"
RECEIVER: Final = "receiver"

READS_FILES: Final = (AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS)
WRITES_STATUS: Final = (AclOperation.WRITE, AclOperation.DESCRIBE)
_WRITES_FILES: Final = (AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS)
_READS_STATUS: Final = (AclOperation.READ, AclOperation.DESCRIBE)


def operation_name(operation: AclOperation) -> str:
    """Return the name as kafka-acls spells it: DescribeConfigs."""
    return "".join(part.capitalize() for part in str(operation.name).split("_"))


def grant_command(settings: KafkaSettings, user: str, topic: str, operations: Sequence[AclOperation]) -> str:
    """Return a command line of Kafka's own tools that grants the operations on a topic to a user."""
    options = " ".join(f"--operation {operation_name(operation)}" for operation in operations)
    return (
        f"kafka-acls --bootstrap-server {','.join(settings.servers)} --add"
        f" --allow-principal User:{user} {options} --topic {topic}"
    )


def grant_group_command(settings: KafkaSettings, user: str, group: str) -> str:
    """Return a command line that lets a user show in a group how far it has read."""
    return (
        f"kafka-acls --bootstrap-server {','.join(settings.servers)} --add"
        f" --allow-principal User:{user} --operation {operation_name(AclOperation.READ)} --group {shlex.quote(group)}"
    )


def grant_commands(settings: KafkaSettings, *, group: str) -> Iterator[str]:
    """Yield the commands that grant uploaders and receiver what they need, no more."""
    yield grant_command(settings, UPLOADER, settings.files_topic, _WRITES_FILES)
    yield grant_command(settings, UPLOADER, settings.status_topic, _READS_STATUS)
    yield grant_command(settings, RECEIVER, settings.files_topic, READS_FILES)
    yield grant_command(settings, RECEIVER, settings.status_topic, WRITES_STATUS)
    yield grant_group_command(settings, RECEIVER, group)
