# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Looks at the destination all the time: no final name ever shows unfinished bytes, not even for one listing."""

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from oracle.evidence import Evidence, Source, file_digest
from oracle.violations import Promise, Violation


class Watcher:
    """A thread; use it as a context, then look at `violations` and `listings`.

    Each look at a final name must show bytes that some source had; sources may be added before they are sent. A file is
    read again only when it looks different.
    """

    def __init__(self, sources: Sequence[Source], destination: Path, pause_s: float = 0.01) -> None:
        self._sources = sources
        self._destination = destination
        self._pause_s = pause_s
        self._stop = threading.Event()
        self._known: dict[tuple[str, int, int, int], bool] = {}
        self._thread = threading.Thread(target=self._run, name="oracle-watcher")
        self.violations: list[Violation] = []
        self.listings = 0

    def look(self) -> None:
        """One listing."""
        for name, path in Evidence((), self._destination).final_names().items():
            try:
                seen = path.lstat()
                key = (name, seen.st_ino, seen.st_size, seen.st_mtime_ns)
                if key not in self._known:
                    self._known[key] = self._was_sent(file_digest(path))
            except FileNotFoundError:  # the office moved it, or it was replaced
                continue
            if not self._known[key]:
                self.violations.append(Violation(Promise.NEVER_PARTIAL, name, f"showed {seen.st_size} other bytes"))
        self.listings += 1

    def _was_sent(self, sha256: str) -> bool:
        return any(sha256 in source.versions for source in self._sources)

    def _run(self) -> None:
        while not self._stop.wait(self._pause_s):
            self.look()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        self.look()
