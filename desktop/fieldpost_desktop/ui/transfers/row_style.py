# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a state looks like in the list: a tone, a sign and how the bar is filled. Green is for confirmed files alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.transfers.painting import BarFill
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.codes import Code


@dataclass(frozen=True, slots=True)
class RowStyle:
    """`tone` colours bar and sign; without a sign the per cent stand there."""

    tone: Tone
    sign: IconName | None
    stage: BarFill | None = BarFill.MEASURED  # None: no bar


_STYLES: Final[Mapping[FileState, RowStyle]] = MappingProxyType(
    {
        FileState.SETTLING: RowStyle(Tone.MUTED, IconName.WAIT),
        FileState.QUEUED: RowStyle(Tone.MUTED, IconName.WAIT),
        FileState.SENDING: RowStyle(Tone.WORKING, None),
        FileState.RETRYING: RowStyle(Tone.WAITING, IconName.RETRY),
        FileState.PAUSED: RowStyle(Tone.PAUSED, IconName.PAUSE),
        FileState.SENT: RowStyle(Tone.WORKING, IconName.OFFICE, BarFill.WAITING),
        FileState.ATTENTION: RowStyle(Tone.ATTENTION, IconName.WARNING),
        FileState.CONFIRMED: RowStyle(Tone.CONFIRMED, IconName.TICK, BarFill.FULL),
        FileState.CANCELLED: RowStyle(Tone.MUTED, IconName.CROSS, None),
    }
)
_LATE: Final = RowStyle(Tone.WAITING, IconName.WAIT, BarFill.WAITING)

_IMAGES: Final = "jpg jpeg png gif bmp tif tiff webp heic svg raw cr2 nef dng psd mp4 mov avi mkv wmv"
_DOCUMENTS: Final = "pdf doc docx odt rtf txt md csv tsv xls xlsx ods ppt pptx odp html htm xml json eml msg log"
_ARCHIVES: Final = "zip 7z rar tar gz tgz bz2 xz zst iso cab"
_KINDS: Final[Mapping[str, IconName]] = MappingProxyType(
    {
        **dict.fromkeys(_IMAGES.split(), IconName.IMAGE),
        **dict.fromkeys(_DOCUMENTS.split(), IconName.DOCUMENT),
        **dict.fromkeys(_ARCHIVES.split(), IconName.ARCHIVE),
    }
)


def row_style(change: FileChanged) -> RowStyle:
    """Return how the file's row looks."""
    row = change.row
    return _LATE if row.state is FileState.SENT and row.code == Code.RECEIPT_LATE else _STYLES[row.state]


def file_icon(name: str) -> IconName:
    """Return the icon for what is in a file, as far as its name tells."""
    return _KINDS.get(PurePosixPath(name).suffix.removeprefix(".").casefold(), IconName.FILE)
