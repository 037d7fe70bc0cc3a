# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Transfers in the ledger: reading and changing rows, nothing that decides."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
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
    """One row."""

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
        """What its messages must agree with."""
        return FileFacts(self.client, self.id, self.path, self.size, self.chunk_size, self.mtime_ns)

    @property
    def count(self) -> int:
        """How many chunks it has; one for a file that came in a pack."""
        return self.facts.plan.count if self.chunk_size else 1

    def chunks(self) -> ChunkSet:
        """The chunks that are there."""
        return ChunkSet(self.facts.plan.count if self.chunk_size else 0, self.bitmap or b"")


_COLUMNS: Final = ", ".join(field.name for field in fields(Transfer))
_NAMES: Final = [field.name for field in fields(Transfer)]
_STATE: Final = _NAMES.index("state")
_FLAGS: Final = tuple(_NAMES.index(name) for name in ("grew", "expired", "renamed", "duplicate"))
_PAGE: Final = 1_000
_OPEN: Final = ", ".join(f"'{state}'" for state in sorted(OPEN))
_FINISHED: Final = ", ".join(f"'{state}'" for state in sorted(FINISHED))


class Transfers:
    """The queries. Every change of state passes `change`, which knows the table of states."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def get(self, transfer: str) -> Transfer | None:
        """One transfer, if it is known."""
        return next(iter(self._select("WHERE id = ?", transfer)), None)

    def in_state(self, *states: TransferState, most: int = -1) -> list[Transfer]:
        """The transfers in these states."""
        return self._select(f"WHERE state IN ({_marks(states)}) LIMIT ?", *states, most)

    def up_to(self, size: int, *states: TransferState, most: int) -> list[Transfer]:
        """Some of those that are not larger; in no order, since to put thousands in order is dear."""
        return self._select(f"WHERE state IN ({_marks(states)}) AND size <= ? LIMIT ?", *states, size, most)

    def above(self, size: int, *states: TransferState, most: int) -> list[Transfer]:
        """Those that are larger, the smallest first."""
        where = f"WHERE state IN ({_marks(states)}) AND size > ? ORDER BY size LIMIT ?"
        return self._select(where, *states, size, most)

    def waiting_for_barrier(self) -> list[Transfer]:
        """The transfers whose `end` has not been answered yet."""
        return self._select("WHERE state = 'receiving' AND end_round IS NOT NULL")

    def came_damaged(self, transfer: str) -> bool:
        """Whether a message of it was refused: its bytes, or what its headers say, did not match."""
        return bool(self._store.rows("SELECT 1 FROM quarantine WHERE transfer = ? LIMIT 1", transfer))

    def idle_since(self, moment_ns: int) -> list[Transfer]:
        """Unfinished transfers of which nothing was heard since then."""
        return self._select("WHERE state IN ('held', 'receiving') AND last_ns < ?", moment_ns)

    def published_as(self, name_key: str) -> Transfer | None:
        """The newest transfer that was published under this name."""
        where = "WHERE name_key = ? AND state = 'published' ORDER BY ended_ns DESC LIMIT 1"
        return next(iter(self._select(where, name_key)), None)

    def published(self, *, since_ns: int = 0, client: str = "") -> list[Transfer]:
        """What arrived, in order."""
        where = "WHERE state = 'published' AND ended_ns >= ? AND (? = '' OR client = ?) ORDER BY ended_ns, id"
        return self._select(where, since_ns, client, client)

    def each_published(self, *, since_ns: int = 0, client: str = "") -> Iterator[Transfer]:
        """The same in constant memory, for those who look at all of it; sees what arrives on the way."""
        where = (
            "WHERE state = 'published' AND (ended_ns, id) > (?, ?) AND (? = '' OR client = ?)"
            f" ORDER BY ended_ns, id LIMIT {_PAGE}"
        )
        last: tuple[int, str] = (since_ns, "")
        while page := self._select(where, *last, client, client):
            yield from page
            last = (page[-1].ended_ns or 0, page[-1].id)

    def not_to_write(self, most: int) -> set[str]:
        """Ids whose chunks are of no use: held, finished lately, or already complete."""
        rows = self._store.rows(
            f"SELECT id FROM (SELECT id FROM transfers WHERE state IN ('held', 'complete', 'sealed', 'intent')"  # noqa: S608 - ours
            f" UNION ALL SELECT id FROM (SELECT id FROM transfers WHERE state IN ({_FINISHED})"
            " ORDER BY ended_ns DESC LIMIT ?))",
            most,
        )
        return {row["id"] for row in rows}

    def load(self, client: str | None = None) -> tuple[int, int]:
        """Transfers that still receive and the bytes they still need, of one client or of all.

        Complete ones have their room on the disk already; and thousands that come in packs never wait for anything.
        """
        rows = self._store.rows(
            "SELECT count(*) AS n, coalesce(sum(max(0, size - have * max(1, chunk_size))), 0) AS bytes FROM transfers"
            " WHERE state = 'receiving' AND (? IS NULL OR client = ?)",
            client,
            client,
        )
        return rows[0]["n"], rows[0]["bytes"]

    def counts(self) -> dict[str, int]:
        """Transfers by state."""
        rows = self._store.rows("SELECT state, count(*) AS n FROM transfers GROUP BY state")
        return {row["state"]: row["n"] for row in rows}

    def totals(self) -> tuple[int, int]:
        """Files and bytes published."""
        rows = self._store.rows(
            "SELECT count(*) AS n, coalesce(sum(size), 0) AS bytes FROM transfers WHERE state = 'published'"
        )
        return rows[0]["n"], rows[0]["bytes"]

    def add(self, facts: FileFacts, state: TransferState, now_ns: int, *, sha256: str = "", have: int = 0) -> Transfer:
        """A transfer appears for the first time."""
        with self._store.transaction() as db:
            values = (facts.transfer, facts.client, facts.path, facts.size, facts.chunk_size, facts.mtime_ns)
            added = db.execute(
                "INSERT INTO transfers (id, client, path, size, chunk_size, mtime_ns, fingerprint, state, first_ns,"  # noqa: S608 - ours
                f" last_ns, sha256, have) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
                (*values, facts.fingerprint, state, now_ns, now_ns, sha256, have),
            )
            return _transfer(added.fetchone())

    def change(self, transfer: Transfer, state: TransferState, **columns: Any) -> Transfer:  # noqa: ANN401 - columns
        """Move a transfer to a state (or keep it there) and set columns with it."""
        check(transfer.state, state)
        columns["state"] = state
        assignments = ", ".join(f"{name} = ?" for name in columns)
        sql = f"UPDATE transfers SET {assignments} WHERE id = ? AND state = ? RETURNING {_COLUMNS}"  # noqa: S608 - names of ours
        with self._store.transaction() as db:
            found = db.execute(sql, (*columns.values(), transfer.id, transfer.state)).fetchone()
        if found is None:  # another thread was faster: who changes must look in the same transaction
            raise WrongStep(transfer.state, state)
        return _transfer(found)

    def finish(self, transfer: Transfer, state: TransferState, now_ns: int, **columns: Any) -> Transfer:  # noqa: ANN401 - columns
        """A transfer ends; what is only needed on the way is dropped."""
        compact: dict[str, Any] = {"bitmap": None, "barrier": "", "end_round": None, "intent": "", "ended_ns": now_ns}
        return self.change(transfer, state, **(compact | columns))

    def forget_before(self, moment_ns: int) -> int:
        """Drop finished rows that are older; an id that old is unknown again."""
        with self._store.transaction() as db:
            sql = f"DELETE FROM transfers WHERE state IN ({_FINISHED}) AND ended_ns < ?"  # noqa: S608 - ours
            return db.execute(sql, (moment_ns,)).rowcount

    # how far the topic was processed

    def processed(self) -> dict[int, int]:
        """The next offset of each partition."""
        return {row[0]: row[1] for row in self._store.rows("SELECT partition, next_offset FROM processed")}

    def set_processed(self, offsets: Mapping[int, int]) -> None:
        """Everything before these offsets is in the ledger."""
        with self._store.transaction() as db:
            db.executemany("INSERT OR REPLACE INTO processed VALUES (?, ?)", offsets.items())

    def _select(self, where: str, *values: object) -> list[Transfer]:
        return [_transfer(row) for row in self._store.rows(f"SELECT {_COLUMNS} FROM transfers {where}", *values)]  # noqa: S608 - ours


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" for _ in values)


def _transfer(found: Sequence[Any] | sqlite3.Row) -> Transfer:
    values: list[Any] = list(found)
    try:
        values[_STATE] = TransferState(values[_STATE])
    except ValueError:
        raise FieldpostError(Code.LEDGER_DAMAGED, "a transfer is in a state that there is not") from None
    for place in _FLAGS:
        values[place] = bool(values[place])
    return Transfer(*values)
