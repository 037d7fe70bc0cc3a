# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files of the pictures: a working day of a person in a van, with a file in every stage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from support.gui.transfers import file_row

NOW_NS: Final = round(datetime(2026, 11, 16, 10, 47, tzinfo=UTC).timestamp()) * NS_PER_S
MINUTE_NS: Final = 60 * NS_PER_S
RATE: Final = 310_000.0
HOME: Final = "C:/Users/Anna"  # relative wherever no such drive is: the stage has a folder of that name
PHOTOS, LOGS, STICK, OLD = 1, 2, 3, 4  # the watched folders
_HASH: Final = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"


@dataclass(frozen=True)
class Told:
    """A file as the journal has it, and what only the engine knows of it."""

    row: FileRow
    acknowledged: int = 0
    rate: float | None = None

    @property
    def change(self) -> FileChanged:
        parts = self.row.plan.count if self.row.plan else 1
        return FileChanged(self.row, self.acknowledged, parts, self.rate)


def made(  # noqa: PLR0917 - a picture's file is described in one line
    file: int,
    state: FileState,
    path: str,
    size: int,
    minutes_ago: int,
    done: int = 0,
    **columns: Any,  # noqa: ANN401 - columns
) -> Told:
    """A file that was added so many minutes ago; `done` parts of it are at the server."""
    added_ns = NOW_NS - minutes_ago * MINUTE_NS
    begun = state not in {FileState.SETTLING, FileState.QUEUED, FileState.ATTENTION} or done > 0
    row = file_row(
        file,
        state,
        path=path,
        size=size,
        added_ns=added_ns,
        started_ns=added_ns + 20 * NS_PER_S if begun else None,
        sent_ns=added_ns + MINUTE_NS if state in {FileState.SENT, FileState.CONFIRMED} else None,
        ended_ns=added_ns + 2 * MINUTE_NS if state in {FileState.CONFIRMED, FileState.CANCELLED} else None,
        chunk_size=1_000_000 if begun else 0,
        sha256=_HASH if state in {FileState.SENT, FileState.CONFIRMED} else "",
    )
    row = replace(row, source=f"{HOME}/Documents/{path}", **columns)
    return Told(row, done, RATE if state is FileState.SENDING else None)


_S = FileState
SENDING: Final = made(11, _S.SENDING, "Site 12 survey.zip", 52_000_000, 2, done=14)
GONE: Final = made(9, _S.ATTENTION, "Delivery note 4471.pdf", 380_000, 21, code=Code.FILE_GONE)
TAKEN: Final = made(10, _S.ATTENTION, "Daily report.docx", 96_000, 18, code=Code.NAME_TAKEN)
CONFIRMED: Final = made(2, _S.CONFIRMED, "Messprotokoll 2026-11-16.pdf", 1_840_000, 47)
ALL_STAGES: Final[Sequence[Told]] = (
    made(1, _S.CONFIRMED, "Time sheet week 46.xlsx", 48_000, 52),
    CONFIRMED,
    made(3, _S.CANCELLED, "Old draft.docx", 220_000, 40),
    made(4, _S.PAUSED, "Training video.mp4", 940_000_000, 33, done=212),
    made(5, _S.SENT, "photos/site 11.jpg", 6_300_000, 9, done=7, folder=PHOTOS),
    made(
        6,
        _S.RETRYING,
        "Pump log 2026-11-16.csv",
        4_100_000,
        7,
        done=2,
        code=Code.NO_CONNECTION,
        attempt=2,
        next_try_ns=NOW_NS + 80 * NS_PER_S,
        folder=LOGS,
    ),
    made(7, _S.QUEUED, "photos/site 13.jpg", 5_900_000, 1, folder=PHOTOS),
    made(8, _S.SETTLING, "photos/site 14.jpg", 2_100_000, 0, folder=PHOTOS),
    GONE,
    TAKEN,
    SENDING,
    made(12, _S.SENDING, "photos/site 12.jpg", 7_400_000, 1, done=3, folder=PHOTOS),
)
WORKING: Final[Sequence[Told]] = tuple(one for one in ALL_STAGES if one.row.state is not _S.ATTENTION)
WAITING: Final[Sequence[Told]] = (
    made(1, _S.CONFIRMED, "Messprotokoll 2026-11-16.pdf", 1_840_000, 47),
    made(2, _S.QUEUED, "Site 12 survey.zip", 52_000_000, 6, done=14),
    made(3, _S.QUEUED, "photos/site 12.jpg", 7_400_000, 5, folder=PHOTOS),
    made(4, _S.QUEUED, "photos/site 13.jpg", 5_900_000, 4, folder=PHOTOS),
)
SILENT: Final[Sequence[Told]] = (
    made(1, _S.CONFIRMED, "Messprotokoll 2026-11-16.pdf", 1_840_000, 47),
    made(2, _S.SENT, "Site 12 survey.zip", 52_000_000, 16, done=52),
    made(3, _S.SENT, "photos/site 12.jpg", 7_400_000, 15, done=8, folder=PHOTOS),
)
ALL_CONFIRMED: Final[Sequence[Told]] = (
    made(1, _S.CONFIRMED, "Time sheet week 46.xlsx", 48_000, 52),
    made(2, _S.CONFIRMED, "Messprotokoll 2026-11-16.pdf", 1_840_000, 47),
    made(3, _S.CONFIRMED, "photos/site 12.jpg", 7_400_000, 15, folder=PHOTOS),
)
ASKED_AGAIN: Final = made(
    11,
    _S.SENDING,
    "Site 12 survey.zip",
    52_000_000,
    12,
    done=49,
    round=1,
    code=Code.PARTS_MISSING,
    detail=failure_details.chunks_again(3, 1),
)
