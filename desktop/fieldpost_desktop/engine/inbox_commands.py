# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Commands from the journal's inbox, each carried out and removed in one transaction.

`add` comes in two forms: with `paths`, which are walked through here by a worker, or with `files`, a piece of what a
preview has found already. Either way a crash in between carries the command out again, which adds nothing twice.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.journal.inbox import Inbox
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.runtime.context import EngineContext
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole
from fieldpost_desktop.engine.sources.dropped_files import PIECE, items_of
from fieldpost_desktop.engine.sources.expand import NotAdded, expand
from fieldpost_shared.errors import SettingsError

_LOG: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class _Expansion:
    """The files of one command, looked up by a worker some hundred at a time."""

    number: int
    batch: str
    lookup: Future[list[SourceFile | NotAdded]]
    look_up: Callable[[], list[SourceFile | NotAdded]]


class InboxCommands:
    """Takes the commands in order; `take` is called often and never blocks."""

    def __init__(self, context: EngineContext, commands: Commands) -> None:
        self._context = context
        self._commands = commands
        self._inbox = Inbox(context.store)
        self._folders = Folders(context.store)
        self._expansion: _Expansion | None = None
        self._more = False  # commands wait for the next step
        self._verbs: Mapping[str, Callable[[dict[str, Any]], object]] = {
            "pause": lambda command: self._pause(command.get("files"), command.get("until_ns")),
            "resume": lambda command: self._resume(command.get("files")),
            "retry": lambda command: commands.retry(command.get("files")),
            "cancel": lambda command: commands.cancel(command["files"]),
            "watch": lambda command: self._watch(command["path"], FolderRules.from_json(command["rules"])),
            "unwatch": lambda command: self._unwatch(command["path"]),
        }

    def take(self) -> None:
        """Carry out what waits, up to the first command that adds files."""
        if self._expansion is not None:
            self._continue_expansion(self._expansion)
        elif self._inbox.news() or self._more:
            self._carry_out()

    @property
    def busy(self) -> bool:
        """Return whether the next step has something to do at once."""
        return self._expansion is not None or self._more

    def _carry_out(self) -> None:
        self._more = False
        while (found := self._inbox.first()) is not None:
            number, command = found
            if command.get("command") == "add" and _has_paths(command):
                self._begin_expansion(number, command)
                return
            if command.get("command") == "add" and self._add_piece(number, command):
                self._more = True  # one piece in each step, because a step must stay short
                return
            self._carry_out_one(number, command)

    def _carry_out_one(self, number: int, command: dict[str, Any]) -> None:
        try:
            with self._context.store.transaction():
                self._verbs[command["command"]](command)
                self._inbox.done(number)
        except (KeyError, TypeError, ValueError, SettingsError) as error:
            # Of a newer Fieldpost, or written by hand: it must not stop the queue, nor come again.
            _LOG.info("a command in the inbox cannot be carried out: %r", error)
            self._inbox.done(number)

    def _add_piece(self, number: int, command: dict[str, Any]) -> bool:
        """Queue the files of a piece; return False for a command that is none."""
        try:
            files, batch = items_of(command["files"]), str(command["batch"])
        except (KeyError, TypeError, ValueError):
            return False
        self._commands.add(files, batch)
        self._inbox.done(number)
        return True

    def _begin_expansion(self, number: int, command: dict[str, Any]) -> None:
        files = expand(command["paths"])

        def look_up() -> list[SourceFile | NotAdded]:
            return list(islice(files, PIECE))

        lookup = self._context.workers.submit(WorkerRole.ADDING, look_up)
        self._expansion = _Expansion(number, command["batch"], lookup=lookup, look_up=look_up)

    def _continue_expansion(self, expansion: _Expansion) -> None:
        if not expansion.lookup.done():
            return
        found = expansion.lookup.result()
        if found:
            self._commands.add(found, expansion.batch)
            expansion.lookup = self._context.workers.submit(WorkerRole.ADDING, expansion.look_up)
            return
        self._inbox.done(expansion.number)
        self._expansion = None
        self._carry_out()

    def _pause(self, files: list[int] | None, until_ns: int | None) -> None:
        if files is None:
            self._commands.pause_all(until_ns)
        else:
            self._commands.pause(files)

    def _resume(self, files: list[int] | None) -> None:
        if files is None:
            self._commands.resume_all()
        else:
            self._commands.resume(files)

    def _watch(self, path: str, rules: FolderRules) -> None:
        """Watch a folder that the sender of the command has checked; the scanner reads the journal by itself."""
        known = next((folder for folder in self._folders.all() if folder.path == path), None)
        if known is None:
            self._folders.add(path, rules, self._context.clock.now_ns())
            return
        if known.rules != rules:
            self._folders.change_rules(known, rules)
        if not known.enabled:
            self._folders.enable(known.id, enabled=True)

    def _unwatch(self, path: str) -> None:
        for folder in self._folders.all():
            if folder.path == path:
                self._folders.remove(folder.id)


def _has_paths(command: dict[str, Any]) -> bool:
    paths = command.get("paths")
    return isinstance(paths, list) and all(isinstance(path, str) for path in paths) and "batch" in command
