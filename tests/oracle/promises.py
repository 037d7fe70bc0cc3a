# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The promises, one function each. `at_any_time` holds at every instant, `at_end` when everything has come to rest."""

import re
import stat
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from oracle.evidence import Evidence, Row, Said, Source, file_digest
from oracle.violations import Promise, Violation

_BESIDE: Final = re.compile(r" \(([2-9]|[1-9][0-9]+)\)$")
_NOT_OVER: Final = frozenset({"receipt_late", "receipt_absent", "parts_missing"})  # codes of those who still wait
Shown = dict[str, str]  # final name to SHA-256


def at_any_time(evidence: Evidence) -> list[Violation]:
    """What must never be seen, whatever happens."""
    shown, found = _looked_at(evidence)
    found += _partial(evidence, shown)
    found += _twice(evidence, shown)
    found += _receipts(evidence, shown)
    found += _one_verdict(evidence)
    found += _confirmed(evidence)
    found += _outside(evidence)
    found += _refused(evidence)
    return found


def at_end(evidence: Evidence) -> list[Violation]:
    """What must be so when nothing is left to do: that too, and nobody still waits."""
    return [*at_any_time(evidence), *nobody_waits(evidence), *_lost(evidence), *_left(evidence)]


def _looked_at(evidence: Evidence) -> tuple[Shown, list[Violation]]:
    shown: Shown = {}
    found = []
    for name, path in evidence.final_names().items():
        if not stat.S_ISREG(path.lstat().st_mode):
            found.append(Violation(Promise.INSIDE_THE_ROOT, name, "is a link or a special file"))
        else:
            shown[name] = file_digest(path)
    return shown, found


def _by_name(evidence: Evidence) -> dict[str, list[Source]]:
    """Sources by the name they are wished to have; names that differ in case are one."""
    by_name: dict[str, list[Source]] = defaultdict(list)
    for source in evidence.sources:
        by_name[evidence.name_of(source.client, source.path).casefold()].append(source)
    return by_name


def _wished(name: str, sha256: str, by_name: dict[str, list[Source]]) -> str:
    """The name that was wished for: perhaps without the ` (2)` of one that is kept beside another."""
    path = PurePosixPath(name)
    without = str(path.with_name(_BESIDE.sub("", path.stem) + path.suffix)).casefold()
    known = [wish for wish in (name.casefold(), without) if wish in by_name]
    of_these_bytes = [wish for wish in known if any(sha256 in source.versions for source in by_name[wish])]
    return next(iter([*of_these_bytes, *known, name.casefold()]))


def _partial(evidence: Evidence, shown: Shown) -> Iterator[Violation]:
    """Whatever bears a final name has the bytes of a file that was sent under that name."""
    by_name = _by_name(evidence)
    for name, sha256 in shown.items():
        sources = by_name.get(_wished(name, sha256, by_name), [])
        if not sources:
            yield Violation(Promise.NEVER_PARTIAL, name, "nobody sent a file of this name")
        elif not any(sha256 in source.versions for source in sources):
            yield Violation(Promise.NEVER_PARTIAL, name, "shows bytes that its source never had")


def _twice(evidence: Evidence, shown: Shown) -> Iterator[Violation]:
    """No more copies, here or moved away since, than transfers that were published or are being renamed."""
    if evidence.ledger is None:
        return
    by_name = _by_name(evidence)
    copies = Counter((_wished(name, sha256, by_name), sha256) for name, sha256 in [*shown.items(), *evidence.taken])
    allowed: Counter[tuple[str, str]] = Counter()
    for row in evidence.transfers():
        if row["state"] == "intent" or _is_own(row):
            allowed[evidence.name_of(row["client"], row["path"]).casefold(), row["sha256"]] += 1
    for (name, sha256), count in copies.items():
        if count > allowed[name, sha256]:
            words = f"{count} copies of {allowed[name, sha256]} published transfers"
            yield Violation(Promise.NEVER_TWICE, name, words)


def _receipts(evidence: Evidence, shown: Shown) -> Iterator[Violation]:
    """A receipt names bytes that a source had and that are at the destination, or were until the office took them."""
    versions = {pair for source in evidence.sources for pair in source.versions.items()}
    present = {*shown.values(), *(sha256 for _, sha256 in evidence.taken)}
    rows = {row["id"]: row for row in evidence.transfers()}
    for said in _of_kind(evidence, "received"):
        named = (said.fields["sha256"], said.fields["size"])
        if named not in versions:
            yield _untrue(said, "names bytes that no source ever had")
        if named[0] not in present:
            yield _untrue(said, "the bytes it names are not at the destination")
        if evidence.ledger is not None:
            yield from _booked(said, rows.get(said.transfer))
    yield from _published_rows(evidence, shown, rows)


def _booked(said: Said, row: Row | None) -> Iterator[Violation]:
    if row is None or row["state"] != "published":
        yield _untrue(said, "the ledger has not published it")
    elif (row["sha256"], row["size"]) != (said.fields["sha256"], said.fields["size"]):
        yield _untrue(said, "the ledger has other bytes")


