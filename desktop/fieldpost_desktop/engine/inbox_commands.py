# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Commands that other processes left in the journal's inbox, each carried out and removed in one transaction."""

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
from fieldpost_desktop.engine.sources.expand import NotAdded, expand
from fieldpost_shared.errors import SettingsError

_LOG: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 500


@dataclass(slots=True)
class _Expanding:
    """Files of one handed-over command, being looked up on a desk a few at a time."""

    number: int
    batch: str
    looking: Future[list[SourceFile | NotAdded]]
    more: Callable[[], list[SourceFile | NotAdded]]


class InboxCommands:
    """A command stays in the inbox until it is done: a crash in between carries it out again, which adds nothing."""

    def __init__(self, context: EngineContext, commands: Commands) -> None:
        self._context = context
        self._commands = commands
        self._inbox = Inbox(context.store)
        self._folders = Folders(context.store)
        self._expanding: _Expanding | None = None
        self._orders: Mapping[str, Callable[[dict[str, Any]], object]] = {
            "pause": lambda order: self._pause(order.get("files"), order.get("until_ns")),
            "resume": lambda order: self._resume(order.get("files")),
            "retry": lambda order: commands.retry(order.get("files")),
            "cancel": lambda order: commands.cancel(order["files"]),
            "watch": lambda order: self._watch(order["path"], FolderRules.from_json(order["rules"])),
            "unwatch": lambda order: self._unwatch(order["path"]),
        }

    def take(self) -> None:
        """Carry out what is there."""
        if self._expanding is not None:
            self._go_on()
        elif self._inbox.news():
            self._carry_out()

    @property
    def busy(self) -> bool:
        """Whether files are being looked up."""
        return self._expanding is not None

    def _carry_out(self) -> None:
        for number, order in self._inbox.peek():
            if order.get("command") == "add" and _can_be_added(order):
                self._begin_adding(number, order)
                return
            try:
                with self._context.store.transaction():
                    self._orders[order["command"]](order)
                    self._inbox.done(number)
            except (KeyError, TypeError, ValueError, SettingsError) as error:
                # Of a newer Fieldpost, or written by hand: it must not stop the queue, nor come again.
                _LOG.info("an order in the inbox cannot be carried out: %r", error)
                self._inbox.done(number)

    def _begin_adding(self, number: int, order: dict[str, Any]) -> None:
        files = expand(order["paths"])

        def more() -> list[SourceFile | NotAdded]:
            return list(islice(files, _AT_ONCE))

        self._expanding = _Expanding(
            number, order["batch"], self._context.workers.submit(WorkerRole.ADDING, more), more
        )

    def _go_on(self) -> None:
        expanding = self._expanding
        if expanding is None or not expanding.looking.done():
            return
        found = expanding.looking.result()
        if found:
            self._commands.add(found, expanding.batch)
            expanding.looking = self._context.workers.submit(WorkerRole.ADDING, expanding.more)
            return
        self._inbox.done(expanding.number)
        self._expanding = None
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
        """Whoever ordered it has checked the place; the scanner looks into the journal by itself."""
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


def _can_be_added(order: dict[str, Any]) -> bool:
    paths = order.get("paths")
    return isinstance(paths, list) and all(isinstance(path, str) for path in paths) and "batch" in order
