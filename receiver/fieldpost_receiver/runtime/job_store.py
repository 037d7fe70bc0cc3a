# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The job store: which jobs shall run, and what became of them. What a job has done is in its own ledger.

The service writes states, commands write targets, also while the service runs; it looks for them every second.
"""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from fieldpost_receiver.storage.errors import StorageError, storing
from fieldpost_shared.codes import Code
from fieldpost_shared.database import Database, disk_errno
from fieldpost_shared.errors import FieldpostError

_MIGRATIONS: Final = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE jobs (
        name TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        target TEXT NOT NULL,
        restarts INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL DEFAULT '',
        detail TEXT NOT NULL DEFAULT '',
        since_ns INTEGER NOT NULL DEFAULT 0
    );
    """,
)

_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_REMEDY: Final = "remove jobs.db: then every job of receiver.toml runs, also those that were paused or stopped"


class Target(StrEnum):
    """What a job shall do, in Kafka Connect's words."""

    RUNNING = "RUNNING"
    PAUSED = "PAUSED"  # it begins no batch
    STOPPED = "STOPPED"  # it is closed


class JobState(StrEnum):
    """What a job does, in Kafka Connect's words as far as it has them."""

    STARTING = "STARTING"
    RUNNING = "RUNNING"
    RESTARTING = "RESTARTING"  # it could not go on, and is opened again after a pause
    PAUSED = "PAUSED"
    STOPPED = "STOPPED"
    FAILED = "FAILED"  # a person has to mend something
    FINISHED = "FINISHED"  # a run with --once has done everything


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job as the store knows it. `restarts` grows when a person asks for a new start."""

    name: str
    kind: str
    target: Target
    restarts: int
    state: str
    detail: str
    since_ns: int


class JobStore(Database):
    """Used from any thread, and by commands beside the service."""

    @classmethod
    def open(cls, path: Path) -> "JobStore":
        """Open or create it.

        Raises:
            FieldpostError: BAD_SETTING, or PROFILE_TOO_NEW: a newer Fieldpost wrote it.
            StorageError: its disk is full or fails.
        """
        try:
            with storing("use the state folder"):
                return cls.open_at(path, _MIGRATIONS, Code.BAD_SETTING)
        except sqlite3.Error as error:
            cls.tell(error)
        except FieldpostError as error:
            if error.code is Code.BAD_SETTING:
                raise FieldpostError(error.code, f"{error.detail}; {_REMEDY}") from None
            raise

    @classmethod
    def in_words(cls, error: sqlite3.Error) -> Exception:
        """Return a StorageError, BAD_SETTING, or the error itself."""
        number = disk_errno(error)
        if number is not None:
            return StorageError("write the job store", number)
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        return FieldpostError(Code.BAD_SETTING, f"{error}; {_REMEDY}") if code in _DAMAGE else error

    def jobs(self) -> dict[str, StoredJob]:
        """Return all jobs by name."""
        columns = "name, kind, target, restarts, state, detail, since_ns"
        found = (
            StoredJob(row[0], row[1], Target(row[2]), *row[3:])
            for row in self.rows(f"SELECT {columns} FROM jobs ORDER BY name")  # noqa: S608 - constant
        )
        return {job.name: job for job in found}

    def add(self, name: str, kind: str) -> None:
        """Add a job that shall run, unless it is there."""
        with self.transaction() as db:
            db.execute(
                "INSERT INTO jobs (name, kind, target) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET kind = excluded.kind WHERE kind != excluded.kind",
                (name, kind, Target.RUNNING),
            )

    def set_target(self, name: str, target: Target) -> None:
        """Say what a job shall do."""
        with self.transaction() as db:
            db.execute("UPDATE jobs SET target = ? WHERE name = ?", (target, name))

    def restart(self, name: str) -> None:
        """Ask for a new start."""
        with self.transaction() as db:
            db.execute("UPDATE jobs SET restarts = restarts + 1 WHERE name = ?", (name,))

    def set_state(self, name: str, state: JobState, *, detail: str, now_ns: int) -> None:
        """Note what a job does now, and why."""
        with self.transaction() as db:
            db.execute(
                "UPDATE jobs SET state = ?, detail = ?, since_ns = ? WHERE name = ?", (state, detail, now_ns, name)
            )

    def version(self) -> int:
        """Return a number that changes when another connection has written."""
        return int(self.rows("PRAGMA data_version")[0][0])
