# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What follows from a failure: the only place of the uploader that reads the retry rules of the table of codes."""

from random import Random
from typing import Final

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime import retry
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.sources.file_reader import SourceChanged
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import CODES, Code, Retry
from fieldpost_shared.errors import FieldpostError

SETTLE_NS: Final = 5 * NS_PER_S  # a changed file is left alone for so long
MOST_RESENDS: Final[dict[Code, int]] = {  # new transfers begun without a person; then one is asked
    Code.HASH_MISMATCH: 2,
    Code.TIMED_OUT: 2,
    Code.FILE_CHANGED: 3,
    Code.MESSAGE_TOO_LARGE: 5,
}


def stops_all(code: Code) -> bool:
    """Return whether nothing at all is sent until a person has acted."""
    return CODES[code].retry is Retry.STOP_ALL


def needs_a_person(code: Code) -> bool:
    """Return whether a file with this failure waits for a person."""
    return CODES[code].retry is Retry.ASK


def retry_delay_s(code: Code, attempt: int, random: Random) -> float:
    """Return the seconds until try number `attempt` + 1 after this failure."""
    return retry.delay_s(attempt, random, slow=CODES[code].retry is Retry.SLOW)


def next_try_ns(now_ns: int, code: Code, attempt: int, random: Random) -> int:
    """Return the moment of the next try after this failure."""
    return now_ns + round(retry_delay_s(code, attempt, random) * NS_PER_S)


class FailurePolicy:
    """Turns a failure into the file's next state."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def apply(self, row: FileRow, error: FieldpostError) -> FileRow:
        """Set the next state of a file that could not be read, sent or received."""
        if isinstance(error, SourceChanged):
            row = self._source_changed(row, error)
        else:
            row = self._by_rule(row, error.code, error.detail)
        self._context.changed(row)
        return row

    def rejected(self, row: FileRow, code: Code, detail: str) -> FileRow:
        """Set the next state of a file that a receiver rejected: its transfer id is finished there."""
        if not stops_all(code):
            return self.apply(row, FieldpostError(code, detail))
        self._context.holds.put(Hold(HoldKind.STOP_ALL, code))
        row = self._context.files.begin_anew(row, FileState.QUEUED, code=code, detail=detail)
        self._context.changed(row)
        return row

    def _by_rule(self, row: FileRow, code: Code, detail: str) -> FileRow:
        match CODES[code].retry:
            case Retry.AUTO | Retry.SLOW:
                return self._later(row, code, detail)
            case Retry.RESEND:
                return self._anew(row, code, detail)
            case Retry.STOP_ALL:
                self._context.holds.put(Hold(HoldKind.STOP_ALL, code))
                return self._context.files.change(row, FileState.QUEUED)
            case Retry.ASK | Retry.WAIT | Retry.NEVER:
                return self._ask(row, code, detail)

    def _later(self, row: FileRow, code: Code, detail: str) -> FileRow:
        attempt = row.attempt + 1
        when_ns = next_try_ns(self._context.clock.now_ns(), code, attempt=attempt, random=self._context.random)
        return self._context.files.change(
            row, FileState.RETRYING, attempt=attempt, next_try_ns=when_ns, code=code, detail=detail
        )

    def _anew(self, row: FileRow, code: Code, detail: str) -> FileRow:
        if row.resends >= MOST_RESENDS.get(code, 0):
            return self._ask(row, code, detail)
        columns = {"resends": row.resends + 1, "code": code, "detail": detail, "urgent": 1}
        row = self._context.files.begin_anew(row, FileState.QUEUED, **columns)
        self._context.crash.reach("after_rechunk_row")
        return row

    def _ask(self, row: FileRow, code: Code, detail: str) -> FileRow:
        return self._context.files.change(row, FileState.ATTENTION, code=code, detail=detail, next_try_ns=None)

    def _source_changed(self, row: FileRow, error: SourceChanged) -> FileRow:
        """Leave a file that changed while it was read to settle, then send it as a new transfer.

        Not yet begun, it is simply another version. A dropped file that changes again and again needs a person; one
        in a watched folder may go on changing for ever.
        """
        now_ns = self._context.clock.now_ns()
        begun = row.transfer is not None
        if begun and row.folder is None and row.resends >= MOST_RESENDS[Code.FILE_CHANGED]:
            return self._ask(row, Code.FILE_CHANGED, "")
        return self._context.files.begin_anew(
            row,
            FileState.RETRYING,
            size=error.now.size,
            mtime_ns=error.now.mtime_ns,
            identity=error.now.identity,
            seen_ns=now_ns,
            resends=row.resends + begun,
            code=Code.FILE_CHANGED,
            detail="",
            next_try_ns=now_ns + SETTLE_NS,
        )
