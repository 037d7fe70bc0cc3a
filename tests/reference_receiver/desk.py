# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where messages are dealt with: keeps the transfers, writes, publishes, and decides what is answered."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from reference_receiver.answers import Answers
from reference_receiver.messages import Cancel, Chunk, End, Facts, Member, Pack, Raw, Reading
from reference_receiver.observations import Observations, Published
from reference_receiver.parsing import read
from reference_receiver.placement import Placement, Placements
from reference_receiver.reading import FilesReader
from reference_receiver.shelf import NameTaken, Shelf
from reference_receiver.switches import Switches
from reference_receiver.transfers import MOST_FRUITLESS_ROUNDS, Transfer
from reference_receiver.values import LARGEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a test tells the office about its sender, so that it can be stricter or must be less strict.

    Attributes:
        largest_chunk: the chunk size that the sender is set to; a packed file has at most a quarter of it.
        placed: whether chunks must lie in the partitions that docs/protocol.md prescribes.
        partition_counts: numbers of partitions that the topic had before the office first looked.
        sole: no other office, beside or before this one, asked for missing parts: rounds can be checked.
    """

    largest_chunk: int = LARGEST
    placed: bool = True
    partition_counts: frozenset[int] = frozenset()
    sole: bool = True


@dataclass(slots=True, eq=False)
class _Question:
    """An end that left holes; answered when all that was in the topic then has been read."""

    transfer: Transfer
    round: int
    place: str
    barrier: dict[int, int] | None = None


@dataclass(slots=True)
class Desk:
    """Used by the office's thread only."""

    reader: FilesReader
    shelf: Shelf
    answers: Answers
    switches: Switches
    seen: Observations
    rules: Rules
    on_published: Callable[[Published], None]
    transfers: dict[str, Transfer] = field(default_factory=dict)
    placements: Placements = field(default_factory=Placements)
    _questions: list[_Question] = field(default_factory=list)

    def handle(self, raw: Raw) -> None:
        """Deal with one record, whatever it holds."""
        reading = read(raw, self.rules.largest_chunk)
        self.seen.note_violations(raw.place, reading.violations)
        match reading.message:
            case Chunk() as chunk:
                self._chunk(raw, chunk)
            case End() as end:
                self._end(raw, end)
            case Cancel() as cancel:
                self._cancel(raw, cancel)
            case Pack() as pack:
                for member in pack.members:
                    self._member(raw, member)
            case None if (refusal := reading.refusal) is not None:
                self._refuse(refusal.client, refusal.transfer, refusal.code, refusal.text)
        self.seen.note_message(_kind(reading), len(raw.value))

    def settle(self) -> None:
        """Answer the ends whose barrier was passed. Call it when everything that was read has been handled."""
        self._questions = [question for question in self._questions if question.transfer.answer is None]
        new = [question for question in self._questions if question.barrier is None]
        if new and (offsets := self.reader.end_offsets()) is not None:
            for question in new:
                question.barrier = offsets
        due = [q for q in self._questions if q.barrier is not None and self.reader.passed(q.barrier)]
        for question in due:
            self._questions.remove(question)
            self._judge(question)

    def violations(self) -> list[str]:
        """All so far; placements are judged by all numbers of partitions known by now."""
        return self.seen.violations() + self.placements.violations(self._counts())

    def _counts(self) -> frozenset[int]:
        return self.rules.partition_counts | self.reader.counts

    def _chunk(self, raw: Raw, chunk: Chunk) -> None:
        index = chunk.index
        self.seen.note_arrival(chunk.facts.transfer, index)
        if self.rules.placed:
            found = Placement(chunk.facts.transfer, index, raw.partition, raw.place)
            self.placements.check(found, self._counts())
        transfer = self._transfer(raw, chunk.facts)
        if transfer is None or transfer.answer is not None:
            return
        transfer.came_since.add(index)
        if self.switches.loses(chunk.facts, index):
            transfer.withheld.add(index)
        elif chunk.plain is None or self.switches.damages(chunk.facts, index):
            if index not in transfer.have:
                transfer.damaged.add(index)
        else:
            self._keep(raw, transfer, chunk, chunk.plain)

    def _keep(self, raw: Raw, transfer: Transfer, chunk: Chunk, plain: bytes) -> None:
        known = transfer.have.get(chunk.index)
        if known is not None:
            if known != chunk.sha256:
                self._violation(raw, f"chunk {chunk.index} came again with other bytes")
            return
        self.shelf.write(transfer.id, chunk.index * chunk.facts.chunk_size, plain)
        transfer.have[chunk.index] = chunk.sha256
        transfer.damaged.discard(chunk.index)
        transfer.written_since = True
        if transfer.sha256 and transfer.complete:
            self._finish(transfer)
        else:
            self.answers.progress_now_and_then(transfer)

    def _end(self, raw: Raw, end: End) -> None:
        self.seen.note_end(end.facts.transfer, end.round)
        transfer = self._transfer(raw, end.facts)
        if transfer is None:
            return
        if transfer.sha256 not in {"", end.sha256}:
            self._violation(raw, "an end with another SHA-256 of the whole file")
            return
        transfer.sha256 = end.sha256
        if self.rules.sole and transfer.answer is None and end.round > transfer.round:
            self._violation(raw, f"an end with round {end.round}, but the last one asked was {transfer.round}")
        if transfer.answer is not None:
            self.answers.repeat(transfer)
        elif transfer.complete:
            self._finish(transfer)
        else:
            self._questions.append(_Question(transfer, end.round, raw.place))

    def _judge(self, question: _Question) -> None:
        """Everything that was in the topic at the time of that end was read, and still chunks are missing."""
        transfer = question.transfer
        if transfer.answer is not None:  # another end of it was judged a moment ago
            self.answers.repeat(transfer)
            return
        ranges = transfer.holes()
        self._check_end(question, excused=self.reader.expired or transfer.excused(ranges))
        ranges = transfer.ask(question.round)
        if transfer.fruitless >= MOST_FRUITLESS_ROUNDS:
            self._reject(transfer, "incomplete", f"parts are still missing after {transfer.fruitless} rounds")
            return
        reason = "expired" if self.reader.expired and not transfer.excused(ranges) else transfer.reason(ranges)
        self.answers.missing(transfer, ranges, reason)

    def _check_end(self, question: _Question, *, excused: bool) -> None:
        transfer = question.transfer
        if question.round and question.round == transfer.round and not transfer.answered_in_full():
            if self.rules.sole:
                fault = f"an end claims that round {question.round} was answered in full, but it was not"
                self.seen.note_violations(question.place, [fault])
        elif not excused:
            self.seen.note_violations(question.place, ["an end although not all of its chunks were in the topic"])

    def _cancel(self, raw: Raw, cancel: Cancel) -> None:
        self.seen.note_cancel(cancel.transfer)
        transfer = self.transfers.setdefault(cancel.transfer, Transfer(cancel.client, cancel.transfer))
        if transfer.client != cancel.client:
            self._violation(raw, "a cancel by another client")
        elif transfer.answer is not None:
            self.answers.repeat(transfer)
        else:
            self._reject(transfer, "cancelled", "the sender cancelled it")

    def _member(self, raw: Raw, member: Member) -> None:
        facts = member.facts
        self.seen.note_arrival(facts.transfer, None)
        if member.code == "name_refused":
            self._refuse(facts.client, facts.transfer, member.code, "the name of a packed file")
            return
        transfer = self._transfer(raw, facts)
        if transfer is None or transfer.answer is not None:
            return
        if transfer.sha256 not in {"", member.sha256}:
            self._violation(raw, "a packed file with another SHA-256 than its end")
        elif self.switches.loses(facts, None):
            transfer.pack_withheld = True
        elif member.code or self.switches.damages(facts, None):
            self._reject(transfer, "damaged", "the bytes of a packed file")
        else:
            transfer.sha256 = member.sha256
            self.shelf.forget(transfer.id)
            self.shelf.write(transfer.id, 0, member.body)
            self._finish(transfer)

    def _transfer(self, raw: Raw, facts: Facts) -> Transfer | None:
        """The transfer a message belongs to; None if the message contradicts an earlier one."""
        transfer = self.transfers.get(facts.transfer)
        if transfer is None:
            transfer = self.transfers[facts.transfer] = Transfer(facts.client, facts.transfer, facts)
            if (rejection := self.switches.rejection(facts)) is not None:
                self._reject(transfer, *rejection)
        known = transfer.facts or replace(facts, client=transfer.client)
        if differing := known.contradicts(facts):
            self._violation(raw, f"contradicts an earlier message of its transfer: {', '.join(differing)}")
            return None
        transfer.facts = known if known.chunk_size else facts
        return transfer

    def _finish(self, transfer: Transfer) -> None:
        assert transfer.facts is not None
        digest = self.shelf.seal(transfer.facts)
        if digest != transfer.sha256:
            self.seen.note_violations(transfer.id, ["the whole file's SHA-256 is not that of its end"])
        if digest != transfer.sha256 or self.switches.takes_a_mismatch():
            self._reject(transfer, "hash_mismatch", "the whole file's SHA-256 differs")
            return
        try:
            path, renamed, duplicate = self.shelf.publish(transfer.facts, digest)
        except NameTaken:
            self._reject(transfer, "name_taken", "a folder or a file is in the way")
            return
        self._receipt(transfer, Published(transfer.id, path, transfer.facts.size, digest, renamed, duplicate))

    def _receipt(self, transfer: Transfer, published: Published) -> None:
        receipt = {name: getattr(published, name) for name in ("transfer", "size", "sha256", "renamed", "duplicate")}
        transfer.close({"kind": "received", **receipt})
        self.answers.received(transfer)
        self.seen.note_published(published)
        self.on_published(published)

    def _refuse(self, client: str, transfer_id: str, code: str, text: str) -> None:
        """Reject what could not be read, unless the transfer has come to another end already."""
        transfer = self.transfers.setdefault(transfer_id, Transfer(client, transfer_id))
        if transfer.answer is None and transfer.client == client:
            self._reject(transfer, code, text)

    def _reject(self, transfer: Transfer, code: str, text: str) -> None:
        self.shelf.forget(transfer.id)
        transfer.close(self.answers.rejected(transfer.client, transfer.id, code, text))

    def _violation(self, raw: Raw, fault: str) -> None:
        self.seen.note_violations(raw.place, [fault])


def _kind(reading: Reading) -> str:
    return "unreadable" if reading.message is None else type(reading.message).__name__.lower()
