# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Read and change the rows of transfers; decide nothing."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from fieldpost_receiver.jobs.files.ledger.states import FINISHED, OPEN, TransferState, WrongStep, check
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts


@dataclass(frozen=True, slots=True)
class Transfer:
    """One row of the table."""

    id: TransferId
    client: ClientName
    path: str
    size: int
    chunk_size: int
    mtime_ns: int
    fingerprint: str
    state: TransferState
    bitmap: bytes | None
    have: int
    sha256: str
    end_round: int | None
    barrier: str
    round: int
    stale_rounds: int
    grew: bool
    expired: bool
    first_ns: int
    last_ns: int
    told_ns: int
    intent: str
    name: str
    name_key: str
    renamed: bool
    duplicate: bool
    code: str
    text: str
    ended_ns: int | None

    @property
    def facts(self) -> FileFacts:
        """Return what every message of the transfer must agree with."""
        return FileFacts(self.client, self.id, self.path, self.size, self.chunk_size, self.mtime_ns)

    @property
    def count(self) -> int:
        """Return the number of chunks; 1 for a file that came in a pack."""
        return self.facts.plan.count if self.chunk_size else 1

    def chunks(self) -> ChunkSet:
        """Return the chunks that have arrived."""
        return ChunkSet(self.facts.plan.count if self.chunk_size else 0, self.bitmap or b"")


_COLUMNS: Final = ", ".join(field.name for field in fields(Transfer))
_NAMES: Final = [field.name for field in fields(Transfer)]
_STATE: Final = _NAMES.index("state")
_FLAGS: Final = tuple(_NAMES.index(name) for name in ("grew", "expired", "renamed", "duplicate"))
_PAGE: Final = 1_000
_OPEN: Final = ", ".join(f"'{state}'" for state in sorted(OPEN))
_FINISHED: Final = ", ".join(f"'{state}'" for state in sorted(FINISHED))


