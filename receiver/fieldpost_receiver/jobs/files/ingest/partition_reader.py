# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Read ranges of partitions to their ends with one consumer, because a new one takes a tenth of a second to start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_shared.chunks import MIB
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.failures import code_of, worst
from fieldpost_shared.protocol.limits import MAX_CHUNK_SIZE

_AT_ONCE: Final = 32  # consume() waits for the full number, and all of it lies in memory:
_HELD_BYTES: Final = 32 * MIB  # so it is less for large messages; with parts of 4 MiB a worker took 358 MB
_WAIT_S: Final = 1.0
_PATIENCE_S: Final = 300.0  # then the task fails, and the batch is tried again with back-off
_METADATA_S: Final = 30.0
# Waiting does not help, and each try is one more refusal. TLS gets a moment: other servers may be in order.
_HOPELESS_S: Final = {Code.SIGN_IN_REFUSED: 0.0, Code.NO_SECURE_CONNECTION: 3.0}


@dataclass(frozen=True, slots=True)
class Range:
    """Offsets [start, end) of a partition, and the transfers whose chunks are of no use."""

    partition: int
    start: int
    end: int
    skip: frozenset[str] = frozenset()


class PartitionReader:
    """Yields every message of the ranges, and a row for lost offsets; `errors` collects what the consumer reports."""

    def __init__(
        self, consumer: Consumer, topic: str, ranges: Sequence[Range], *, clock: Clock, errors: list[KafkaError]
    ) -> None:
        self._consumer = consumer
        self._topic = topic
        self._clock = clock
        self._errors = errors
        self._position = {one.partition: one.start for one in ranges}
        self._end = {one.partition: one.end for one in ranges}
        self._largest = MAX_CHUNK_SIZE  # of a message, until the first ones have come

    def items(self) -> Iterator[tuple[int, Message | Row]]:
        """Yield messages and rows with the number of their partition. Offsets may have gaps: markers, compaction.

        Raises:
            KafkaException: the broker refuses.
            FieldpostError: no messages come, and the broker has given the reason.
            TimeoutError: the broker does not answer.
        """
        self._assign()
        last_message = self._clock.monotonic()
        while left := sum(self._end[partition] - self._position[partition] for partition in self._unfinished()):
            at_once, self._largest = self._at_once(), max(1, self._largest // 2)
            for message in self._consumer.consume(min(at_once, left), _WAIT_S):
                last_message = self._clock.monotonic()
                self._largest = max(self._largest, len(message.value() or b""))
                yield from self._take(message)
            silence = self._clock.monotonic() - last_message
            _give_up_early(self._errors, silence)
            if silence > _PATIENCE_S:
                waiting = ", ".join(map(str, self._unfinished()))
                raise TimeoutError(f"partition {waiting}: no answer from the broker for {_PATIENCE_S:.0f} s")

    def _at_once(self) -> int:
        return max(1, min(_AT_ONCE, _HELD_BYTES // self._largest))

    def _take(self, message: Message) -> Iterator[tuple[int, Message | Row]]:
        error, partition, offset = message.error(), message.partition() or 0, message.offset() or 0
        if error is None:
            if self._position[partition] <= offset < self._end[partition]:  # not twice after a new assignment
                yield partition, message
            self._advance(partition, offset + 1)
        elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 - a public constant, named so
            self._advance(partition, offset)
        elif error.code() == KafkaError._AUTO_OFFSET_RESET:  # noqa: SLF001 - a public constant, named so
            lost = self._skip_lost(partition)
            if not lost.count:  # not retention: the offsets are of another topic
                raise KafkaException(error)
            yield partition, lost
        elif error.code() != KafkaError.GROUP_AUTHORIZATION_FAILED:  # no group is needed
            raise KafkaException(error)

    def _advance(self, partition: int, position: int) -> None:
        unfinished = self._position[partition] < self._end[partition]
        self._position[partition] = max(self._position[partition], position)
        if unfinished and self._position[partition] >= self._end[partition] and self._unfinished():
            self._consumer.pause([TopicPartition(self._topic, partition)])  # it would fetch more

    def _skip_lost(self, partition: int) -> Row:
        """Continue at the beginning of a partition whose next messages retention has deleted."""
        place, position = TopicPartition(self._topic, partition), self._position[partition]
        low, _ = self._consumer.get_watermark_offsets(place, timeout=_METADATA_S)
        self._position[partition] = min(max(low, position), self._end[partition])
        self._assign()
        return Row(RowKind.LOST, partition, position, count=self._position[partition] - position)

    def _assign(self) -> None:
        self._consumer.assign(
            [TopicPartition(self._topic, partition, self._position[partition]) for partition in self._unfinished()]
        )

    def _unfinished(self) -> list[int]:
        return [partition for partition, end in self._end.items() if self._position[partition] < end]


def _give_up_early(errors: list[KafkaError], silence: float) -> None:
    """Raise as soon as the broker has given a reason that waiting does not remove."""
    reason = worst(errors)
    if reason is not None and silence > _HOPELESS_S.get(code_of(reason), _PATIENCE_S):
        raise FieldpostError(code_of(reason), reason.str())
