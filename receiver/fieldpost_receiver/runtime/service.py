# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a service: start, supervision of the query, space, notices, signals, exit codes.

One thread (this one) does everything but Spark's callbacks, publishing and HTTP. Between its rounds it waits for
whatever comes first: a signal, a finished batch or group of files, or a quarter of a second.
"""

import errno
import logging
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from random import Random
from types import FrameType
from typing import Final

from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.jobs.files.completeness import Offsets
from fieldpost_receiver.jobs.files.job import CHECKPOINT, Workshop, open_workshop
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger_metrics import Standing
from fieldpost_receiver.jobs.files.query import Query
from fieldpost_receiver.kafka.access import enter
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.kafka.cluster_watch import TopicWatch, ends_of
from fieldpost_receiver.kafka.status_sender import Post
from fieldpost_receiver.runtime.exit_codes import STOPPED, exit_of
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_receiver.runtime.ownership_tags import bind_checkpoint, bind_topic
from fieldpost_receiver.runtime.systemd import Notifier
from fieldpost_receiver.runtime.topic_guard import TopicSentry
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.telemetry.health import HttpServer
from fieldpost_receiver.telemetry.metrics import QueryState
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status

_LOG: Final = logging.getLogger(__name__)
_ROUND_S: Final = 0.25
_UPKEEP_S: Final = 1.0
_DRAIN_S: Final = 30.0
_LAST_LETTERS_S: Final = 10.0
_BACK_OFF_S: Final = (1.0, 60.0)
_LEDGER_FAILURES: Final = {
    Code.LEDGER_DAMAGED: "a batch could not use it; see the log",
    Code.LEDGER_FOREIGN: "the ledger is older than the checkpoint; move the checkpoint away to read everything again",
}
# Why a task could not read, if the broker has said so; told in our words instead of Spark's.
_NAMED: Final = (Code.SIGN_IN_REFUSED, Code.NO_SECURE_CONNECTION)


class Service:
    """`run` returns the exit code. A second signal leaves at once; both are safe at any moment."""

    def __init__(self, config: ReceiverConfig, clock: Clock, crash: CrashPoints, manager: Notifier) -> None:
        self._config = config
        self._clock = clock
        self._crash = crash
        self._manager = manager
        self._wake = threading.Event()
        self._stopping = False
        self._watch = TopicWatch(config.kafka)
        self._watch_lock = threading.Lock()
        self._random = Random()  # noqa: S311 - jitter
        self._once = False
        self._broker_answers = False
        self._failures = 0
        self._next_start = 0.0
        self._next_upkeep = 0.0
        self._next_notice = 0.0

    def run(self, *, once: bool) -> int:
        """Serve until a signal comes, or (once) until everything that is there now is published and answered."""
        self._once = once
        try:
            with ExitStack() as stack:
                stack.callback(self._watch.close)
                stack.enter_context(locked(self._config.receiver.state_dir))
                return self._serve(stack)
        except FieldpostError as error:
            _LOG.error("%s", error, extra={"code": error.code})
            return exit_of(error)

    def _serve(self, stack: ExitStack) -> int:
        shop = open_workshop(self._config, self._clock, self._crash, self._ends_of_topic, self._wake.set)
        stack.callback(shop.close)
        broker = Broker(self._config.kafka, self._clock)
        bind_topic(shop.store, enter(broker, self._config.kafka))
        sentry = TopicSentry(broker, self._config.kafka, shop.store, self._clock)
        checkpoint = self._config.receiver.state_dir / CHECKPOINT
        bind_checkpoint(shop.store, checkpoint)
        self._listen_to_signals(stack)
        post = Post(self._config.kafka, shop.outbox, self._crash)
        query = Query(shop, checkpoint, self._clock, once=self._once)
        stack.callback(query.close)
        self._open_http(stack, shop, query)
        self._look_at_space(shop)
        shop.upkeep.sweep()
        standing = Standing(shop)
        while not self._stopping and not (self._once and self._finished(shop, query, post)):
            self._round(shop, query, post, sentry, standing)
            self._wake.wait(_ROUND_S)
            self._wake.clear()  # a signal that comes just now has left its mark in `_stopping`
        self._drain(shop, query, post)
        return STOPPED

    def _round(self, shop: Workshop, query: Query, post: Post, sentry: TopicSentry, standing: Standing) -> None:
        now = self._clock.monotonic()
        with self._waiting_for_room(shop):
            self._look_after(query, shop, now)
        self._show_life(query, shop, now)
        with self._waiting_for_room(shop):
            shop.pool.step()
            if now >= self._next_upkeep:
                self._next_upkeep = now + _UPKEEP_S
                shop.upkeep.step()
        changed = self._look_at_space(shop)
        with self._waiting_for_room(shop):
            post.say(shop.answers.take_direct())
            post.step()
        if changed or now >= self._next_notice:
            self._next_notice = now + self._config.receiver.notice_every
            marks = self._marks_of_topic()
            if self._broker_answers:
                sentry.look()
            if marks is not None:
                with self._waiting_for_room(shop):
                    shop.upkeep.note_emptied(marks)
            post.notice(self._notice(shop))
            standing.measure(None if marks is None else ends_of(marks))
            self._manager.status(standing.words())

    # the query

    def _look_after(self, query: Query, shop: Workshop, now: float) -> None:
        """Start it, and start it again with back-off when it failed; storage errors decide for themselves."""
        failure = query.take_failure()
        if failure is not None:
            self._failures += 1
            low, high = _BACK_OFF_S
            delay = self._random.uniform(low, min(high, low * 2**self._failures))
            self._next_start = now + delay
            shop.metrics.query(QueryState.RESTARTING)
            code = next((code for code in _NAMED if code in failure), None)
            words = f"{code.value}: {CODES[code].words.format(office='Kafka')}" if code else failure[:500]
            _LOG.info("the query ended and starts again in %.0f s: %s", delay, words, extra={"code": code})
            shop.upkeep.batch_failed = True
            self._judge_failure(shop, failure)
        if not query.started and now >= self._next_start and not self._keeps_waiting(shop):
            query.start()
            shop.metrics.query(QueryState.RUNNING)
        elif query.worked_lately:
            self._failures = 0

    def _judge_failure(self, shop: Workshop, failure: str) -> None:
        """A full disk is waited for, another fault of the disk ends us, everything else is tried again.

        Raises:
            FieldpostError: STORAGE_FAILED; or LEDGER_DAMAGED or LEDGER_FOREIGN, which no new try would mend.
        """
        for code, words in _LEDGER_FAILURES.items():
            if code in failure:
                raise FieldpostError(code, words)
        if Code.RECEIVER_FULL in failure and errno.errorcode[errno.ENOSPC] in failure:
            shop.space.ran_out()
        elif Code.RECEIVER_FULL in failure or Code.STORAGE_FAILED in failure:  # a quota does not show as free bytes
            raise FieldpostError(Code.STORAGE_FAILED, "a task could not write; see the log")
        else:
            shop.space.try_state_disk()  # was it the checkpoint?

    def _keeps_waiting(self, shop: Workshop) -> bool:
        """A batch that was planned already is read again at every start, pause or not, and would fail again."""
        return shop.space.state is ReceiverState.PAUSED and not self._once

    def _show_life(self, query: Query, shop: Workshop, now: float) -> None:
        """To the service manager. A query that waits for its next start is well; whether Spark answers was just asked.

        How long a batch takes does not count: one that is slow would be broken off and begun again for ever.
        """
        waits = self._keeps_waiting(shop)
        if query.started or waits:
            self._manager.ready(f"reading {self._config.kafka.files_topic}")
        if self._manager.wants_beat(now) and (query.alive or query.finished or waits or now <= self._next_start):
            self._manager.beat(now)

    def _look_at_space(self, shop: Workshop) -> bool:
        """Whether its state changed, which the log tells: on a full disk it waits and says nothing else."""
        changed = shop.space.look()
        if changed:
            room = shop.space.state is ReceiverState.OK
            words = "There is room again." if room else shop.space.words
            _LOG.info("%s", words, extra={"code": None if room else Code.RECEIVER_FULL})
        return changed

    @contextmanager
    def _waiting_for_room(self, shop: Workshop) -> Iterator[None]:
        """A full disk is waited for: what was not done is done in a later round. Everything else ends us."""
        try:
            yield
        except StorageError as error:
            if not error.waits_for_space:
                raise
            if shop.space.ran_out():
                _LOG.info("no room: %s", error.detail, extra={"code": error.code})

    def _ends_of_topic(self) -> Offsets | None:
        marks = self._marks_of_topic()
        return None if marks is None else ends_of(marks)

    def _marks_of_topic(self) -> Mapping[int, tuple[int, int]] | None:
        """First and end of each partition. Asked from Spark's callback too, so one at a time."""
        try:
            with self._watch_lock:
                marks = self._watch.watermarks()
        except FieldpostError as error:
            self._broker_answers = error.code is Code.NO_TOPIC
            _LOG.info("the end of the topic is not known now: %s", error, extra={"code": error.code})
            return None
        self._broker_answers = True
        return marks

    # the end

    def _finished(self, shop: Workshop, query: Query, post: Post) -> bool:
        """Whether a run with --once has nothing left to do."""
        under_way = shop.transfers.in_state(TransferState.COMPLETE, TransferState.SEALED, TransferState.INTENT, most=1)
        return query.finished and shop.pool.idle and not under_way and post.idle

    def _drain(self, shop: Workshop, query: Query, post: Post) -> None:
        """No new batch; the one that runs is finished, receipts that wait are sent, senders are told."""
        self._manager.stopping("finishing the running batch and the last receipts")
        shop.space.stopping = True
        shop.space.look()
        query.drain(_DRAIN_S, self._wait)
        post.notice(self._notice(shop))
        with self._waiting_for_room(shop):
            post.finish(_LAST_LETTERS_S, self._wait)
            shop.store.forget_meta("paused")
        _LOG.info("stopped")

    def _wait(self, seconds: float) -> None:
        self._clock.wait(threading.Event(), seconds)

    # what others see

    def _notice(self, shop: Workshop) -> Status:
        at = datetime.fromtimestamp(self._clock.now_ns() / NS_PER_S, UTC)
        notice = Notice(shop.space.state, shop.space.words, shop.transfers.processed())
        return Status(None, self._config.receiver.name, at, notice)

    def _open_http(self, stack: ExitStack, shop: Workshop, query: Query) -> None:
        listen = self._config.http.listen
        if listen is None:
            return

        def ready() -> tuple[bool, list[str]]:
            reasons = [] if query.alive else ["the query does not run"]
            if shop.space.state is not ReceiverState.OK:
                reasons.append(shop.space.words)
            return not reasons, reasons

        stack.enter_context(HttpServer(listen, ready=ready, page=shop.metrics.page, clock=self._clock))

    def _listen_to_signals(self, stack: ExitStack) -> None:
        def stop(_number: int, _frame: FrameType | None) -> None:
            if self._stopping:
                os._exit(STOPPED)  # everything that matters is on disk
            self._stopping = True
            self._wake.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.signal(number, stop)
            stack.callback(signal.signal, number, before)
