# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""When a file is ready: it did not change for a while, is old enough, and nobody writes it any more."""

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
    """Judges the waiting files of one folder, and remembers when it is worth looking again."""

    def __init__(self, folder: Folder, settle_s: float, probe: WriteProbe, now_ns: int) -> None:
        self._minimum_age_ns = folder.rules.minimum_age_s * NS_PER_S
        self._settle_s = settle_s
        self._probe = probe
        self._now_ns = now_ns
        self.ripe_ns: int | None = None  # when the first of them may be ready

    def judge(self, place: KnownFile) -> ScanWrite | None:
        """What has become of a waiting file; None if there is nothing to write."""
        try:
            now = file_version(place.source)
        except OSError as error:
            return self._not_seen(place, code_of_os_error(error))
        if place.was_refused:
            return None
        if (now.size, now.mtime_ns) != (place.size, place.mtime_ns) or place.seen_ns > self._now_ns:
            return self._changed(place, now)
        ready_ns = self._ready_ns(place.size, place.mtime_ns, place.seen_ns)
        if ready_ns > self._now_ns:
            self._look_again(ready_ns)
            return None
        return self._probed(place, now)

    def _not_seen(self, place: KnownFile, code: Code) -> ScanWrite | None:
        """Only a file that is surely gone is dropped; behind a drive or folder that cannot be read it may still lie."""
        never_queued = place.state is FileState.SETTLING or (place.was_refused and not may_be_escaped(place.source))
        return VanishedFile(place) if code is Code.FILE_GONE and never_queued else None

    def _changed(self, place: KnownFile, now: FileVersion) -> ScanWrite:
        """Begin to wait anew; also when somebody has set the clock back, or the file would wait for ever."""
        self._look_again(self._ready_ns(now.size, now.mtime_ns, self._now_ns))
        seen = {"size": now.size, "mtime_ns": now.mtime_ns, "identity": now.identity, "seen_ns": self._now_ns}
        code = "" if place.state is FileState.SETTLING else Code.FILE_CHANGED
        return ChangedFile(place, place.state, seen | {"code": code, "detail": ""}, anew=True)

    def _ready_ns(self, size: int, mtime_ns: int, seen_ns: int) -> int:
        still_s = self._settle_s if size else max(self._settle_s, EMPTY_S)
        # A camera with a wrong clock writes files of next year: then their age is as long as we know them.
        old_enough_ns = min(mtime_ns, seen_ns) + self._minimum_age_ns
        return max(seen_ns + round(still_s * NS_PER_S), old_enough_ns)

    def _probed(self, place: KnownFile, now: FileVersion) -> ScanWrite | None:
        code = self._probe(place.source)
        if code is None:
            anew = place.code == Code.FILE_CHANGED  # parts already sent are of the old version
            # The identity may be another than when it was first seen: some drives number their files anew.
            ready = {"identity": now.identity, "code": "", "detail": "", "attempt": 0, "next_try_ns": None}
            return ChangedFile(place, FileState.QUEUED, ready, anew)
        if code == place.code or code is Code.FILE_GONE:
            return None
        if needs_a_person(code):
            return ChangedFile(place, FileState.ATTENTION, {"code": code, "detail": ""})
        return ChangedFile(place, place.state, {"code": code}) if place.state is FileState.SETTLING else None

    def _look_again(self, ready_ns: int) -> None:
        self.ripe_ns = ready_ns if self.ripe_ns is None else min(self.ripe_ns, ready_ns)
