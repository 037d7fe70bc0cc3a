# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost send`: queue files, send them here or through the Fieldpost that is running, wait for their receipts."""

import os
import threading
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from uuid import uuid4

from fieldpost_desktop.app.assembly import EngineSpec
from fieldpost_desktop.commands.exit_codes import Exit, WrongUse
from fieldpost_desktop.commands.follow import Follower, Snapshot
from fieldpost_desktop.commands.output import choose_output
from fieldpost_desktop.commands.session import Session, leave_order
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.wait_for_files import FileWaiter, WaitResult, stop_signals
from fieldpost_desktop.commands.words import files_words, hold_words
from fieldpost_desktop.engine.journal.follow import batch_scope
from fieldpost_desktop.engine.journal.store import reading
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.sources.expand import expand
from fieldpost_desktop.engine.sources.file_probe import as_text
from fieldpost_shared.saying import safe

_WHY: Final = {WaitResult.STOPPED: "Stopped. ", WaitResult.TIME_UP: "Time is up. ", WaitResult.HELD: ""}
_RUNNING: Final = "Another Fieldpost is running on this data folder; it sends the files."


def run(paths: Sequence[str], spec: EngineSpec, options: Namespace, terminal: Terminal) -> Exit:
    """Queue the files, send them, and wait for the last receipt."""
    order = {"command": "add", "paths": paths, "batch": uuid4().hex}
    if options.no_wait:
        running = leave_order(order, spec.paths, clock=spec.clock, spec=spec)
        terminal.complain(f"Queued. {_RUNNING if running else 'The files go out when Fieldpost runs next.'}")
        return Exit.DONE
    with stop_signals() as stopping, Session(spec) as session:
        session.order(order)
        if not session.runs_engine:
            terminal.complain(_RUNNING)
        session.start()
        return _see_through(
            spec, session, batch=str(order["batch"]), options=options, terminal=terminal, stopping=stopping
        )


def checked_paths(paths: Sequence[str], own: Paths) -> list[str]:
    """Return the paths, absolute: the engine may run elsewhere.

    Raises:
        WrongUse: one is not there, or has nothing to send; nothing is queued then.
    """
    problems = [problem for path in paths if (problem := _problem(path, own))]
    if problems:
        raise WrongUse("\n".join([*problems, "Nothing was queued."]))
    return [os.path.abspath(path) for path in paths]  # noqa: PTH100 - resolve() would follow links


def _problem(path: str, own: Paths) -> str:
    shown = safe(as_text(path))
    found = Path(path)
    if found.is_symlink():
        return f"{shown} is a link; name the file or folder itself."
    if found.is_dir() and own.data_dir.resolve().is_relative_to(found.resolve()):
        return f"{shown} holds Fieldpost's own data, which changes while it is sent; name other folders."
    if found.is_dir():
        return f"{shown} has no files that can be sent." if next(expand([path]), None) is None else ""
    if not found.exists():
        return f"{shown} is not there."
    return "" if found.is_file() else f"{shown} is no plain file."


def _see_through(
    spec: EngineSpec,
    session: Session,
    batch: str,
    options: Namespace,
    terminal: Terminal,
    *,
    stopping: threading.Event,
) -> Exit:
    with reading(spec.paths.journal) as store:
        follower = Follower(store, batch_scope(batch))
        waiter = FileWaiter(session, store, follower=follower, clock=spec.clock)
        output = choose_output(terminal, spec.clock, follower=follower, office=spec.profile.name, as_json=options.json)
        end = waiter.wait(output, stopping, done=lambda snapshot: snapshot.finished, seconds=options.timeout)
    words = _summary(waiter.snapshot, end)
    if end is not WaitResult.FINISHED and waiter.hold is not None:
        words = f"{hold_words(waiter.hold, spec.profile.name, spec.clock.now_ns())} {words}"
    (terminal.complain if options.json or end is WaitResult.HELD else terminal.say)(words)
    return _exit(waiter.snapshot, end)


def _summary(snapshot: Snapshot, end: WaitResult) -> str:
    total, confirmed = snapshot.total, snapshot.confirmed
    attention = snapshot.counts.get(FileState.ATTENTION, 0)
    cancelled = snapshot.counts.get(FileState.CANCELLED, 0)
    if end is WaitResult.FINISHED and confirmed == total:
        return f"{files_words(total)} confirmed."
    parts = [f"{confirmed} of {files_words(total)} confirmed"]
    parts += [f"{attention} need{'s' if attention == 1 else ''} you"] if attention else []
    parts += [f"{cancelled} cancelled"] if cancelled else []
    words = f"{', '.join(parts)}."
    if end is WaitResult.FINISHED:
        return words
    return f"{_WHY[end]}{words} What is left stays queued and goes on when Fieldpost runs next."


def _exit(snapshot: Snapshot, end: WaitResult) -> Exit:
    match end:
        case WaitResult.STOPPED | WaitResult.TIME_UP:
            return Exit.GAVE_UP
        case WaitResult.HELD:
            return Exit.NEEDS_YOU
        case WaitResult.FINISHED:
            return Exit.DONE if snapshot.confirmed == snapshot.total else Exit.NEEDS_YOU
