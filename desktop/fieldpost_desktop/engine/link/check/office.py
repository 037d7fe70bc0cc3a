# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The last step of the connection test: when a receiver was last heard, from the tail of the status partition."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, ProtocolError
from fieldpost_shared.kafka import clients
from fieldpost_shared.kafka.failures import reason_of, status_code_of, worst
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status, decode_status

FRESH_S: Final = 180  # a notice comes every 60 s: two may be lost
# Messages from the end, in ever larger steps: notices are rare between the receipts of a busy day, and a slow line
# should not carry more than it takes.
_TAILS: Final = (50, 500, 5000)
_POLL_S: Final = 0.1
_SILENT: Final = 0  # the library would repeat every error in its log
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_BEHIND_S: Final = 60

Notices = dict[str, Status]


def last_notices(
    settings: KafkaSettings, partition: int, receivers: tuple[str, ...], clock: Clock, seconds: float
) -> Notices:
    """Return the newest notice of each receiver, back to where the wanted ones are found (none: any)."""
    tail = _Tail(settings, partition, clock=clock, seconds=seconds)
    try:
        return gather(tail.windows(), tail.read, receivers)
    finally:
        tail.close()


def gather(
    windows: Iterable[tuple[int, int]], read: Callable[[int, int], list[Status]], receivers: tuple[str, ...]
) -> Notices:
    """Read window after window, the newest first, until the wanted are found or the time is over."""
    newest: Notices = {}
    for number, window in enumerate(windows):
        try:
            newest = {status.receiver: status for status in read(*window)} | newest
        except FieldpostError:
            if number == 0:
                raise
            break  # the line was too slow for all of the past; what was read stands
        if newest and newest.keys() >= set(receivers):
            break
    return newest


def verdict(notices: Notices, receivers: tuple[str, ...], now_ns: int) -> str:
    """Return which receivers were heard and when; without wanted names one of them is enough.

    Raises:
        FieldpostError: RECEIPT_ABSENT, whose detail says for how long.
    """
    ages = {name: now_ns / NS_PER_S - status.at.timestamp() for name, status in notices.items()}
    silent = {name: _silence(name, notices, ages) for name in receivers or sorted(notices)}
    missing = {name: why for name, why in silent.items() if why}
    if not silent:
        raise FieldpostError(Code.RECEIPT_ABSENT, "as long as the server can tell")
    if missing and (receivers or missing == silent):
        raise FieldpostError(Code.RECEIPT_ABSENT, ", ".join(missing.values()))
    return ", ".join(_heard(notices[name], ages[name]) for name in silent if name not in missing)


def _silence(name: str, notices: Notices, ages: dict[str, float]) -> str:
    """Return why a receiver does not count as heard; empty if it does."""
    if name not in notices:
        return f"as long as the server can tell ({name})"
    if ages[name] > FRESH_S:
        return f"{_duration(ages[name])} ({name})"
    event = notices[name].event
    if isinstance(event, Notice) and event.state is ReceiverState.STOPPING:
        return f"{_duration(ages[name])} ({name} has stopped)"
    return ""


def _heard(status: Status, age: float) -> str:
    state = status.event.state if isinstance(status.event, Notice) else ReceiverState.OK
    note = "" if state is ReceiverState.OK else f" ({state})"
    if age < -_BEHIND_S:
        note += f"; this computer's clock is {_duration(-age)} behind"
    return f"{status.receiver}, {_duration(max(age, 0))} ago{note}"


def _duration(seconds: float) -> str:
    for unit, length in (("days", _DAY), ("h", _HOUR), ("min", _MINUTE)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


class _Tail:
    """Reads one partition backwards, window by window. Used by one thread, as the library wants it."""

    def __init__(self, settings: KafkaSettings, partition: int, clock: Clock, seconds: float) -> None:
        self._topic = settings.status_topic
        self._partition = partition
        self._clock = clock
        self._deadline = clock.monotonic() + seconds
        self._errors: list[KafkaError] = []
        config: dict[str, Any] = clients.status_consumer(settings) | {"log_level": _SILENT}
        self._consumer = Consumer(config | {"error_cb": self._errors.append})

    def windows(self) -> Iterator[tuple[int, int]]:
        """Return windows from the end towards the beginning: first offset, and the one after the last."""
        low, high = self._bounds()
        end = high
        for length in _TAILS:
            start = max(low, high - length)
            if start < end:
                yield start, end
            end = start

    def read(self, start: int, end: int) -> list[Status]:
        """Return the notices between two offsets, in their order."""
        found: list[Status] = []
        self._consumer.assign([TopicPartition(self._topic, self._partition, start)])
        for message in self._messages():
            offset = message.offset()
            if offset is None or offset >= end:
                break
            found += _notice(message)
            if offset == end - 1:
                break
        return found

    def close(self) -> None:
        self._consumer.close()

    def _bounds(self) -> tuple[int, int]:
        try:
            bounds = self._consumer.get_watermark_offsets(
                TopicPartition(self._topic, self._partition), timeout=self._left()
            )
        except KafkaException as error:
            self._consumer.poll(0)  # lets error_cb speak
            raise self._failure([*filter(None, [reason_of(error)])]) from None
        if bounds is None:
            raise self._failure([])
        return bounds

    def _messages(self) -> Iterator[Message]:
        """Return the messages up to the end of the partition."""
        while self._clock.monotonic() < self._deadline:
            message = self._consumer.poll(_POLL_S)
            error = message.error() if message is not None else None
            if message is None or (error is not None and error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED):
                continue  # harmless: no group is used
            if error is None:
                yield message
            elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 - a public constant, named so
                return
            else:
                raise self._failure([error])
        raise self._failure([])

    def _failure(self, reasons: list[KafkaError]) -> FieldpostError:
        telling = worst([*self._errors, *reasons])
        if telling is None:
            return FieldpostError(Code.NO_CONNECTION, "no answer")
        return FieldpostError(status_code_of(telling), f"{self._topic}: {telling.str()}")

    def _left(self) -> float:
        return max(0.1, self._deadline - self._clock.monotonic())


def _notice(message: Message) -> list[Status]:
    """Return the notice in a message, if it is one."""
    try:
        status = decode_status(message.key(), message.value())
    except ProtocolError:
        return []
    return [status] if isinstance(status.event, Notice) else []