def _published_rows(evidence: Evidence, shown: Shown, rows: dict[str, Row]) -> Iterator[Violation]:
    """Every published row has its own file under its name; a duplicate one may share it."""
    names = Counter((row["name"], row["sha256"]) for row in rows.values() if _is_own(row))
    there = Counter([*shown.items(), *evidence.taken])
    for (name, sha256), count in names.items():
        if there[name, sha256] < count:
            yield Violation(Promise.RECEIPTS_TRUE, name, "published in the ledger, but its bytes are not there")


def _is_own(row: Row) -> bool:
    return bool(row["state"] == "published" and not row["duplicate"])


def _one_verdict(evidence: Evidence) -> Iterator[Violation]:
    """What was said last words about stays so: never two different ones."""
    verdicts: dict[str, set[str]] = defaultdict(set)
    for said in evidence.said:
        if said.kind == "received":
            flags = f"renamed={said.fields['renamed']} duplicate={said.fields['duplicate']}"
            verdicts[said.transfer].add(f"received {said.fields['sha256'][:8]} {flags}")
        elif said.kind == "rejected":
            verdicts[said.transfer].add(f"rejected {said.fields['code']}")
    for transfer, words in verdicts.items():
        if len(words) > 1:
            yield Violation(Promise.RECEIPTS_TRUE, transfer, f"two verdicts: {sorted(words)}")


def _confirmed(evidence: Evidence) -> Iterator[Violation]:
    """The uploader is green only with a receipt for exactly the bytes that its source had."""
    receipts = {(said.transfer, said.fields["sha256"]) for said in _of_kind(evidence, "received")}
    had = {(source.client, source.path, sha256) for source in evidence.sources for sha256 in source.versions}
    for row in evidence.sent_files():
        if row["state"] == "confirmed":
            if (row["transfer"], row["sha256"]) not in receipts:
                yield Violation(Promise.RECEIPTS_TRUE, row["path"], "confirmed without a receipt")
            if (row["client"], row["path"], row["sha256"]) not in had:
                yield Violation(Promise.RECEIPTS_TRUE, row["path"], "confirmed with bytes that its source never had")


def _outside(evidence: Evidence) -> Iterator[Violation]:
    if evidence.surroundings is None:
        return
    before, now = evidence.surroundings.before, evidence.surroundings.now()
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            words = "gone" if name not in now else "new" if name not in before else "changed"
            yield Violation(Promise.INSIDE_THE_ROOT, name, f"{words}, outside the destination")


def _refused(evidence: Evidence) -> Iterator[Violation]:
    if evidence.bad_offsets is None:
        return
    for row in evidence.quarantine():
        if (row["partition"], row["offset"]) not in evidence.bad_offsets:
            place = f"{row['partition']}/{row['offset']}"
            yield Violation(Promise.ONLY_BAD_IS_REFUSED, place, f"{row['code']}: {row['detail']}")


# at the end


def nobody_waits(evidence: Evidence) -> Iterator[Violation]:
    """Confirmed, or over with a code: "still waiting" is a failure."""
    for row in evidence.sent_files():
        over = row["state"] == "attention" and row["code"] and row["code"] not in _NOT_OVER
        if row["state"] not in {"confirmed", "cancelled"} and not over:
            words = f"still {row['state']} ({row['code'] or 'no code'}), transfer {row['transfer']}"
            yield Violation(Promise.EQUAL_OR_TERMINAL, row["path"], words)


def _lost(evidence: Evidence) -> Iterator[Violation]:
    """Every file that was handed over is known to the uploader, or without its journal, was answered for."""
    if evidence.journals:
        known = {(row["client"], row["path"]) for row in evidence.sent_files()}
        for source in evidence.sources:
            if (source.client, source.path) not in known:
                yield Violation(Promise.EQUAL_OR_TERMINAL, source.path, "the uploader has forgotten it")
        return
    received = {said.fields["sha256"] for said in _of_kind(evidence, "received")}
    rejected = {said.transfer for said in _of_kind(evidence, "rejected")}
    paths = {row["path"] for row in evidence.transfers() if row["id"] in rejected}
    for source in evidence.sources:
        if source.path not in paths and not received & source.versions.keys():
            yield Violation(Promise.EQUAL_OR_TERMINAL, source.path, "neither received nor rejected")


def _left(evidence: Evidence) -> Iterator[Violation]:
    """Nothing unsaid, nothing open, no staged bytes."""
    for row in evidence.unsent():
        yield Violation(Promise.NOTHING_LEFT, row["client"], f"letter {row['id']} was never sent")
    for row in evidence.transfers():
        if row["state"] not in {"published", "rejected", "cancelled"}:
            yield Violation(Promise.NOTHING_LEFT, row["path"] or row["id"], f"the ledger still has it {row['state']}")
    for name in evidence.working_files() if evidence.ledger is not None else ():
        yield Violation(Promise.NOTHING_LEFT, name, "staged bytes that nobody needs")


def _of_kind(evidence: Evidence, kind: str) -> list[Said]:
    return [said for said in evidence.said if said.kind == kind]


def _untrue(said: Said, words: str) -> Violation:
    return Violation(Promise.RECEIPTS_TRUE, said.transfer, words)
