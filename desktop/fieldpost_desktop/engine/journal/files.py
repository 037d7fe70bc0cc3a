# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The queue: files, their acknowledged chunks and their receipts."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileId, FileRow, SourceFile
from fieldpost_desktop.engine.model.states import OPEN, FileState, check
from fieldpost_shared.bitmap import ChunkSet, Range
from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.ids import TransferId
from fieldpost_shared.protocol.encodings import Encoding

COLUMNS: Final = ", ".join(field.name for field in fields(FileRow))
_STATE, _ENCODING, _URGENT, _ANYWAY = (
    [field.name for field in fields(FileRow)].index(name) for name in ("state", "encoding", "urgent", "anyway")
)
_OPEN: Final = ", ".join(f"'{state}'" for state in sorted(OPEN))
_FRESH: Final[Mapping[str, object]] = {  # what a new transfer begins with
    "transfer": None,
    "chunk_size": 0,
    "encoding": Encoding.IDENTITY,
    "sha256": "",
    "round": 0,
    "end_partition": None,
    "end_offset": None,
    "asked": 0,
    "ask_ns": None,
    "started_ns": None,
    "sent_ns": None,
    "ended_ns": None,
}


class Files:
    """The queue's queries. Every change of state passes `change`, which knows the table of states."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # reading

    def get(self, file: FileId) -> FileRow:
        """Return a file."""
        return self._select("WHERE id = ?", file)[0]

    def find(self, file: FileId) -> FileRow | None:
        """Return a file, if there is one of that id."""
        return next(iter(self._select("WHERE id = ?", file)), None)

    def by_transfer(self, transfer: TransferId) -> FileRow | None:
        """Return the file whose current generation travels under this id."""
        return next(iter(self._select("WHERE transfer = ?", transfer)), None)

    def by_source(self, source: str) -> FileRow | None:
        """Return the newest row of a path on disk."""
        return next(iter(self._select("WHERE source = ? ORDER BY id DESC LIMIT 1", source)), None)

    def begun(self) -> list[FileRow]:
        """Return the files that are cut into chunks and not all sent."""
        return self._select("WHERE state IN ('queued', 'paused', 'retrying', 'attention') AND chunk_size > 0")

    def in_state(self, state: FileState, most: int = -1) -> list[FileRow]:
        """Return the files in a state, first in line first."""
        return self._select("WHERE state = ? ORDER BY urgent DESC, id LIMIT ?", state, most)

    def ids_in_state(self, state: FileState) -> list[FileId]:
        """Return which files are in a state: a tenth of the work of `in_state`."""
        return [row["id"] for row in self._store.rows("SELECT id FROM files WHERE state = ?", state)]

    def waiting(self, smallest: int, largest: int, most: int, *, busy: Iterable[FileId] = ()) -> list[FileRow]:
        """Return the next files in line whose size is in the range and that are not being sent."""
        skip = ", ".join(str(file) for file in busy)
        return self._select(
            f"WHERE state = 'queued' AND size BETWEEN ? AND ? AND id NOT IN ({skip}) ORDER BY urgent DESC, id LIMIT ?",
            smallest,
            largest,
            most,
        )

    def due(self, now_ns: int) -> list[FileRow]:
        """Return the files whose next try has come."""
        return self._select("WHERE state = 'retrying' AND next_try_ns <= ?", now_ns)

    def to_ask(self, now_ns: int) -> list[FileRow]:
        """Return the files whose receipt is to be asked for."""
        return self._select("WHERE ask_ns <= ? AND state IN ('sent', 'attention')", now_ns)

    def unanswered(self) -> list[FileRow]:
        """Return the files that wait for a receipt and have no time to ask for it yet."""
        return self._select("WHERE ask_ns IS NULL AND end_offset IS NOT NULL AND state IN ('sent', 'attention')")

    def of_batch(self, batch: str) -> list[FileRow]:
        """Return the files that were handed over together."""
        return self._select("WHERE id IN (SELECT file FROM batches WHERE batch = ?) ORDER BY id", batch)

    def open_at(self, source: str) -> FileRow | None:
        """Return the unfinished row of a path on disk, if there is one."""
        return next(iter(self._select(f"WHERE source = ? AND state IN ({_OPEN})", source)), None)

    def counts(self) -> dict[FileState, tuple[int, int]]:
        """Return files and bytes in each state."""
        rows = self._store.rows("SELECT state, count(*) AS files, sum(size) AS bytes FROM files GROUP BY state")
        return {FileState(row["state"]): (row["files"], row["bytes"]) for row in rows}

    def larger_waiting(self, limit: int) -> tuple[int, int]:
        """Return number and bytes of queued files above a limit that are not to be sent anyway."""
        rows = self._store.rows(
            "SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM files"
            " WHERE state = 'queued' AND size > ? AND anyway = 0",
            limit,
        )
        return rows[0]["files"], rows[0]["bytes"]

    def next_try_ns(self) -> int | None:
        """Return when the first of the waiting tries comes."""
        rows = self._store.rows("SELECT min(next_try_ns) AS first FROM files WHERE state = 'retrying'")
        return rows[0]["first"]  # type: ignore[no-any-return]  # a nullable INTEGER column

    def acknowledged_chunks(self, row: FileRow) -> ChunkSet:
        """Return the acknowledged chunks of a file."""
        plan = row.plan
        have = ChunkSet(plan.count if plan else 0)
        for found in self._store.rows("SELECT idx FROM chunks WHERE file = ?", row.id):
            have.add(ChunkIndex(found["idx"]))
        return have

    def acknowledged(self, file: FileId) -> int:
        """Return how many chunks of a file are acknowledged."""
        rows = self._store.rows("SELECT count(*) AS count FROM chunks WHERE file = ?", file)
        return int(rows[0]["count"])

    def acknowledged_bytes(self) -> int:
        """Return the bytes of unfinished files that the broker has."""
        rows = self._store.rows(
            "SELECT coalesce(sum(min(size, count * chunk_size)), 0) AS bytes FROM files JOIN"
            " (SELECT file, count(*) AS count FROM chunks GROUP BY file) ON file = id"
            " WHERE state IN ('queued', 'sending', 'retrying')"
        )
        return int(rows[0]["bytes"])

    def chunk_digest(self, file: FileId, index: int) -> bytes | None:
        """Return the SHA-256 of an acknowledged chunk; None for one that is not acknowledged."""
        rows = self._store.rows("SELECT sha256 FROM chunks WHERE file = ? AND idx = ?", file, index)
        return rows[0]["sha256"] if rows else None

    def receipts_of(self, file: FileId) -> dict[str, sqlite3.Row]:
        """Return the receipts of a file by receiver."""
        return {row["receiver"]: row for row in self._store.rows("SELECT * FROM receipts WHERE file = ?", file)}

    def rounds(self, file: FileId) -> dict[str, int]:
        """Return the last `missing` that was answered, by receiver."""
        found = self._store.rows("SELECT receiver, round FROM rounds WHERE file = ?", file)
        return {row["receiver"]: row["round"] for row in found}

    def cancels(self) -> list[TransferId]:
        """Return the transfers whose cancellation the receiver does not know of yet."""
        return [TransferId(row["transfer"]) for row in self._store.rows("SELECT transfer FROM cancels")]

    # writing

    def add(self, found: SourceFile, state: FileState, now_ns: int, batch: str = "") -> FileRow:
        """Add a row, or return the open one of the same path and version, so that nothing is queued twice."""
        with self._store.transaction() as db:
            row = self.open_at(found.source)
            if row is None or (row.size, row.mtime_ns) != (found.size, found.mtime_ns):
                row = self._insert(db, found, state=state, now_ns=now_ns)
            if batch:
                db.execute("INSERT OR IGNORE INTO batches VALUES (?, ?)", (batch, row.id))
            return row

    def change(self, row: FileRow, state: FileState, **columns: Any) -> FileRow:  # noqa: ANN401 - column values
        """Move a file to a state (or keep it there) and set columns with it."""
        check(row.state, state)
        columns["state"] = state
        assignments = ", ".join(f"{name} = ?" for name in columns)
        sql = f"UPDATE files SET {assignments} WHERE id = ? RETURNING {COLUMNS}"  # noqa: S608 - names of ours
        with self._store.transaction() as db:
            return row_of(db.execute(sql, (*columns.values(), row.id)).fetchone())

    def ask_at(self, moments: Mapping[FileId, int]) -> None:
        """Set when the receipts of these files are asked for."""
        with self._store.transaction() as db:
            db.executemany("UPDATE files SET ask_ns = ? WHERE id = ?", [(at, file) for file, at in moments.items()])

    def begin_anew(self, row: FileRow, state: FileState, **columns: Any) -> FileRow:  # noqa: ANN401 - column values
        """Begin a new generation: chunks, receipts and rounds are void, the old transfer is to be cancelled."""
        with self._store.transaction() as db:
            for table in ("chunks", "receipts", "rounds"):
                db.execute(f"DELETE FROM {table} WHERE file = ?", (row.id,))  # noqa: S608 - names of ours
            if row.transfer is not None:
                db.execute("INSERT OR IGNORE INTO cancels VALUES (?)", (row.transfer,))
            return self.change(row, state, **(dict(_FRESH) | {"generation": row.generation + 1} | columns))

    def cancel(self, row: FileRow, now_ns: int) -> FileRow:
        """Cancel a file that a person gave up; its transfer is to be cancelled."""
        with self._store.transaction() as db:
            if row.transfer is not None:
                db.execute("INSERT OR IGNORE INTO cancels VALUES (?)", (row.transfer,))
            self.forget_chunks(row.id)
            return self.change(row, FileState.CANCELLED, ended_ns=now_ns, next_try_ns=None, ask_ns=None)

    def acknowledge(self, file: FileId, chunks: Iterable[tuple[ChunkIndex, bytes]]) -> None:
        """Record chunks that the broker has."""
        with self._store.transaction() as db:
            db.executemany(
                "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?)", [(file, index, digest) for index, digest in chunks]
            )

    def forget_chunk_ranges(self, file: FileId, ranges: Sequence[Range]) -> int:
        """Forget chunks that must be sent again; return how many."""
        with self._store.transaction() as db:
            return sum(
                db.execute("DELETE FROM chunks WHERE file = ? AND idx BETWEEN ? AND ?", (file, *pair)).rowcount
                for pair in ranges
            )

    def record_round(self, file: FileId, receiver: str, number: int) -> None:
        """Record that this `missing` is being answered."""
        with self._store.transaction() as db:
            db.execute("INSERT OR REPLACE INTO rounds VALUES (?, ?, ?)", (file, receiver, number))

    def add_receipt(self, file: FileId, receiver: str, at: str, *, renamed: bool, duplicate: bool) -> None:
        """Record that a receiver has the file."""
        with self._store.transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO receipts VALUES (?, ?, ?, ?, ?)", (file, receiver, at, renamed, duplicate)
            )

    def forget_cancel(self, transfer: TransferId) -> None:
        """Forget a cancellation that the receiver knows of."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM cancels WHERE transfer = ?", (transfer,))

    def forget_chunks(self, file: FileId) -> None:
        """Forget all chunks of a file, which are of no more use."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM chunks WHERE file = ?", (file,))

    def positions(self) -> dict[int, int]:
        """Return how far each status partition was read."""
        rows = self._store.rows("SELECT partition, next_offset FROM status_positions")
        return {row["partition"]: row["next_offset"] for row in rows}

    def set_position(self, partition: int, next_offset: int) -> None:
        """Record how far a status partition was read."""
        with self._store.transaction() as db:
            db.execute("INSERT OR REPLACE INTO status_positions VALUES (?, ?)", (partition, next_offset))

    def forget_cluster(self) -> None:
        """Forget status offsets and cancellations: they belong to the cluster that was used before."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM status_positions")
            db.execute("DELETE FROM cancels")

    def history(self, *, before: FileId | None = None, text: str = "", most: int = 200) -> Iterator[FileRow]:
        """Return finished and open files, newest first, a page at a time."""
        pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        yield from self._select(
            "WHERE (? IS NULL OR id < ?) AND path LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT ?",
            before,
            before,
            pattern,
            most,
        )

    def _insert(self, db: sqlite3.Connection, found: SourceFile, state: FileState, now_ns: int) -> FileRow:
        added = db.execute(
            "INSERT INTO files (source, path, folder, size, mtime_ns, identity, seen_ns, state, added_ns)"  # noqa: S608 - ours
            f" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING {COLUMNS}",
            (found.source, found.path, found.folder, found.size, found.mtime_ns, found.identity, now_ns, state, now_ns),
        )
        return row_of(added.fetchone())

    def _select(self, where: str, *values: object) -> list[FileRow]:
        return [row_of(found) for found in self._store.rows(f"SELECT {COLUMNS} FROM files {where}", *values)]  # noqa: S608 - ours


def row_of(found: Sequence[Any]) -> FileRow:
    """Return a row of the table `files`; by position, because this runs for every file several times."""
    values = list(found)
    values[_STATE] = FileState(values[_STATE])
    values[_ENCODING] = Encoding(values[_ENCODING])
    values[_URGENT], values[_ANYWAY] = bool(values[_URGENT]), bool(values[_ANYWAY])
    return FileRow(*values)
