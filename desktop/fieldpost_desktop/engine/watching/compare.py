# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Comparing what lies in a folder with what the journal knows: which files are new, or a new version of an old one."""

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

# What may be cured when the file has changed. Files that came back or changed while sent are the matter of `settling`.
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
        self._pass_over = folder.scanned_ns is None and not folder.rules.take_existing

    def compare(self, batch: Sequence[Candidate]) -> Iterator[ScanWrite]:
        """What is to be written about these files: nothing about most of them."""
        texts = [as_text(candidate.path) for candidate in batch]
        places = self._folders.places(texts)
        for candidate, text in zip(batch, texts, strict=True):
            place = places.get(text)
            if place is not None and not self._concerns(place, candidate):
                continue
            try:
                note = self._note(candidate, text, place)
            except OSError:  # gone again, or not to be seen now: the next scan will see
                continue
            if note is not None:
                yield note

    def _concerns(self, place: KnownFile, candidate: Candidate) -> bool:
        if (place.size, place.mtime_ns) == (candidate.size, candidate.mtime_ns):
            return False
        return place.state in _FINISHED or (
            place.state is FileState.ATTENTION and place.folder == self._folder.id and place.code in _CURED_BY_CHANGE
        )

    def _note(self, candidate: Candidate, text: str, place: KnownFile | None) -> ScanWrite | None:
        now = file_version(candidate.path)  # Windows may list a size and time that are a while old
        if place is not None and (now.size, now.mtime_ns) == (place.size, place.mtime_ns):
            return None
        if place is not None and place.state is FileState.ATTENTION:
            seen = {"size": now.size, "mtime_ns": now.mtime_ns, "identity": now.identity, "seen_ns": self._now_ns}
            return ChangedFile(place, place.state, seen | {"code": Code.FILE_CHANGED, "detail": ""}, anew=True)
        found = SourceFile(text, as_text(candidate.relative), now.size, now.mtime_ns, now.identity, self._folder.id)
        if self._pass_over and candidate.changed_ns <= self._folder.added_ns:
            return NewFile(
                place, found, FileState.CANCELLED, {"ended_ns": self._now_ns, "detail": failure_details.EXISTED_BEFORE}
            )
        try:
            path = names.from_source([*self._label, *candidate.relative.split("/")])
        except NameRefused as error:
            columns = {"code": Code.NAME_REFUSED, "detail": failure_details.name_problem(error.detail)}
            return NewFile(place, found, FileState.ATTENTION, columns)
        return NewFile(place, replace(found, path=path), FileState.SETTLING)
