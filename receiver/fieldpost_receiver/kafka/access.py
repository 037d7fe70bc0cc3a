# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Check once, before anything starts, that this account can sign in and has the permissions that running needs.

A failure that only a person can mend ends the program with its remedy. Left to the tasks, it would fail batch after
batch, and a refused password that is tried again and again locks accounts.
"""

from collections.abc import Sequence
from typing import Final

from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # re-exported without saying so

from fieldpost_receiver.kafka.acls import READS_FILES, RECEIVER, WRITES_STATUS, grant_command, operation_name
from fieldpost_receiver.kafka.broker import Broker, TopicFacts
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_CHECK_ONLY: Final = frozenset({AclOperation.DESCRIBE_CONFIGS})  # only `check` reads a topic's settings


def check_access(broker: Broker, kafka: KafkaSettings) -> str:
    """Return the files topic's id, which a topic made later under the same name does not have.

    Raises:
        FieldpostError: no answer, no such topic, or a missing permission, with the command that grants it.
    """
    files = _topic(broker, kafka, kafka.files_topic, READS_FILES)
    _topic(broker, kafka, kafka.status_topic, WRITES_STATUS)
    return files.id


def _topic(broker: Broker, kafka: KafkaSettings, name: str, operations: Sequence[AclOperation]) -> TopicFacts:
    grant = grant_command(kafka, kafka.security.username or RECEIVER, name, operations)
    try:
        facts = broker.topic(name)
    except FieldpostError as error:
        if error.code is Code.MAY_NOT_SEND:
            raise FieldpostError(error.code, f"{name}: no right to describe it; grant it: {grant}") from None
        raise
    if facts is None:
        raise FieldpostError(Code.NO_TOPIC, f"{name} is not there; run: fieldpost-receiver topics create")
    needed = [operation for operation in operations if operation not in _CHECK_ONLY]
    if missing := facts.lacks(*needed):
        named = ", ".join(operation_name(operation) for operation in missing)
        raise FieldpostError(Code.MAY_NOT_SEND, f"{name}: no right to {named}; grant it: {grant}")
    return facts
