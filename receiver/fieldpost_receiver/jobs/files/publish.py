# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Publishing: sealed files get their final names, and only then their receipts.

For a group of files (many small ones, or one large one):

1. read back what is kept; SHA-256
2. compare with `end`; a difference rejects the file, and the sender starts anew
3. prepare: time and permissions, durably; ledger: intent with the final name
4. publish under the final name without replacing (policy `replace`: over the old one)
5. settle: the names are durable
6. ledger: published and the receipt, in one transaction

After a crash, an intent whose sealed file is there goes on at 4; whose sealed file is gone was published, even if the
office has moved it since, and goes on at 5.
"""

import errno
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.jobs.files.completeness import request_all_chunks
from fieldpost_receiver.jobs.files.intents import (
    changing_intents,
    check_same,
    content_of,
    current_row,
    file_of,
    intent_of,
    place_of,
    sealed_of,
)
from fieldpost_receiver.jobs.files.ledger.states import TransferState, WrongStep
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.jobs.files.replies import Replies
from fieldpost_receiver.storage.errors import NameTaken, NotWhole, StorageError
from fieldpost_receiver.storage.port import (
    IsCancelled,
    Place,
    Published,
    Segments,
    Staging,
    Verdict,
    Whereabouts,
    never,
)
from fieldpost_receiver.telemetry.logs import file_published
from fieldpost_receiver.telemetry.metrics import JobMetrics
from fieldpost_shared import names
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError, NameRefused
from fieldpost_shared.protocol.status import MissingReason

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PublisherContext:
    """What publishing works with. `name_of` makes the final name of a transfer."""

    store: Database
    transfers: Transfers
    replies: Replies
    staged: Staging
    published: Published
    policy: ConflictPolicy
    name_of: Callable[[Transfer], Segments]
    clock: Clock
    crash: CrashPoints
    metrics: JobMetrics


@dataclass(frozen=True, slots=True)
class _SameThere:
    """A file with the same bytes bears the name already, or is kept beside another that does."""

    segments: Segments
    renamed: bool


_Decision = Place | _SameThere | FieldpostError


class Publisher:
    """Works on one group at a time; several may work side by side on different transfers."""

    def __init__(self, context: PublisherContext) -> None:
        self._context = context

    def publish(self, group: Sequence[Transfer], is_cancelled: IsCancelled) -> None:
        """Steps 1 to 6 for every file of the group that is not cancelled or stopped on the way.

        Raises:
            StorageError: the disk failed; everything stays as it was, and is done again later.
            FieldpostError: LEDGER_DAMAGED.
        """
        try:
            self._publish(group, is_cancelled)
        except StorageError as error:
            if error.errno != errno.ENOENT or not self._lost(group):
                raise

    def _publish(self, group: Sequence[Transfer], is_cancelled: IsCancelled) -> None:
        intended = [item for item in group if item.state is TransferState.INTENT]
        verified = self._verify([item for item in group if item.state is TransferState.SEALED], is_cancelled)
        if is_cancelled():
            return
        self._context.crash.reach("after_readback")
        intended += self._intend(verified, is_cancelled)
        self._context.crash.reach("after_intent")
        intended.sort(key=lambda item: item.id)  # as they were sent: the last one to replace is the newest
        placed = [done for item in intended if (done := self._place(item)) is not None]
        self._context.published.settle(place.segments for _, place in placed)
        self._context.crash.reach("after_dir_fsync")
        self._finish(placed)

    def _lost(self, group: Sequence[Transfer]) -> bool:
        """Return whether sealed files are gone: cancelled meanwhile, or else asked for again. Others are tried anew."""
        context = self._context
        sealed = [item for item in group if item.state is TransferState.SEALED]
        gone = [item for item in sealed if context.staged.whereabouts(file_of(item)) is not Whereabouts.SEALED]
        with context.store.transaction():
            for transfer in gone:
                current = current_row(context.transfers, transfer)
                if current is not None and current.state is TransferState.SEALED:
                    _LOG.info("asked for again: its sealed bytes are gone", extra={"transfer": transfer.id})
                    request_all_chunks(
                        context.transfers,
                        context.replies,
                        current,
                        reason=MissingReason.NEVER_ARRIVED,
                        now_ns=context.clock.now_ns(),
                    )
        return bool(gone)

    # 1. and 2.

    def _verify(self, transfers: Sequence[Transfer], is_cancelled: IsCancelled) -> list[Transfer]:
        """Return those whose bytes are what `end` said; reject the others."""
        verdicts = self._context.published.verify([sealed_of(transfer) for transfer in transfers], is_cancelled)
        judged = list(zip(transfers, verdicts, strict=True))
        for transfer, verdict in judged:
            if verdict is Verdict.DIFFERENT:
                self._reject(transfer, Code.HASH_MISMATCH, "")
                self._discard(transfer)
        return [transfer for transfer, verdict in judged if verdict is Verdict.SAME]

    # 3.

    def _intend(self, transfers: Sequence[Transfer], is_cancelled: IsCancelled) -> list[Transfer]:
        context = self._context
        context.published.prepare([sealed_of(transfer) for transfer in transfers])
        decided = [self._decide(transfer, is_cancelled) for transfer in transfers]  # may read whole files: no lock held
        if is_cancelled():
            return []  # what was not compared to its end may look different
        news: list[Transfer] = []
        with context.store.transaction():
            noted = [
                self._note(transfer, decision, news) for transfer, decision in zip(transfers, decided, strict=True)
            ]
        self._tell(news)
        for transfer, intended in zip(transfers, noted, strict=True):
            if intended is None:  # only now: an intent whose sealed file is gone counts as published
                self._discard(transfer)
        return [transfer for transfer in noted if transfer is not None]

    def _decide(self, transfer: Transfer, is_cancelled: IsCancelled = never) -> _Decision:
        """Return a free name; or that the same bytes are there already; or why nothing may be put there."""
        context = self._context
        try:
            wished = context.name_of(transfer)
            try:
                place = context.published.choose(wished, context.policy)
            except NameTaken as error:
                return self._same_there(transfer, wished, is_cancelled) or error
            if not place.renamed and not place.replaces:
                return place  # the name is free
            return self._same_there(transfer, wished, is_cancelled) or place
        except NameRefused as error:
            return error

    def _same_there(self, transfer: Transfer, wished: Segments, is_cancelled: IsCancelled) -> _SameThere | None:
        """Return the file with the same bytes: one that was kept beside another makes no further copy either."""
        published, content = self._context.published, content_of(transfer)
        existing = published.find(wished)
        if existing is None:
            return None
        if published.same_content(existing, content, is_cancelled):
            return _SameThere(existing.segments, renamed=False)
        if self._context.policy is not ConflictPolicy.KEEP_BOTH:
            return None
        for one in published.kept_beside(wished):
            known = self._context.transfers.published_as(names.twin_key("/".join(one.segments)))
            if known is not None and known.sha256 != transfer.sha256:
                continue  # the ledger knows what it is: there may be thousands, not all of them to be read
            if published.same_content(one, content, is_cancelled):
                return _SameThere(one.segments, renamed=True)
        return None

    def _note(self, transfer: Transfer, decision: _Decision, news: list[Transfer]) -> Transfer | None:
        """Write the decision down; None if there is nothing to publish."""
        try:
            match decision:
                case FieldpostError():
                    self._reject(transfer, decision.code, decision.detail)
                case _SameThere():
                    news.append(self._published(transfer, Place(decision.segments, decision.renamed), duplicate=True))
                case _:
                    intent = intent_of(decision)
                    noted = self._context.transfers.change(transfer, TransferState.INTENT, intent=intent)
                    check_same(transfer, noted)
                    return noted
        except WrongStep:
            pass  # cancelled meanwhile
        return None

    # 4.

    def _place(self, transfer: Transfer) -> tuple[Transfer, Place] | None:
        place = place_of(transfer)
        while True:
            where = self._context.staged.whereabouts(file_of(transfer))
            if where is Whereabouts.GONE or (where is Whereabouts.STAGED and not self._sealed_again(transfer)):
                return transfer, place  # published before a crash, and perhaps moved by the office since
            try:
                place = self._context.published.publish(file_of(transfer), place)
                self._context.crash.reach("after_rename")
            except NameTaken:
                again = self._intend_again(transfer)
                if again is None:
                    return None
                transfer, place = again, place_of(again)
            except NameRefused as error:
                self._reject(transfer, error.code, error.detail)
                self._discard(transfer)
                return None
            else:
                return transfer, place

    def _intend_again(self, transfer: Transfer) -> Transfer | None:
        """Note another name before it is used, or that there is none: the first was taken meanwhile."""
        decision, news = self._decide(transfer), list[Transfer]()
        with changing_intents(), self._context.store.transaction():  # in one step, or a cancel could come in between
            back = self._context.transfers.change(transfer, TransferState.SEALED, intent="")
            noted = self._note(back, decision, news)
        self._tell(news)
        if noted is None:
            self._discard(transfer)
        return noted

    def _sealed_again(self, transfer: Transfer) -> bool:
        """Judge staged bytes beside an intent: a seal that a power cut undid, or late chunks of a published file."""
        staged = self._context.staged
        try:
            staged.seal(transfer.id, transfer.fingerprint, transfer.size)
            staged.sync()
            if self._context.published.verify([sealed_of(transfer)]) == [Verdict.SAME]:
                return True
        except NotWhole:
            pass
        self._discard(transfer)
        return False

    # 6.

    def _finish(self, placed: Sequence[tuple[Transfer, Place]]) -> None:
        with changing_intents(), self._context.store.transaction():
            news = [self._published(transfer, place, duplicate=False) for transfer, place in placed]
        self._context.crash.reach("after_ledger_published")
        self._tell(news)
        for transfer, _ in placed:  # a late repetition of a chunk may have begun a new staging file
            self._context.staged.discard(transfer.id, transfer.fingerprint)

    def _discard(self, transfer: Transfer) -> None:
        """Remove what is left of a file that gets no name."""
        self._context.staged.discard_sealed(file_of(transfer))
        self._context.staged.discard(transfer.id, transfer.fingerprint)

    def _published(self, transfer: Transfer, place: Place, *, duplicate: bool) -> Transfer:
        context, now_ns = self._context, self._context.clock.now_ns()
        name = "/".join(place.segments)
        with context.store.transaction():
            done = context.transfers.finish(
                transfer,
                TransferState.PUBLISHED,
                now_ns,
                name=name,
                name_key=names.twin_key(name),
                renamed=int(place.renamed),
                duplicate=int(duplicate),
            )
            check_same(transfer, done)
            context.replies.received(done)
        return done

    def _tell(self, news: Sequence[Transfer]) -> None:
        """Log and count what was published, after the transaction: other threads wait for the ledger meanwhile."""
        for done in news:
            seconds = ((done.ended_ns or 0) - done.first_ns) / NS_PER_S
            file_published(
                path=done.name,
                size=done.size,
                seconds=seconds,
                sha256=done.sha256,
                client=done.client,
                transfer=done.id,
                duplicate=done.duplicate,
            )
            self._context.metrics.published(size=done.size, seconds=seconds, duplicate=done.duplicate)

    def _reject(self, transfer: Transfer, code: Code, detail: str) -> None:
        context, text = self._context, names.words(detail) if detail else ""
        with context.store.transaction():
            current = current_row(context.transfers, transfer)
            if current is None or current.state is not transfer.state:
                return  # cancelled meanwhile
            done = context.transfers.finish(
                current, TransferState.REJECTED, context.clock.now_ns(), code=code, text=text
            )
            context.replies.rejected(done.client, done.id, code, text)
        _LOG.info("rejected", extra={"code": code, "transfer": transfer.id, "client": transfer.client})
