# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of the journal made by hand, for what only shows them."""

from dataclasses import replace
from typing import Any

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.protocol.encodings import Encoding

NOW_NS = 1_800_000_000 * NS_PER_S

_ROW = FileRow(
    id=7,
    source="/van/photos/bridge.jpg",
    path="photos/bridge.jpg",
    folder=None,
    size=52_000_000,
    mtime_ns=0,
    identity="1-2",
    seen_ns=NOW_NS,
    state=FileState.QUEUED,
    transfer=None,
    generation=1,
    chunk_size=1_000_000,
    encoding=Encoding.IDENTITY,
    sha256="",
    attempt=0,
    next_try_ns=None,
    code="",
    detail="",
    resends=0,
    round=0,
    end_partition=None,
    end_offset=None,
    asked=0,
    ask_ns=None,
    urgent=False,
    anyway=False,
    added_ns=NOW_NS,
    started_ns=None,
    sent_ns=None,
    ended_ns=None,
    clean_up="",
    clean_up_tries=0,
)


def file_row(state: FileState = FileState.QUEUED, **columns: Any) -> FileRow:  # noqa: ANN401 - column values
    """A photo of 52 parts."""
    return replace(_ROW, state=state, **columns)
