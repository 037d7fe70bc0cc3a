# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the office says on the status topic: JSON built from docs/protocol.md, sent by an idempotent producer."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from fieldpost_shared.clock import Clock
from reference_receiver.observations import Answer, Observations
from reference_receiver.switches import Switches
from reference_receiver.transfers import Range, Transfer

PROGRESS_S: Final = 2.0
_METADATA_S: Final = 2.0
_FLUSH_S: Final = 10.0
_BY_KEY: Final = -1  # librdkafka chooses: crc32 of the client's name
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Fields = dict[str, object]


class Answers:
    """Sends what is true, unless a switch of the test forbids it."""

    def __init__(
        self, conf: Mapping[str, Any], topic: str, switches: Switches, seen: Observations, *, name: str, clock: Clock
    ) -> None:
        own = {"enable.idempotence": True, "message.timeout.ms": 0, "linger.ms": 0, "allow.auto.create.topics": False}
        self._producer = Producer({**conf, **own, "error_cb": lambda error: seen.note_kafka_error(str(error))})
        self._topic = topic
        self._name = name
        self._switches = switches
        self._seen = seen
        self._clock = clock
        self._partitions = 0
        self._delayed: list[tuple[str, Fields]] = []

    def look_for_growth(self) -> bool:
        """Count the partitions of the status topic, which also tells the producer; False if nobody answers."""
        try:
            about = self._producer.list_topics(self._topic, timeout=_METADATA_S).topics[self._topic]
        except KafkaException as error:
            self._seen.note_kafka_error(str(error))
            return False
        self._partitions = len(about.partitions)
        return self._partitions > 0

    def received(self, transfer: Transfer) -> None:
        """The receipt; `transfer.answer` holds it already."""
        assert transfer.answer is not None
        if self._switches.receipts_delayed:
            self._delayed.append((transfer.client, dict(transfer.answer)))
        else:
            self._say(transfer.client, dict(transfer.answer))

    def repeat(self, transfer: Transfer) -> None:
        """The terminal answer once more; a delayed receipt counts as not yet true."""
        assert transfer.answer is not None
        if transfer.answer["kind"] == "received" and self._switches.receipts_delayed:
            self.progress(transfer, "verifying")
        else:
            self._say(transfer.client, dict(transfer.answer))

    def rejected(self, client: str, transfer: str, code: str, text: str) -> Fields:
        fields: Fields = {"kind": "rejected", "transfer": transfer, "code": code, "text": text}
        self._say(client, fields)
        return fields

    def missing(self, transfer: Transfer, ranges: Sequence[Range], reason: str) -> None:
        fields: Fields = {"kind": "missing", "transfer": transfer.id, "ranges": [list(pair) for pair in ranges]}
        self._say(transfer.client, {**fields, "round": transfer.round, "reason": reason})

    def progress(self, transfer: Transfer, phase: str = "receiving") -> None:
        count = transfer.count
        have = count if phase == "verifying" else len(transfer.have)
        fields: Fields = {"kind": "progress", "transfer": transfer.id, "have": have, "count": count, "phase": phase}
        self._say(transfer.client, fields)

    def progress_now_and_then(self, transfer: Transfer) -> None:
        """At most every 2 s a transfer, the first 2 s after its first chunk."""
        now = self._clock.monotonic()
        if transfer.progress_at is None:
            transfer.progress_at = now
        elif now - transfer.progress_at >= PROGRESS_S:
            transfer.progress_at = now
            self.progress(transfer)

    def notice(self, state: str, processed: Mapping[int, int]) -> None:
        """To every partition. `processed` holds the offset that is read next: an end below it was passed."""
        fields: Fields = {"kind": "notice", "state": state, "text": f"The office is: {state}."}
        fields["processed"] = {str(partition): offset for partition, offset in sorted(processed.items())}
        for partition in range(self._partitions):
            self._say(None, fields, partition)

    def serve(self) -> None:
        """Let callbacks run, and send receipts whose delay is over."""
        self._producer.poll(0)
        if self._delayed and not self._switches.receipts_delayed:
            delayed, self._delayed = self._delayed, []
            for client, fields in delayed:
                self._say(client, fields)

    def close(self) -> None:
        self._producer.flush(_FLUSH_S)

    def _say(self, client: str | None, fields: Fields, partition: int = _BY_KEY) -> None:
        if not self._switches.speaks_to(client):
            return
        whole = {"fieldpost": "1.0", **fields, "receiver": self._name, "at": self._now()}
        self._produce(client, json.dumps(whole).encode(), partition)
        self._seen.note_answer(Answer(client, whole))

    def _produce(self, client: str | None, value: bytes, partition: int) -> None:
        while True:
            try:
                self._producer.produce(self._topic, value, client, partition, on_delivery=self._delivered)
            except BufferError:
                self._producer.poll(0.1)
            else:
                return

    def _delivered(self, error: KafkaError | None, _message: Message) -> None:
        if error is not None:
            self._seen.note_kafka_error(f"a status message was not delivered: {error}")

    def _now(self) -> str:
        now = _EPOCH + timedelta(microseconds=self._clock.now_ns() // 1000)
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
