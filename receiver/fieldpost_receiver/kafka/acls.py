# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The least rights that both ends need on the two topics, and the lines that grant them."""

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


def right_words(right: AclOperation) -> str:
    """As kafka-acls spells it: DescribeConfigs."""
    return "".join(part.capitalize() for part in str(right.name).split("_"))


def grant_line(settings: KafkaSettings, user: str, topic: str, rights: Sequence[AclOperation]) -> str:
    """One command line of Kafka's own tools."""
    operations = " ".join(f"--operation {right_words(right)}" for right in rights)
    return (
        f"kafka-acls --bootstrap-server {','.join(settings.servers)} --add"
        f" --allow-principal User:{user} {operations} --topic {topic}"
    )


def all_grants(settings: KafkaSettings) -> Iterator[str]:
    """What the uploaders and the receiver need, no more."""
    yield grant_line(settings, UPLOADER, settings.files_topic, _WRITES_FILES)
    yield grant_line(settings, UPLOADER, settings.status_topic, _READS_STATUS)
    yield grant_line(settings, RECEIVER, settings.files_topic, READS_FILES)
    yield grant_line(settings, RECEIVER, settings.status_topic, WRITES_STATUS)
