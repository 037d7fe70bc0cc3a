# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The watched folders, and what their scans have to know of the queue."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileId
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.codes import Code, known
from fieldpost_shared.errors import SettingsError

FolderId = int


@dataclass(frozen=True, slots=True)
class Folder:
    """One watched folder."""

    id: FolderId
    path: str
    rules: FolderRules
    enabled: bool
    added_ns: int
    scanned_ns: int | None
    code: Code | None  # what the last scan met, if not all was well
    detail: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Files of a folder that are not queued yet."""

    files: int = 0
    in_use: int = 0  # of these: open in another program


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What the journal knows of a path on disk; as little as a scan needs, because there may be 100,000."""

    id: FileId
    source: str
    folder: FolderId | None
    size: int
    mtime_ns: int
    seen_ns: int
    state: FileState
    code: str
    transfer: str | None

    @property
    def was_refused(self) -> bool:
        """Return whether its name kept the file from ever being queued."""
        return self.state is FileState.ATTENTION and self.code == Code.NAME_REFUSED and self.transfer is None


_KNOWN_FILE: Final = ", ".join(field.name for field in fields(KnownFile))
_REFUSED: Final = f"(state = 'attention' AND code = '{Code.NAME_REFUSED}' AND transfer IS NULL)"
_NEVER_QUEUED: Final = f"(state = 'settling' OR {_REFUSED})"
_WATCHED: Final = (  # what a scan moves on; all else belongs to the sending engine or to a person
    f"({_NEVER_QUEUED} OR (state = 'attention' AND code IN ('{Code.FILE_GONE}', '{Code.FILE_CHANGED}')))"
)


