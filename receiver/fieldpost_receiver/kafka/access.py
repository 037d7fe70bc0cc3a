# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Whether this account gets in and may do what running needs: asked once, before anything starts.

What only a person can mend then ends the program in words. Left to the query, it would fail batch after batch, and a
refused password that is tried for ever locks accounts.
"""

from collections.abc import Sequence
from typing import Final

from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # re-exported without saying so

from fieldpost_receiver.kafka.acls import READS_FILES, RECEIVER, WRITES_STATUS, grant_line, right_words
from fieldpost_receiver.kafka.broker import Broker, TopicFacts
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

_CHECK_ONLY: Final = frozenset({AclOperation.DESCRIBE_CONFIGS})  # `check` looks at settings, running does not


def enter(broker: Broker, kafka: KafkaSettings) -> str:
    """The files topic's id: what tells it from another of the same name that is made later.

    Raises:
        FieldpostError: no answer, no such topic, or a right that lacks, with the line that grants it.
    """
    files = _topic(broker, kafka, kafka.files_topic, READS_FILES)
    _topic(broker, kafka, kafka.status_topic, WRITES_STATUS)
    return files.id


def _topic(broker: Broker, kafka: KafkaSettings, name: str, rights: Sequence[AclOperation]) -> TopicFacts:
    grant = grant_line(kafka, kafka.security.username or RECEIVER, name, rights)
    try:
        facts = broker.topic(name)
    except FieldpostError as error:
        if error.code is Code.MAY_NOT_SEND:
            raise FieldpostError(error.code, f"{name}: no right to describe it; grant it: {grant}") from None
        raise
    if facts is None:
        raise FieldpostError(Code.NO_TOPIC, f"{name} is not there; run: fieldpost-receiver topics create")
    needed = [right for right in rights if right not in _CHECK_ONLY]
    if lacking := facts.lacks(*needed):
        words = ", ".join(right_words(right) for right in lacking)
        raise FieldpostError(Code.MAY_NOT_SEND, f"{name}: no right to {words}; grant it: {grant}")
    return facts
