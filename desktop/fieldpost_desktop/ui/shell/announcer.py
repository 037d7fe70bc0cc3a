# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Shows the notifier's notices by the tray, in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import FileQuery, Group
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.shell.notifier import Notice, NoticeKind, Notifier
from fieldpost_desktop.ui.shell.tray import Tray
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.codes import Code
from fieldpost_shared.saying import safe

_TICK_MS: Final = 1_000
_MOST: Final = 5_000  # files of the list that are looked at when the app starts
_ATTENTION: Final = FileState.ATTENTION
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in words."""

    title: str
    text: str


class Announcer(QObject):
    """Feeds the notifier with the engine's events, and shows what is due."""

    def __init__(
        self,
        instance: AppInstance,
        bridge: Bridge,
        tray: Tray,
        wanted: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._instance = instance
        self._tray = tray
        self._wanted = wanted  # a person may not want any
        self._notifier = Notifier(instance.clock)
        self._reading = False  # the list, in the background
        bridge.files_changed.connect(self._changed)
        bridge.files_dropped.connect(self._notifier.dropped)
        bridge.overall_changed.connect(self._notifier.overall)
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self.tell)
        self._timer.start()

    def begin(self, worker: Worker) -> None:
        """Read what was in the list before, each time the engine has started."""
        if not self._reading:
            self._reading = True
            self._notifier.expect_list()
            worker.run(self._list, self._read, lambda _error: self._not_read())

    def tell(self) -> None:
        """Say what is due."""
        self._notifier.enabled = self._wanted()
        notice = self._notifier.due()
        if notice is not None:
            said = notice_text(notice, self._instance.office)
            serious = notice.kind is not NoticeKind.CONFIRMED
            self._tray.notify(said.title, said.text, notice.group, serious=serious)

    def _changed(self, changes: list[FileChanged]) -> None:
        self._notifier.changed(change.row for change in changes)

    def _read(self, rows: list[FileRow]) -> None:
        self._reading = False
        self._notifier.take_list(rows)

    def _not_read(self) -> None:
        """Go on without the list; the page that shows it says why."""
        self._reading = False

    def _list(self) -> list[FileRow]:
        """Read the open files, on a worker's thread."""
        groups = (Group.ATTENTION, Group.IN_PROGRESS)
        return [row for group in groups for row in self._instance.page(FileQuery(group, most=_MOST))]


def notice_text(notice: Notice, office: str) -> NoticeText:
    """Return a notice in words, with the file's name if it is about one."""
    match notice.kind:
        case NoticeKind.CONFIRMED:
            return _confirmed(notice, office)
        case NoticeKind.NEEDS_YOU:
            title = translate("announcer", "%Ln file(s) need you", "", notice.count)
            code = notice.code or Code.UNEXPECTED
            return NoticeText(
                title,
                _sentences(wording.failure(code, notice.detail, office=office, file=notice.file, state=_ATTENTION)),
            )
        case NoticeKind.UNDELIVERED:
            title = translate("announcer", "%Ln file(s) not delivered for 24 hours", "", notice.count)
            text = translate("announcer", "Fieldpost goes on trying. Keep the originals until then.")
            return NoticeText(title, f"{safe(notice.file)}\n{text}" if notice.file else text)
        case NoticeKind.STOPPED:
            title = translate("announcer", "Nothing can be sent now")
            return NoticeText(title, _sentences(wording.failure(notice.code or Code.UNEXPECTED, "", office)))


def _confirmed(notice: Notice, office: str) -> NoticeText:
    title = translate("announcer", "%Ln file(s) confirmed", "", notice.count)
    if notice.file:
        text = translate("announcer", "{file} has arrived at {office}.")
    else:
        text = translate("announcer", "They have arrived at {office}.")
    return NoticeText(title, text.format(file=safe(notice.file), office=wording.office_name(office)))


def _sentences(failure: wording.FailureText) -> str:
    """Return what happened and what to do; how it goes on is for the window."""
    return " ".join(filter(None, (failure.happened, failure.you_can, f"({failure.label})")))