class Folders:
    """The folders' queries."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[Folder]:
        """Return every folder, in the order they were added."""
        return [_folder(row) for row in self._store.rows(f"{_SELECT} ORDER BY id")]

    def get(self, folder: FolderId) -> Folder | None:
        """Return a folder, if it is still watched."""
        return next((_folder(row) for row in self._store.rows(f"{_SELECT} WHERE id = ?", folder)), None)

    def known(self, folder: FolderId) -> Folder:
        """Return a folder that is watched.

        Raises:
            SettingsError: it is not, any more.
        """
        found = self.get(folder)
        if found is None:
            raise SettingsError("folder", "is not watched any more")
        return found

    def waiting(self) -> dict[FolderId, Waiting]:
        """Return how many files of each folder are still being written or open in another program."""
        rows = self._store.rows(
            "SELECT folder, count(*) AS files, sum(code = ?) AS in_use FROM files"
            " WHERE state = 'settling' AND folder IS NOT NULL GROUP BY folder",
            Code.FILE_IN_USE,
        )
        return {row["folder"]: Waiting(row["files"], row["in_use"]) for row in rows}

    def add(self, path: str, rules: FolderRules, now_ns: int) -> Folder:
        """Watch a folder; `check_folder` has found nothing against it.

        Raises:
            SettingsError: it is watched already.
        """
        with self._store.transaction() as db:
            try:
                cursor = db.execute(
                    "INSERT INTO folders (path, rules, added_ns) VALUES (?, ?, ?)", (path, rules.to_json(), now_ns)
                )
            except sqlite3.IntegrityError:
                raise SettingsError("folder", f"{path} is watched already") from None
            return self.known(cursor.lastrowid or 0)

    def change_rules(self, folder: Folder, rules: FolderRules) -> Folder:
        """Set other rules. Whatever they take and the journal does not know is sent, also if it was there before."""
        with self._store.transaction() as db:
            kept = rules.instead_of(folder.rules)
            db.execute("UPDATE folders SET rules = ? WHERE id = ?", (kept.to_json(), folder.id))
            self._forget_unqueued(folder.id)  # the next scan finds those that the new rules take
            return self.known(folder.id)

    def enable(self, folder: FolderId, *, enabled: bool) -> Folder:
        """Watch again, or stop watching; queued files go on in both cases."""
        with self._store.transaction() as db:
            db.execute("UPDATE folders SET enabled = ? WHERE id = ?", (enabled, folder))
            if not enabled:
                self._forget_unqueued(folder)
            return self.known(folder)

    def remove(self, folder: FolderId) -> None:
        """Forget a folder. Its queued files go on; nothing of it is moved or deleted any more."""
        with self._store.transaction() as db:
            self._forget_unqueued(folder)
            db.execute("DELETE FROM meta WHERE key = ?", (_detail_key(folder),))
            db.execute("DELETE FROM folders WHERE id = ?", (folder,))

    def note_scan(self, folder: FolderId, now_ns: int, code: Code | None, detail: str = "") -> None:
        """Record that a complete scan has ended."""
        with self._store.transaction() as db:
            db.execute("UPDATE folders SET scanned_ns = ? WHERE id = ?", (now_ns, folder))
            self.note_trouble(folder, code, detail)

    def note_trouble(self, folder: FolderId, code: Code | None, detail: str = "") -> None:
        """Record what keeps a folder, or a part of it, from being read; None if nothing does."""
        with self._store.transaction() as db:
            db.execute("UPDATE folders SET code = ? WHERE id = ?", (code or "", folder))
            db.execute("DELETE FROM meta WHERE key = ?", (_detail_key(folder),))
            if detail and self.get(folder) is not None:
                self._store.set_meta(_detail_key(folder), detail)

    # what a scan asks and does

    def known_files(self, sources: Sequence[str]) -> dict[str, KnownFile]:
        """Return the newest row of each of these paths, by one query."""
        marks = ", ".join("?" * len(sources))
        rows = self._store.rows(f"SELECT {_KNOWN_FILE} FROM files WHERE source IN ({marks}) ORDER BY id", *sources)  # noqa: S608 - marks only
        return {row["source"]: _known_file(row) for row in rows}

    def waiting_files(self, folder: FolderId, page: int) -> Iterator[list[KnownFile]]:
        """Return the rows of a folder that wait for their file, in pages; they may change while this runs."""
        for state in (FileState.SETTLING, FileState.ATTENTION):
            for urgent in (0, 1):  # as the index has it: each page begins where the last one ended
                after = 0
                while found := self._page(folder, state, urgent=urgent, after=after, most=page):
                    after = found[-1].id
                    yield found

    def _page(self, folder: FolderId, state: FileState, urgent: int, after: FileId, most: int) -> list[KnownFile]:
        rows = self._store.rows(
            f"SELECT {_KNOWN_FILE} FROM files WHERE state = ? AND urgent = ? AND id > ? AND +folder = ?"  # noqa: S608 - ours
            f" AND {_WATCHED} ORDER BY id LIMIT ?",
            state,
            urgent,
            after,
            folder,
            most,
        )
        return [_known_file(row) for row in rows]

    def to_clean_up(self, now_ns: int, most: int) -> list[FileId]:
        """Return confirmed files that are to be moved or deleted, and whose next try has come."""
        rows = self._store.rows(
            "SELECT id FROM files WHERE clean_up = 'due' AND state = 'confirmed' AND coalesce(next_try_ns, 0) <= ?"
            " LIMIT ?",
            now_ns,
            most,
        )
        return [row["id"] for row in rows]

    def forget(self, file: FileId) -> None:
        """Drop a row whose file vanished before it was ever queued."""
        with self._store.transaction() as db:
            db.execute(f"DELETE FROM files WHERE id = ? AND {_NEVER_QUEUED}", (file,))  # noqa: S608 - ours

    def _forget_unqueued(self, folder: FolderId) -> None:
        with self._store.transaction() as db:
            db.execute(f"DELETE FROM files WHERE folder = ? AND {_NEVER_QUEUED}", (folder,))  # noqa: S608 - ours


def _detail_key(folder: FolderId) -> str:
    return f"folder.{folder}.detail"


_SELECT: Final = (
    "SELECT folders.*, coalesce(meta.value, '') AS detail FROM folders"
    " LEFT JOIN meta ON meta.key = 'folder.' || folders.id || '.detail'"
)


def _folder(row: sqlite3.Row) -> Folder:
    values: dict[str, Any] = dict(row)
    values["rules"] = FolderRules.from_json(values["rules"])
    values["enabled"] = bool(values["enabled"])
    values["code"] = known(values["code"]) if values["code"] else None
    return Folder(**values)


def _known_file(row: sqlite3.Row) -> KnownFile:
    values: dict[str, Any] = dict(row)
    values["state"] = FileState(values["state"])
    return KnownFile(**values)
