# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps the link: connects, notices that the link is lost, tries again, and follows the broker's limits."""

import logging
from concurrent.futures import Future
from typing import Final

from fieldpost_desktop.engine.link.network import NetworkPort
from fieldpost_desktop.engine.link.transport import Connector, LinkFacts, Transport
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.runtime import failure_policy
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole
from fieldpost_desktop.engine.sending.sender import Sender
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_LOG: Final = logging.getLogger(__name__)
_TROUBLE_S: Final = 30.0  # brokers restart and lines drop for seconds: shorter trouble is not reported
_REFRESH_S: Final = 600.0  # new partitions are used within this time; nothing depends on it


class LinkKeeper:
    """`step` is called often and never blocks; a worker connects."""

    def __init__(self, context: EngineContext, sender: Sender, connector: Connector, network: NetworkPort) -> None:
        self._context = context
        self._sender = sender
        self._connector = connector
        self._network = network
        self._connecting: Future[Transport] | None = None
        self._refreshing: Future[LinkFacts] | None = None
        self._refreshed = 0.0
        self._troubled_since: float | None = None
        self._attempt = 0
        self._cap: int | None = None  # bounds messages below what the broker says, after it refused one all the same

    def step(self) -> None:
        """Connect, take a finished connection, or watch the link."""
        if self._connecting is not None:
            self._take_connection(self._connecting)
        elif self._sender.link is None:
            self._connect_if_due()
        else:
            self._watch(self._sender.link)

    def try_now(self) -> None:
        """Connect at once: a person asked, or the network is back."""
        if self._context.holds.lift(HoldKind.OFFLINE):
            self._attempt = 0

    def abandon(self) -> None:
        """Close the link although nothing is wrong with it, as when a pause takes too long."""
        self._sender.lose_link()

    def _connect_if_due(self) -> None:
        holds = self._context.holds
        waiting = holds.get(HoldKind.OFFLINE)
        if holds.get(HoldKind.STOP_ALL) is not None or holds.get(HoldKind.WAKING) is not None:
            return
        if waiting is None or (waiting.until_ns or 0) <= self._context.clock.now_ns():
            self._connecting = self._context.workers.submit(
                WorkerRole.CONNECTING, lambda: self._connector.connect(self._cap)
            )

    def _take_connection(self, connecting: Future[Transport]) -> None:
        if not connecting.done():
            return
        self._connecting = None
        try:
            link = connecting.result()
        except FieldpostError as error:
            self._unreachable(error.code, error.detail)
            return
        if self._refuses_what_it_says(link.facts.message_limit):
            link.close()
            return
        self._sender.use_link(link)
        self._attempt = 0
        self._troubled_since = None
        self._refreshed = self._context.clock.monotonic()
        self._context.holds.lift(HoldKind.OFFLINE)
        _LOG.info("connected: %d partitions, messages up to %d bytes", link.facts.partitions, link.facts.message_limit)

    def _refuses_what_it_says(self, limit: int) -> bool:
        """Return whether the broker refused a size below the limit it tells; then the limit is found by halving."""
        refused = self._sender.take_refused_size()
        if refused is None or refused > limit:
            return False
        self._cap = refused // 2
        return True

    def _unreachable(self, code: Code, detail: str) -> None:
        if self._network.captive_portal():
            code = Code.CAPTIVE_PORTAL
        self._attempt += 1
        _LOG.info("no link (try %d): %s %s", self._attempt, code, detail)
        if failure_policy.stops_all(code):
            self._context.holds.put(Hold(HoldKind.STOP_ALL, code))
            return
        delay_s = failure_policy.retry_delay_s(code, self._attempt, self._context.random)
        until_ns = self._context.clock.now_ns() + round(delay_s * NS_PER_S)
        self._context.holds.put(Hold(HoldKind.OFFLINE, code, until_ns=until_ns, attempt=self._attempt))

    def _watch(self, link: Transport) -> None:
        now = self._context.clock.monotonic()
        trouble = self._lasting_trouble(link, now)
        if trouble is not None:
            self._lose(trouble)
        elif self._sender.refused_size is not None:
            # A new link, not only a smaller chunk: the old one would still put several small messages together into
            # one that is too large.
            self._sender.lose_link()
        elif self._sender.stalled:
            self._lose(Code.STALLED)
        else:
            self._refresh(link, now)

    def _lasting_trouble(self, link: Transport, now: float) -> Code | None:
        """Return the trouble that ends the link: at once for some codes, for others after half a minute."""
        trouble = link.trouble()
        if trouble is None:
            self._troubled_since = None
            return None
        if failure_policy.stops_all(trouble) or trouble is Code.STALLED:
            return trouble
        if self._troubled_since is None:
            self._troubled_since = now
        return trouble if now - self._troubled_since > _TROUBLE_S else None

    def _lose(self, code: Code) -> None:
        self._sender.lose_link()
        self._troubled_since = None
        if code is Code.STALLED:
            _LOG.info("the link got stuck; connecting again")
            return
        self._unreachable(code, "the link was lost")

    def _refresh(self, link: Transport, now: float) -> None:
        """Ask the broker now and then whether partitions were added."""
        if self._refreshing is None:
            if now - self._refreshed > _REFRESH_S:
                self._refreshed = now
                self._refreshing = self._context.workers.submit(WorkerRole.CONNECTING, link.refresh)
        elif self._refreshing.done():
            refreshing, self._refreshing = self._refreshing, None
            try:
                refreshing.result()
            except FieldpostError as error:
                _LOG.info("the broker's limits cannot be read now: %s", error.code)