class Transfers:
    """The queries. Every change of state passes through `change`, which checks the table of states."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def get(self, transfer: str) -> Transfer | None:
        """Return a transfer; None if the ledger does not know it."""
        return next(iter(self._select("WHERE id = ?", transfer)), None)

    def in_state(self, *states: TransferState, most: int = -1) -> list[Transfer]:
        """Return the transfers in these states."""
        return self._select(f"WHERE state IN ({_marks(states)}) LIMIT ?", *states, most)

    def up_to(self, size: int, *states: TransferState, most: int) -> list[Transfer]:
        """Return transfers of at most this size, in no order, because sorting thousands of them is slow."""
        return self._select(f"WHERE state IN ({_marks(states)}) AND size <= ? LIMIT ?", *states, size, most)

    def above(self, size: int, *states: TransferState, most: int) -> list[Transfer]:
        """Return transfers that are larger than this, the smallest first."""
        where = f"WHERE state IN ({_marks(states)}) AND size > ? ORDER BY size LIMIT ?"
        return self._select(where, *states, size, most)

    def waiting_for_barrier(self) -> list[Transfer]:
        """Return the transfers whose `end` has not been answered yet."""
        return self._select("WHERE state = 'receiving' AND end_round IS NOT NULL")

    def idle_since(self, moment_ns: int) -> list[Transfer]:
        """Return unfinished transfers whose last message is older than this moment."""
        return self._select("WHERE state IN ('held', 'receiving') AND last_ns < ?", moment_ns)

    def published_as(self, name_key: str) -> Transfer | None:
        """Return the newest transfer that was published under this name."""
        where = "WHERE name_key = ? AND state = 'published' ORDER BY ended_ns DESC LIMIT 1"
        return next(iter(self._select(where, name_key)), None)

    def each_published(self, *, since_ns: int = 0, client: str = "") -> Iterator[Transfer]:
        """Yield published transfers in constant memory, including those that are published meanwhile."""
        where = (
            "WHERE state = 'published' AND (ended_ns, id) > (?, ?) AND (? = '' OR client = ?)"
            f" ORDER BY ended_ns, id LIMIT {_PAGE}"
        )
        last: tuple[int, str] = (since_ns, "")
        while page := self._select(where, *last, client, client):
            yield from page
            last = (page[-1].ended_ns or 0, page[-1].id)

    def not_to_write(self, most: int) -> set[str]:
        """Return ids whose chunks need not be written: held, finished lately, or already complete."""
        rows = self._store.rows(
            f"SELECT id FROM (SELECT id FROM transfers WHERE state IN ('held', 'complete', 'sealed', 'intent')"  # noqa: S608 - ours
            f" UNION ALL SELECT id FROM (SELECT id FROM transfers WHERE state IN ({_FINISHED})"
            " ORDER BY ended_ns DESC LIMIT ?))",
            most,
        )
        return {row["id"] for row in rows}

    def load(self, client: str | None = None) -> tuple[int, int]:
        """Return the number of receiving transfers and the bytes they still need, of one client or of all.

        Complete transfers have their space on the disk already, and so have the thousands that come in packs.
        """
        rows = self._store.rows(
            "SELECT count(*) AS n, coalesce(sum(max(0, size - have * max(1, chunk_size))), 0) AS bytes FROM transfers"
            " WHERE state = 'receiving' AND (? IS NULL OR client = ?)",
            client,
            client,
        )
        return rows[0]["n"], rows[0]["bytes"]

    def counts(self) -> dict[str, int]:
        """Return the number of transfers by state."""
        rows = self._store.rows("SELECT state, count(*) AS n FROM transfers GROUP BY state")
        return {row["state"]: row["n"] for row in rows}

    def rejections(self) -> dict[str, int]:
        """Return the number of rejected transfers by code."""
        rows = self._store.rows("SELECT code, count(*) AS n FROM transfers WHERE state = 'rejected' GROUP BY code")
        return {row["code"] or Code.UNEXPECTED: row["n"] for row in rows}

    def asked_again(self) -> int:
        """Return how many receiving transfers were asked for missing chunks."""
        rows = self._store.rows("SELECT count(*) FROM transfers WHERE state = 'receiving' AND round > 0")
        count: int = rows[0][0]
        return count

    def totals(self) -> tuple[int, int]:
        """Return the number and the bytes of published files."""
        rows = self._store.rows(
            "SELECT count(*) AS n, coalesce(sum(size), 0) AS bytes FROM transfers WHERE state = 'published'"
        )
        return rows[0]["n"], rows[0]["bytes"]

    def add(self, facts: FileFacts, state: TransferState, now_ns: int, *, sha256: str = "", have: int = 0) -> Transfer:
        """Insert a transfer that was not known before."""
        with self._store.transaction() as db:
            values = (facts.transfer, facts.client, facts.path, facts.size, facts.chunk_size, facts.mtime_ns)
            added = db.execute(
                "INSERT INTO transfers (id, client, path, size, chunk_size, mtime_ns, fingerprint, state, first_ns,"  # noqa: S608 - ours
                f" last_ns, sha256, have) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
                (*values, facts.fingerprint, state, now_ns, now_ns, sha256, have),
            )
            return _transfer(added.fetchone())

    def change(self, transfer: Transfer, state: TransferState, **columns: Any) -> Transfer:  # noqa: ANN401 - columns
        """Move a transfer to a state (or keep it there) and set columns with it; return the new row."""
        check(transfer.state, state)
        columns["state"] = state
        assignments = ", ".join(f"{name} = ?" for name in columns)
        sql = f"UPDATE transfers SET {assignments} WHERE id = ? AND state = ? RETURNING {_COLUMNS}"  # noqa: S608 - names of ours
        with self._store.transaction() as db:
            found = db.execute(sql, (*columns.values(), transfer.id, transfer.state)).fetchone()
        if found is None:  # another thread changed it since it was read
            raise WrongStep(transfer.state, state)
        return _transfer(found)

    def finish(self, transfer: Transfer, state: TransferState, now_ns: int, **columns: Any) -> Transfer:  # noqa: ANN401 - columns
        """Move a transfer to a final state and drop what was needed only on the way."""
        compact: dict[str, Any] = {"bitmap": None, "barrier": "", "end_round": None, "intent": "", "ended_ns": now_ns}
        return self.change(transfer, state, **(compact | columns))

    def forget_before(self, moment_ns: int) -> int:
        """Delete finished rows that are older, and return how many; their ids are unknown again."""
        with self._store.transaction() as db:
            sql = f"DELETE FROM transfers WHERE state IN ({_FINISHED}) AND ended_ns < ?"  # noqa: S608 - ours
            return db.execute(sql, (moment_ns,)).rowcount

    def _select(self, where: str, *values: object) -> list[Transfer]:
        return [_transfer(row) for row in self._store.rows(f"SELECT {_COLUMNS} FROM transfers {where}", *values)]  # noqa: S608 - ours


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" for _ in values)


def _transfer(found: Sequence[Any] | sqlite3.Row) -> Transfer:
    values: list[Any] = list(found)
    try:
        values[_STATE] = TransferState(values[_STATE])
    except ValueError:
        detail = f"unknown state {values[_STATE]!r} of transfer {values[0]!r} in the ledger"
        raise FieldpostError(Code.LEDGER_DAMAGED, detail) from None
    for place in _FLAGS:
        values[place] = bool(values[place])
    return Transfer(*values)
