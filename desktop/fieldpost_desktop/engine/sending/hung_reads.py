# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads that hang in a dead drive: after two minutes the file is put off, and the lane goes on with others.

The hanging thread cannot be stopped. It is left alone with its open file, and its role gets another thread.
"""

from concurrent.futures import Future
from pathlib import PurePath
from typing import Any, Final

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole
from fieldpost_desktop.engine.sending.in_progress import InProgress
from fieldpost_desktop.engine.sending.lanes import Lane
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

HANGS_S: Final = 120.0  # a slow disk takes seconds; Windows itself gives up on a network drive after about a minute


class HungReads:
    """Watches the reads that the lanes wait for; `check` is called at each step."""

    def __init__(self, in_progress: InProgress) -> None:
        self._in_progress = in_progress
        self._context = in_progress.context
        self._since: dict[WorkerRole, tuple[Future[Any], float]] = {}

    def check(self, lane: Lane) -> None:
        """Put off the file of a read that hangs."""
        waiting: Future[Any] | None = lane.reading or lane.packing
        if waiting is None or waiting.done():
            self._since.pop(lane.role, None)
            return
        now = self._context.clock.monotonic()
        known, since = self._since.get(lane.role, (None, now))
        if known is not waiting:
            self._since[lane.role] = (waiting, now)
        elif now - since >= HANGS_S:
            self._put_off(lane)

    def _put_off(self, lane: Lane) -> None:
        error = FieldpostError(Code.DRIVE_GONE, f"no answer in {HANGS_S:.0f} s")
        self._since.pop(lane.role, None)
        self._context.workers.renew(lane.role)
        if lane.upload is not None and lane.reading is not None:
            hanging = lane.upload.row
            lane.upload.reader.abandon()
            lane.upload.whole = None  # the hanging read may still feed it one day
            self._in_progress.fail(hanging, error)
        elif lane.packed is not None:
            hanging = lane.packed.current
            lane.packing = lane.packed = None
            self._in_progress.failure_policy.apply(self._context.files.get(hanging.id), error)
        else:
            return
        self._put_off_neighbours(lane, hanging, error)
        self._in_progress.requery()

    def _put_off_neighbours(self, lane: Lane, hanging: FileRow, error: FieldpostError) -> None:
        """Put off the other files of the same folder, which would hang for two minutes each."""
        folder = PurePath(hanging.source).parent
        for row in list(lane.upcoming.values()):
            if PurePath(row.source).parent == folder and row.id != hanging.id:
                now = self._context.files.get(row.id)
                if now.state is FileState.QUEUED:
                    self._in_progress.failure_policy.apply(now, error)
