# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost retry, cancel, pause, resume`: orders for the engine, wherever it runs."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any, Final
from uuid import uuid4

from fieldpost_desktop.commands.exit_codes import Exit, WrongUse
from fieldpost_desktop.commands.follow import view_of
from fieldpost_desktop.commands.output import file_line
from fieldpost_desktop.commands.session import await_order, leave_order
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store, reading
from fieldpost_desktop.engine.model.file_row import FileId, FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.clock import Clock
from fieldpost_shared.ids import TransferId, is_transfer_id

_WORDS: Final = {
    "retry": "Whatever waits or needs you is tried again.",
    "pause": "Paused. `fieldpost resume` goes on.",
    "resume": "Sending goes on.",
}
# Where a file is when the order has had its effect.
_EFFECT: Final = {
    "retry": frozenset(FileState) - {FileState.ATTENTION, FileState.CANCELLED},
    "cancel": frozenset({FileState.CANCELLED}),
    "pause": frozenset({FileState.PAUSED}),
    "resume": frozenset(FileState) - {FileState.PAUSED, FileState.CANCELLED},
}


def run(paths: Paths, clock: Clock, options: Namespace, terminal: Terminal) -> Exit:
    """Leave the order, wait until it is taken up, and say what came of it."""
    files = _files(paths, options.ids) if options.ids else None
    order: dict[str, Any] = {"command": options.command, "files": files, "mark": uuid4().hex}
    if leave_order(order, paths, clock) and not await_order(order["mark"], paths, clock):
        terminal.complain("The Fieldpost that is running has not taken it up yet; it will.")
        return Exit.GAVE_UP
    if files is None:
        terminal.complain(_WORDS[options.command])
        return Exit.DONE
    return _tell_effect(paths, clock, command=options.command, files=files, terminal=terminal)


def _files(paths: Paths, ids: Sequence[str]) -> list[FileId]:
    """Return the numbers of the files meant.

    Raises:
        WrongUse: one of them names no file.
    """
    if not paths.journal.exists():
        raise WrongUse("Nothing was ever queued here.")
    with reading(paths.journal) as store:
        found = {text: _find(store, text) for text in ids}
    missing = [text for text, row in found.items() if row is None]
    if missing:
        raise WrongUse(f"No file has the number {', '.join(missing)}. `fieldpost status` shows them.")
    return [row.id for row in found.values() if row is not None]


def _find(store: Store, text: str) -> FileRow | None:
    """Find a file by the number that `status` shows, or by the transfer id that `send --json` gives."""
    if is_transfer_id(text):
        return Files(store).by_transfer(TransferId(text))
    return Files(store).find(int(text)) if text.isascii() and text.isdigit() else None


def _tell_effect(paths: Paths, clock: Clock, command: str, files: Sequence[FileId], terminal: Terminal) -> Exit:
    with reading(paths.journal) as store:
        rows = [row for file in files if (row := Files(store).find(file)) is not None]
        for row in rows:
            terminal.say(f"{row.id} {file_line(view_of(store, row), '', clock.now_ns())}")
    return Exit.DONE if all(row.state in _EFFECT[command] for row in rows) else Exit.NEEDS_YOU
