# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads all partitions of the files topic from their beginning, new ones too, and knows how far it came."""

from collections.abc import Mapping
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from reference_receiver.messages import Raw
from reference_receiver.observations import Observations

_BATCH: Final = 32  # chunks of 1 MB
_WAIT_S: Final = 0.05  # consume() waits this long for a full batch: the office's latency
_METADATA_S: Final = 2.0


class FilesReader:
    """Only the office's thread may use it: librdkafka makes a second thread wait.

    Attributes:
        processed: the offset that is read next, by partition.
        counts: every number of partitions that the topic was seen to have.
        expired: whether records were deleted before they could be read.
    """

    def __init__(self, conf: Mapping[str, Any], topic: str, seen: Observations) -> None:
        own = {
            "group.id": "office-assign-only",  # a name is needed, but nobody joins or commits
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "enable.partition.eof": True,
            "check.crcs": True,
            "fetch.message.max.bytes": 4 * 1024 * 1024,
            "queued.max.messages.kbytes": 16 * 1024,
            "fetch.queue.backoff.ms": 5,  # else a full queue halts a partition for a second
            "fetch.wait.max.ms": 100,
            # A broker that just started may say that there is no such topic: asked again soon, not after 5 min.
            "topic.metadata.refresh.interval.ms": 1_000,
        }
        everything = {**conf, **own, "error_cb": lambda error: seen.note_kafka_error(str(error))}
        self._consumer = Consumer(everything)
        # Asks on its own connection: on the other one a question waits until the broker has answered a fetch.
        self._scout = Consumer(everything)
        self._topic = topic
        self._seen = seen
        self.processed: dict[int, int] = {}
        self.counts: set[int] = set()
        self.expired = False

    def look_for_growth(self) -> bool:
        """Take on partitions that are new, from their beginning; False if nobody answers or there is no topic."""
        try:
            about = self._scout.list_topics(self._topic, timeout=_METADATA_S).topics[self._topic]
            new = sorted(about.partitions.keys() - self.processed.keys())
            starts = {partition: self._watermarks(partition)[0] for partition in new}
            if new:
                self._consumer.list_topics(self._topic, timeout=_METADATA_S)  # it would take 0.5 s to learn it alone
                self._consumer.incremental_assign([TopicPartition(self._topic, p, starts[p]) for p in new])
        except KafkaException as error:
            self._seen.note_kafka_error(str(error))
            return False
        self.processed |= starts
        self.expired |= any(starts.values())
        if about.partitions:
            self.counts.add(len(about.partitions))
        return bool(about.partitions)

    def end_offsets(self) -> dict[int, int] | None:
        """Where all partitions that exist now end; None if nobody answers."""
        if not self.look_for_growth():
            return None
        try:
            return {partition: self._watermarks(partition)[1] for partition in self.processed}
        except KafkaException as error:
            self._seen.note_kafka_error(str(error))
            return None

    def passed(self, offsets: Mapping[int, int]) -> bool:
        """Whether everything before these offsets was read."""
        return all(self.processed[partition] >= offset for partition, offset in offsets.items())

    def read(self) -> list[Raw]:
        """The next records; all of them must be handled before `processed` is told to anybody."""
        found = []
        for message in self._consumer.consume(_BATCH, _WAIT_S):
            partition, offset, error = message.partition(), message.offset(), message.error()
            if error is not None and error.code() != KafkaError._PARTITION_EOF:
                self._seen.note_kafka_error(str(error))
                continue
            assert partition is not None
            assert offset is not None
            self._advance(partition, offset if error else offset + 1, offset)
            if error is None:
                found.append(Raw(partition, offset, message.key(), _headers(message), message.value() or b""))
        return found

    def close(self) -> None:
        self._consumer.close()
        self._scout.close()

    def _advance(self, partition: int, next_offset: int, offset: int) -> None:
        before = self.processed[partition]
        self.expired |= offset > before  # nobody here produces in transactions, so a gap is a deletion
        self.processed[partition] = max(before, next_offset)

    def _watermarks(self, partition: int) -> tuple[int, int]:
        found = self._scout.get_watermark_offsets(
            TopicPartition(self._topic, partition), timeout=_METADATA_S, cached=False
        )
        if found is None:
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
        low, high = found
        return low, high


def _headers(message: Message) -> list[tuple[str, bytes | None]]:
    found = message.headers() or []
    pairs = found.items() if isinstance(found, dict) else found
    return [(name, value.encode() if isinstance(value, str) else value) for name, value in pairs]
