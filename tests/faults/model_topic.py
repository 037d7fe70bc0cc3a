# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A files topic in memory with everything that can happen to one: both ends use the same offsets.

Records are repeated, taken by retention from the beginning of a partition, lost from its middle, damaged; partitions
are added.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from confluent_kafka import KafkaError, TopicPartition

from fieldpost_desktop.engine.link.transport import MemoryTopic
from fieldpost_shared.protocol.messages import Record
from support.receiver.rig import Message, Topic


class SharedTopic(Topic):
    """The log, as the receiver's rig reads it. None is a record whose headers nobody can read."""

    def __init__(self, partitions: int) -> None:
        super().__init__([[] for _ in range(partitions)])
        self.low = [0] * partitions
        self.gaps: set[tuple[int, int]] = set()
        self.bad: set[tuple[int, int]] = set()
        self.unlucky = 0  # of the records that come next, so many are lost

    def repeat(self, record: Record | None, partition: int) -> None:
        if record is None:
            self.bad.add((partition, len(self.partitions[partition])))
        self.partitions[partition].append(record)

    def expire(self, partition: int, up_to: int) -> None:
        self.low[partition] = max(self.low[partition], min(up_to, len(self.partitions[partition])))

    def damage(self, partition: int, offset: int) -> None:
        """Some byte of the value is another one; a record without a value becomes unreadable."""
        record = self.partitions[partition][offset]
        self.bad.add((partition, offset))
        if record is None or not record.value:
            self.partitions[partition][offset] = None
            return
        middle = len(record.value) // 2
        value = record.value[:middle] + bytes([record.value[middle] ^ 1]) + record.value[middle + 1 :]
        self.partitions[partition][offset] = replace(record, value=value)

    def grow(self) -> None:
        self.partitions.append([])
        self.low.append(0)

    def places(self, since: Mapping[int, int] = MappingProxyType({})) -> list[tuple[int, int]]:
        """Every offset that still has a record, from these on."""
        return [
            (number, offset)
            for number, records in enumerate(self.partitions)
            for offset in range(max(self.low[number], since.get(number, 0)), len(records))
            if (number, offset) not in self.gaps
        ]

    def consumer(self, _config: object, logger: object) -> "LossyConsumer":  # type: ignore[override]  # same manners
        assert logger is not None
        return LossyConsumer(self)


class Trouble(Message):
    """What librdkafka hands out instead of a message."""

    def __init__(self, partition: int, offset: int, code: int) -> None:
        super().__init__(partition, offset, None)
        self._code = code

    def error(self) -> KafkaError:
        return KafkaError(self._code)


class LossyConsumer:
    """Reads a `SharedTopic` as librdkafka does: a reset where records are gone, no message for a gap, the end told."""

    def __init__(self, topic: SharedTopic) -> None:
        self._topic = topic
        self._places: dict[int, int] = {}

    def assign(self, places: list[TopicPartition]) -> None:
        self._places = {place.partition: place.offset for place in places}

    def pause(self, places: list[TopicPartition]) -> None:
        for place in places:
            del self._places[place.partition]

    def get_watermark_offsets(self, place: TopicPartition, timeout: float) -> tuple[int, int]:
        assert timeout > 0
        return self._topic.low[place.partition], len(self._topic.partitions[place.partition])

    def consume(self, most: int, _seconds: float) -> list[Message]:
        """A little of each partition in turn, as from a broker."""
        some = max(1, most // len(self._places))
        return [message for partition in self._places for message in self._of(partition, some)]

    def _of(self, partition: int, most: int) -> list[Message]:
        records, start = self._topic.partitions[partition], self._places[partition]
        if start < self._topic.low[partition]:
            return [Trouble(partition, start, KafkaError._AUTO_OFFSET_RESET)]
        there = [at for at in range(start, len(records)) if (partition, at) not in self._topic.gaps][:most]
        if not there:
            return [Trouble(partition, len(records), KafkaError._PARTITION_EOF)]
        self._places[partition] = there[-1] + 1
        return [Message(partition, at, records[at]) for at in there]

    def close(self) -> None:
        """Nothing to let go of."""


@dataclass
class SenderTopic(MemoryTopic):
    """The same log, as the uploader's rig writes it."""

    shared: SharedTopic = None  # type: ignore[assignment]  # always given; a field after others needs a default

    def append(self, partition: int, record: Record) -> int:
        self.shared.partitions[partition].append(record)
        offset = len(self.shared.partitions[partition]) - 1
        if self.shared.unlucky:
            self.shared.unlucky -= 1
            self.shared.gaps.add((partition, offset))
        self.records.append((partition, offset, record))
        return offset
