# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Compares a folder with the journal: which files are new, or a new version of a known one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from fieldpost_desktop.engine.journal.folders import Folder, Folders, KnownFile
from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.file_probe import as_text, file_version
from fieldpost_desktop.engine.watching.scan_writes import ChangedFile, NewFile, ScanWrite
from fieldpost_desktop.engine.watching.walk import Candidate
from fieldpost_shared import names
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import NameRefused

# What a change of the file may cure. Files that came back or changed while sent are the matter of `settle`.
_CURED_BY_CHANGE: Final = frozenset(
    {Code.FILE_UNREADABLE, Code.BLOCKED_BY_ANTIVIRUS, Code.OVER_PROFILE_LIMIT, Code.TOO_LARGE}
)
_FINISHED: Final = frozenset({FileState.CONFIRMED, FileState.CANCELLED})


class Comparison:
    """One folder's files against the journal, a batch at a time."""

    def __init__(self, folder: Folder, folders: Folders, now_ns: int) -> None:
        self._folder = folder
        self._folders = folders
        self._now_ns = now_ns
        label = folder.rules.label
        self._label = label.split("/") if label else []
        self._skip_existing = folder.scanned_ns is None and not folder.rules.take_existing

    def compare(self, batch: Sequence[Candidate]) -> Iterator[ScanWrite]:
        """Return what to write about these files: nothing about most of them."""
        texts = [as_text(candidate.path) for candidate in batch]
        known_files = self._folders.known_files(texts)
        for candidate, text in zip(batch, texts, strict=True):
            known = known_files.get(text)
            if known is not None and not self._concerns(known, candidate):
                continue
            try:
                write = self._write_for(candidate, text, known)
            except OSError:  # gone again, or unreadable now: the next scan decides
                continue
            if write is not None:
                yield write

    def _concerns(self, known: KnownFile, candidate: Candidate) -> bool:
        if (known.size, known.mtime_ns) == (candidate.size, candidate.mtime_ns):
            return False
        return known.state in _FINISHED or (
            known.state is FileState.ATTENTION and known.folder == self._folder.id and known.code in _CURED_BY_CHANGE
        )

    def _write_for(self, candidate: Candidate, text: str, known: KnownFile | None) -> ScanWrite | None:
        now = file_version(candidate.path)  # Windows may list a size and time that are a while old
        if known is not None and (now.size, now.mtime_ns) == (known.size, known.mtime_ns):
            return None
        if known is not None and known.state is FileState.ATTENTION:
            seen = {"size": now.size, "mtime_ns": now.mtime_ns, "identity": now.identity, "seen_ns": self._now_ns}
            return ChangedFile(known, known.state, seen | {"code": Code.FILE_CHANGED, "detail": ""}, anew=True)
        found = SourceFile(
            text,
            as_text(candidate.relative),
            size=now.size,
            mtime_ns=now.mtime_ns,
            identity=now.identity,
            folder=self._folder.id,
        )
        if self._skip_existing and candidate.changed_ns <= self._folder.added_ns:
            return NewFile(
                known,
                found,
                state=FileState.CANCELLED,
                columns={"ended_ns": self._now_ns, "detail": failure_details.EXISTED_BEFORE},
            )
        try:
            path = names.from_source([*self._label, *candidate.relative.split("/")])
        except NameRefused as error:
            columns = {"code": Code.NAME_REFUSED, "detail": failure_details.name_problem(error.detail)}
            return NewFile(known, found, state=FileState.ATTENTION, columns=columns)
        return NewFile(known, replace(found, path=path), FileState.SETTLING)
