# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a service: start, supervision of the query, space, notices, signals, exit codes.

One thread (this one) does everything but Spark's callbacks, publishing and HTTP. Between its rounds it waits for
whatever comes first: a signal, a finished batch or group of files, or a quarter of a second.
"""

import logging
import os
import signal
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from random import Random
from types import FrameType
from typing import Final

from fieldpost_receiver.access import enter
from fieldpost_receiver.barriers import Offsets
from fieldpost_receiver.belonging import bind_checkpoint, bind_topic
from fieldpost_receiver.broker import Broker
from fieldpost_receiver.config import ReceiverConfig
from fieldpost_receiver.exits import STOPPED, exit_of
from fieldpost_receiver.http import HttpServer
from fieldpost_receiver.instance_lock import locked
from fieldpost_receiver.ledger.states import TransferState
from fieldpost_receiver.metrics import QueryState
from fieldpost_receiver.notify import Notifier
from fieldpost_receiver.post import Post
from fieldpost_receiver.standing import Standing
from fieldpost_receiver.storage_errors import StorageError
from fieldpost_receiver.streaming_query import Query
from fieldpost_receiver.topic_watch import TopicWatch, ends_of
from fieldpost_receiver.workshop import CHECKPOINT, Workshop, open_workshop
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status

_LOG: Final = logging.getLogger(__name__)
_ROUND_S: Final = 0.25
_UPKEEP_S: Final = 1.0
_DRAIN_S: Final = 30.0
_LAST_LETTERS_S: Final = 10.0
_BACK_OFF_S: Final = (1.0, 60.0)


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
        self._failures = 0
        self._next_start = 0.0
        self._next_upkeep = 0.0
        self._next_notice = 0.0

    def run(self, *, once: bool) -> int:
        """Serve until a signal comes, or (once) until everything that is there now is published and answered."""
        try:
            with ExitStack() as stack:
                stack.callback(self._watch.close)
                stack.enter_context(locked(self._config.receiver.state_dir))
                return self._serve(stack, once=once)
        except FieldpostError as error:
            _LOG.error("%s", error, extra={"code": error.code})
            return exit_of(error)

    def _serve(self, stack: ExitStack, *, once: bool) -> int:
        shop = open_workshop(self._config, self._clock, self._crash, self._ends_of_topic, self._wake.set)
        stack.callback(shop.close)
        bind_topic(shop.store, enter(Broker(self._config.kafka, self._clock), self._config.kafka))
        checkpoint = self._config.receiver.state_dir / CHECKPOINT
        bind_checkpoint(shop.store, checkpoint)
        self._listen_to_signals(stack)
        post = Post(self._config.kafka, shop.outbox, self._crash)
        query = Query(shop, checkpoint, self._clock, once=once)
        stack.callback(query.close)
        self._open_http(stack, shop, query)
        shop.space.look()
        shop.upkeep.sweep()
        standing = Standing(shop)
        while not self._stopping and not (once and self._finished(shop, query, post)):
            self._round(shop, query, post, standing)
            self._wake.wait(_ROUND_S)
            self._wake.clear()  # a signal that comes just now has left its mark in `_stopping`
        self._drain(shop, query, post)
        return STOPPED

    def _round(self, shop: Workshop, query: Query, post: Post, standing: Standing) -> None:
        now = self._clock.monotonic()
        self._look_after(query, shop, now)
        self._show_life(query, now)
        try:
            shop.pool.step()
            if now >= self._next_upkeep:
                self._next_upkeep = now + _UPKEEP_S
                shop.upkeep.step()
        except StorageError as error:
            self._storage_failed(shop, error)
        changed = shop.space.look()
        post.say(shop.answers.take_direct())
        post.step()
        if changed or now >= self._next_notice:
            self._next_notice = now + self._config.receiver.notice_every
            marks = self._marks_of_topic()
            if marks is not None:
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
            _LOG.info("the query ended and starts again in %.0f s: %s", delay, failure[:500])
            if Code.RECEIVER_FULL in failure:
                shop.space.ran_out()
            elif Code.STORAGE_FAILED in failure:
                raise FieldpostError(Code.STORAGE_FAILED, "a task could not write; see the log")
        if not query.started and now >= self._next_start:
            query.start()
            shop.metrics.query(QueryState.RUNNING)
        elif query.worked_lately:
            self._failures = 0

    def _show_life(self, query: Query, now: float) -> None:
        """To the service manager. A query that waits for its next start is well; whether Spark answers was just asked.

        How long a batch takes does not count: one that is slow would be broken off and begun again for ever.
        """
        if query.started:
            self._manager.ready(f"reading {self._config.kafka.files_topic}")
        if self._manager.wants_beat(now) and (query.alive or query.finished or now <= self._next_start):
            self._manager.beat(now)

    def _storage_failed(self, shop: Workshop, error: StorageError) -> None:
        if not error.waits_for_space:
            raise error
        _LOG.info("no room: %s", error.detail)
        shop.space.ran_out()

    def _ends_of_topic(self) -> Offsets | None:
        marks = self._marks_of_topic()
        return None if marks is None else ends_of(marks)

    def _marks_of_topic(self) -> Mapping[int, tuple[int, int]] | None:
        """First and end of each partition. Asked from Spark's callback too, so one at a time."""
        try:
            with self._watch_lock:
                return self._watch.watermarks()
        except FieldpostError as error:
            _LOG.info("the end of the topic is not known now: %s", error, extra={"code": error.code})
            return None

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
