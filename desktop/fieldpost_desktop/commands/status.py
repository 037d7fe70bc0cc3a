# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost status` and `fieldpost history`: what the journal says, without disturbing its writer."""

import csv
import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.hold_report import reported_hold
from fieldpost_desktop.commands.exit_codes import Exit, WrongUse
from fieldpost_desktop.commands.follow import FileView, view_of
from fieldpost_desktop.commands.output import file_object, receipt_words
from fieldpost_desktop.commands.session import engine_runs
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.words import STATES, clock_words, file_words, files_words, hold_words, moment
from fieldpost_desktop.engine.commands import remembered_pause
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store, reading
from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import Hold
from fieldpost_desktop.engine.model.overall_status import overall
from fieldpost_desktop.engine.model.states import OPEN
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.clock import Clock
from fieldpost_shared.saying import safe, size_words

_PAGE: Final = 200
_NOTHING: Final = "Nothing was ever queued here."
_SENTENCES: Final = {
    OverallState.NOT_SET_UP: "Fieldpost is not set up yet.",
    OverallState.ATTENTION: "Something needs you.",
    OverallState.PAUSED: "Paused.",
    OverallState.WAITING: "Waiting.",
    OverallState.WORKING: "Under way.",
    OverallState.ALL_CONFIRMED: "Nothing is left to send.",
}
_CSV: Final = (
    "id",
    "added_at",
    "source",
    "path",
    "transfer",
    "state",
    "size",
    "sha256",
    "receiver",
    "confirmed_at",
    "code",
)


def show_status(paths: Paths, clock: Clock, options: Namespace, terminal: Terminal) -> Exit:
    """Show the overall state, and each file that is not finished."""
    if not paths.journal.exists():
        nothing = _overall_object(OverallStatus(), running=False, target=None, views=[])
        terminal.say(json.dumps(nothing) if options.json else _NOTHING)
        return Exit.DONE
    running = engine_runs(paths)
    with reading(paths.journal) as store:
        found = _overall(store, paths, running=running)
        target = targets.bound(store)
        views = [view_of(store, row) for state in sorted(OPEN) for row in Files(store).in_state(state)]
    if options.json:
        terminal.say(json.dumps(_overall_object(found, running=running, target=target, views=views)))
        return Exit.DONE
    office = target.name if target else ""
    terminal.say(_sentence(found, office, clock.now_ns(), running=running))
    for view in sorted(views, key=lambda view: view.row.id):
        terminal.say(_status_line(view, office, clock.now_ns()))
    return Exit.DONE


def _overall(store: Store, paths: Paths, *, running: bool) -> OverallStatus:
    hold = reported_hold(store, DataFolderLock(paths.lock).holder()) if running else remembered_pause(store)
    files = Files(store)
    return overall(
        files.counts(),
        hold=hold,
        set_up=True,
        acknowledged=files.acknowledged_bytes(),
        next_try_ns=files.next_try_ns(),
    )


def _sentence(found: OverallStatus, office: str, now_ns: int, *, running: bool) -> str:
    counts = ", ".join(f"{STATES[state].lower()}: {count}" for state, count in sorted(found.counts.items()))
    idle = not running and found.state in {OverallState.WORKING, OverallState.WAITING}
    words = ["" if idle else _SENTENCES[found.state], f"{counts}." if counts else ""]
    words += [f"{size_words(found.bytes_left)} to send."] if found.bytes_left else []
    words += [hold_words(found.hold, office, now_ns)] if found.hold else []
    if not running and any(state in OPEN for state in found.counts):
        words.append("Fieldpost is not running: nothing goes out until it does.")
    return " ".join(filter(None, words))


def _status_line(view: FileView, office: str, now_ns: int) -> str:
    row = view.row
    words = file_words(row, view.acknowledged, office=office, now_ns=now_ns)
    return f"{row.id:>6}  {size_words(row.size):>8}  {safe(row.path)}  {words}"


def _overall_object(
    found: OverallStatus, *, running: bool, target: targets.Target | None, views: list[FileView]
) -> dict[str, object]:
    return {
        "state": found.state,
        "running": running,
        "target": None if target is None else str(target),
        "counts": dict(found.counts),
        "bytes_left": found.bytes_left,
        "hold": _hold_object(found.hold),
        "next_try_at": None if found.next_try_ns is None else moment(found.next_try_ns).isoformat(),
        "files": [_with_id(view) for view in views],
    }


def _hold_object(hold: Hold | None) -> dict[str, object] | None:
    if hold is None:
        return None
    until = None if hold.until_ns is None else moment(hold.until_ns).isoformat()
    return {"kind": hold.kind, "code": hold.code, "until": until, "attempt": hold.attempt}


def _with_id(view: FileView) -> dict[str, object]:
    return {"id": view.row.id, "source": view.row.source, "parts_acknowledged": view.acknowledged} | file_object(view)


def show_history(paths: Paths, clock: Clock, options: Namespace, terminal: Terminal) -> Exit:
    """Show every file that was ever queued, the newest first; as lines, JSON lines or CSV."""
    if not paths.journal.exists():
        terminal.complain(_NOTHING)
        return Exit.DONE
    with reading(paths.journal) as store:
        views = _history(store, options.search or "")
        if options.csv is not None:
            count = _write_csv(options.csv, views)
            terminal.complain(f"{files_words(count)} written to {safe(str(options.csv))}.")
            return Exit.DONE
        for view in views:
            terminal.say(json.dumps(_history_object(view)) if options.json else _history_line(view, clock.now_ns()))
    return Exit.DONE


def _history(store: Store, text: str) -> Iterator[FileView]:
    before = None
    while page := list(Files(store).history(before=before, text=text, most=_PAGE)):
        yield from (view_of(store, row) for row in page)
        before = page[-1].id


def _history_object(view: FileView) -> dict[str, object]:
    return {
        "id": view.row.id,
        "added_at": moment(view.row.added_ns).isoformat(),
        "source": view.row.source,
    } | file_object(view)


def _history_line(view: FileView, now_ns: int) -> str:
    row = view.row
    words = receipt_words(view, now_ns) or file_words(row, view.acknowledged, office="", now_ns=now_ns)
    added = clock_words(moment(row.added_ns), now_ns)
    return f"{row.id:>6}  {added}  {size_words(row.size):>8}  {safe(row.path)}  {words}"


def _write_csv(out: Path, views: Iterator[FileView]) -> int:
    try:
        with out.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file:
            return _write_rows(file, views)
    except OSError as error:
        raise WrongUse(f"{safe(str(out))} cannot be written: {error.strerror}.") from None


def _write_rows(file: TextIO, views: Iterator[FileView]) -> int:
    writer = csv.DictWriter(file, _CSV, extrasaction="ignore")
    writer.writeheader()
    count = 0
    for view in views:
        writer.writerow(_history_object(view))
        count += 1
    return count
