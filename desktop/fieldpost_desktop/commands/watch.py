# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost watch`: the engine with watched folders, until Ctrl-C; and the list of folders."""

import json
import os
from argparse import Namespace
from pathlib import Path
from typing import Final

from fieldpost_desktop.app.assembly import EngineSpec
from fieldpost_desktop.commands.exit_codes import Exit, WrongUse
from fieldpost_desktop.commands.follow import Follower, Snapshot
from fieldpost_desktop.commands.output import ProgressOutput, choose_output
from fieldpost_desktop.commands.session import Session, leave_order
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.wait_for_files import FileWaiter, WaitResult, stop_signals
from fieldpost_desktop.commands.words import clock_words, failure_words, files_words, moment
from fieldpost_desktop.engine.journal.folders import Folder, Folders, Waiting
from fieldpost_desktop.engine.journal.follow import open_scope
from fieldpost_desktop.engine.journal.store import Store, reading
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.model.hold import Hold
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.watching.folder_kind import FolderRefused, check_folder
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.saying import safe

_RULES: Final = ("include", "exclude", "no_subfolders", "after", "label", "minimum_age", "only_new")


def run(spec: EngineSpec, options: Namespace, terminal: Terminal) -> Exit:
    """Watch the given folders, and those that were given before."""
    rules = _rules(options, spec)
    with stop_signals() as stopping, Session(spec) as session, reading(spec.paths.journal) as store:
        orders = _orders(options, rules, known=Folders(store).all(), paths=spec.paths)
        for order in orders:
            session.order(order)
        if not session.runs_engine:
            terminal.complain("Another Fieldpost is running on this data folder; it watches from now on.")
            return Exit.DONE
        follower = Follower(store, open_scope(store))
        follower.skip_ended()
        session.start()
        waiter = FileWaiter(session, store, follower=follower, clock=spec.clock)
        output = FolderOutput(
            choose_output(terminal, spec.clock, follower=follower, office=spec.profile.name, as_json=options.json),
            store,
            spec,
        )
        output.tell("Watching. Ctrl-C ends it.")
        end = waiter.wait(output, stopping, done=lambda _: False, seconds=None)
    if end is WaitResult.HELD and waiter.hold is not None:
        terminal.complain(failure_words(waiter.hold.code or Code.UNEXPECTED, spec.profile.name))
        return Exit.NEEDS_YOU
    terminal.complain("Stopped. What is not confirmed yet goes on when Fieldpost runs next.")
    return Exit.DONE


def _rules(options: Namespace, spec: EngineSpec) -> FolderRules | None:
    """Return the rules on the command line; None if there are none, so that known folders keep theirs."""
    if not any(getattr(options, name) for name in _RULES):
        return None
    after = After(options.after or After.KEEP)
    if after is After.DELETE and not spec.profile.limits.allow_delete:
        raise WrongUse("These settings do not allow files to be deleted: limits.allow_delete is not set.")
    if after is After.DELETE and not options.yes:
        raise WrongUse("Files are deleted here once they are confirmed. If you mean that, add --yes.")
    try:
        return FolderRules(
            include=tuple(options.include or ()),
            exclude=tuple(options.exclude or ()),
            subfolders=not options.no_subfolders,
            minimum_age_s=options.minimum_age or 0,
            after=after,
            label=options.label or "",
            take_existing=not options.only_new,
        )
    except SettingsError as error:
        raise WrongUse(f"{error.key}: {error.problem}.") from None


def _orders(options: Namespace, rules: FolderRules | None, known: list[Folder], paths: Paths) -> list[dict[str, str]]:
    watched = [folder.path for folder in known]
    orders = []
    for given in options.folders:
        path = os.path.abspath(given)  # noqa: PTH100 - as `check_folder` keeps it
        if path not in watched:
            try:
                path = check_folder(Path(given), watched, paths.data_dir)
            except FolderRefused as error:
                raise WrongUse(f"{error.words}.") from None
            watched.append(path)
        elif rules is None:
            continue
        orders.append({"command": "watch", "path": path, "rules": (rules or FolderRules()).to_json()})
    if not watched:
        raise WrongUse("No folder is watched yet; name one: fieldpost watch DIR")
    return orders


class FolderOutput:
    """Also shows when a folder is not there, or back."""

    def __init__(self, output: ProgressOutput, store: Store, spec: EngineSpec) -> None:
        self._output = output
        self._folders = Folders(store)
        self._office = spec.profile.name
        self._told: dict[int, tuple[Code | None, str]] = {}

    def update(self, snapshot: Snapshot, hold: Hold | None) -> None:
        for folder in self._folders.all():
            state = folder.code, folder.detail
            if self._told.get(folder.id, (None, "")) != state:
                words = failure_words(folder.code, self._office, folder.detail) if folder.code else "All is well again."
                self.tell(f"{safe(folder.path)}: {words}")
            self._told[folder.id] = state
        self._output.update(snapshot, hold)

    def tell(self, line: str) -> None:
        self._output.tell(line)

    def finish(self) -> None:
        self._output.finish()


def show_list(paths: Paths, clock: Clock, options: Namespace, terminal: Terminal) -> Exit:
    """Run `watch --list`."""
    folders: list[Folder] = []
    waiting: dict[int, Waiting] = {}
    if paths.journal.exists():
        with reading(paths.journal) as store:
            folders, waiting = Folders(store).all(), Folders(store).waiting()
    for folder in folders:
        if options.json:
            terminal.say(json.dumps(_folder_object(folder, waiting.get(folder.id, Waiting()))))
        else:
            terminal.say(_folder_line(folder, waiting.get(folder.id, Waiting()), clock.now_ns()))
    if not folders:
        terminal.complain("No folder is watched.")
    return Exit.DONE


def remove(paths: Paths, clock: Clock, options: Namespace, terminal: Terminal) -> Exit:
    """Run `watch --remove DIR`: queued files still go out."""
    path = os.path.abspath(options.remove)  # noqa: PTH100 - as `check_folder` keeps it
    known: list[str] = []
    if paths.journal.exists():
        with reading(paths.journal) as store:
            known = [folder.path for folder in Folders(store).all()]
    if path not in known:
        raise WrongUse(f"{safe(path)} is not watched. `fieldpost watch --list` shows what is.")
    leave_order({"command": "unwatch", "path": path}, paths, clock)
    terminal.complain(f"{safe(path)} is not watched any more. What was queued from it still goes out.")
    return Exit.DONE


def _folder_object(folder: Folder, waiting: Waiting) -> dict[str, object]:
    return {
        "path": folder.path,
        "enabled": folder.enabled,
        "rules": json.loads(folder.rules.to_json()),
        "scanned_at": None if folder.scanned_ns is None else moment(folder.scanned_ns).isoformat(),
        "waiting": waiting.files,
        "code": folder.code,
    }


def _folder_line(folder: Folder, waiting: Waiting, now_ns: int) -> str:
    checked = (
        f"last checked {clock_words(moment(folder.scanned_ns), now_ns)}" if folder.scanned_ns else "not checked yet"
    )
    words = [checked, f"after confirmation: {folder.rules.after}"]
    words += [f"{files_words(waiting.files)} still being written"] if waiting.files else []
    words += [failure_words(folder.code, "", folder.detail)] if folder.code else []
    return f"{safe(folder.path)}: {', '.join(words)}"
