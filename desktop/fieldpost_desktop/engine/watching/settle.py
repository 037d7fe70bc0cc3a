# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""When a file is ready: it did not change for a while, is old enough, and no program writes it any more."""

from collections.abc import Callable
from typing import Final

from fieldpost_desktop.engine.journal.folders import Folder, KnownFile
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.failure_policy import needs_a_person
from fieldpost_desktop.engine.sources.file_probe import FileVersion, code_of_os_error, file_version, may_be_escaped
from fieldpost_desktop.engine.watching.scan_writes import ChangedFile, ScanWrite, VanishedFile
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code

WriteProbe = Callable[[str], Code | None]

EMPTY_S: Final = 60.0  # many programs make an empty file first and fill it later


class SettleCheck:
    """Checks the waiting files of one folder, and remembers when the next may be ready."""

    def __init__(self, folder: Folder, settle_s: float, probe: WriteProbe, now_ns: int) -> None:
        self._minimum_age_ns = folder.rules.minimum_age_s * NS_PER_S
        self._settle_s = settle_s
        self._probe = probe
        self._now_ns = now_ns
        self.ready_ns: int | None = None  # when the first of them may be ready

    def check(self, known: KnownFile) -> ScanWrite | None:
        """Return what to write about a waiting file; None if nothing changed."""
        try:
            now = file_version(known.source)
        except OSError as error:
            return self._not_seen(known, code_of_os_error(error))
        if known.was_refused:
            return None
        if (now.size, now.mtime_ns) != (known.size, known.mtime_ns) or known.seen_ns > self._now_ns:
            return self._changed(known, now)
        ready_ns = self._ready_ns(known.size, known.mtime_ns, known.seen_ns)
        if ready_ns > self._now_ns:
            self._check_again_at(ready_ns)
            return None
        return self._probed(known, now)

    def _not_seen(self, known: KnownFile, code: Code) -> ScanWrite | None:
        """Drop only a file that is surely gone; one on a drive or in a folder that cannot be read may be there."""
        never_queued = known.state is FileState.SETTLING or (known.was_refused and not may_be_escaped(known.source))
        return VanishedFile(known) if code is Code.FILE_GONE and never_queued else None

    def _changed(self, known: KnownFile, now: FileVersion) -> ScanWrite:
        """Begin to wait anew; also after the clock was set back, or the file would wait for ever."""
        self._check_again_at(self._ready_ns(now.size, now.mtime_ns, self._now_ns))
        seen = {"size": now.size, "mtime_ns": now.mtime_ns, "identity": now.identity, "seen_ns": self._now_ns}
        code = "" if known.state is FileState.SETTLING else Code.FILE_CHANGED
        return ChangedFile(known, known.state, seen | {"code": code, "detail": ""}, anew=True)

    def _ready_ns(self, size: int, mtime_ns: int, seen_ns: int) -> int:
        still_s = self._settle_s if size else max(self._settle_s, EMPTY_S)
        # A camera with a wrong clock writes files of next year: then their age counts from when they were found.
        old_enough_ns = min(mtime_ns, seen_ns) + self._minimum_age_ns
        return max(seen_ns + round(still_s * NS_PER_S), old_enough_ns)

    def _probed(self, known: KnownFile, now: FileVersion) -> ScanWrite | None:
        code = self._probe(known.source)
        if code is None:
            anew = known.code == Code.FILE_CHANGED  # chunks already sent are of the old version
            # The identity may be another than when it was first seen: some drives number their files anew.
            ready = {"identity": now.identity, "code": "", "detail": "", "attempt": 0, "next_try_ns": None}
            return ChangedFile(known, FileState.QUEUED, columns=ready, anew=anew)
        if code == known.code or code is Code.FILE_GONE:
            return None
        if needs_a_person(code):
            return ChangedFile(known, FileState.ATTENTION, {"code": code, "detail": ""})
        return ChangedFile(known, known.state, {"code": code}) if known.state is FileState.SETTLING else None

    def _check_again_at(self, ready_ns: int) -> None:
        self.ready_ns = ready_ns if self.ready_ns is None else min(self.ready_ns, ready_ns)
