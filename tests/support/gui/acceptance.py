# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the acceptance tests see of the whole app, and time that passes when they say so.

`Desktop` is the edge to the system's notification area and taskbar: what reaches it, a person sees.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.ui.text import languages
from fieldpost_desktop.ui.transfers.actions import label
from fieldpost_desktop.ui.transfers.row_texts import Column
from fieldpost_shared.clock import NS_PER_S, SystemClock
from support.gui.setup import SIGNED
from support.gui.studio import App, Studio, open_app

WAIT_MS: Final = 20_000
_STEP_S: Final = 20.0  # a gap of more than a minute would look like sleep


class HurriedClock(SystemClock):
    """The real time, and as much more as a test has let pass."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now_ns(self) -> int:
        return super().now_ns() + round(self._ahead * NS_PER_S)

    def monotonic(self) -> float:
        return super().monotonic() + self._ahead

    def run_ahead(self, seconds: float) -> None:
        self._ahead += seconds


@dataclass(frozen=True)
class Shown:
    """A notice of the desktop."""

    title: str
    text: str


@dataclass
class Desktop:
    """A desktop with a notification area; keeps what is shown there."""

    notices: list[Shown] = field(default_factory=list)
    icons: int = 0  # how often the icon changed
    badge: int = 0

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "Desktop":
        def show_message(_: QSystemTrayIcon, title: str, text: str, *_icon_and_time: object) -> None:
            self.notices.append(Shown(title, text))

        set_icon = QSystemTrayIcon.setIcon

        def count_icon(icon: QSystemTrayIcon, *image: object) -> None:
            self.icons += 1
            set_icon(icon, *image)  # type: ignore[arg-type]  # as it was given

        def keep_badge(_: QGuiApplication, number: int) -> None:
            self.badge = number

        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
        monkeypatch.setattr(QSystemTrayIcon, "show", lambda _: None)
        monkeypatch.setattr(QSystemTrayIcon, "isVisible", lambda _: True)
        monkeypatch.setattr(QSystemTrayIcon, "showMessage", show_message)
        monkeypatch.setattr(QSystemTrayIcon, "setIcon", count_icon)
        monkeypatch.setattr(QGuiApplication, "setBadgeNumber", keep_badge)
        return self


@contextmanager
def running(
    studio: Studio, qtbot: QtBot, condition: Condition = Condition.RUNNING, *, hidden: bool = False
) -> Iterator[App]:
    """The app, from its start to its end; used twice it is a restart."""
    qapp = QCoreApplication.instance()
    assert qapp is not None
    spoken = languages.install(qapp, "en", QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    app = open_app(studio, qtbot, hidden=hidden)
    try:
        until(app, lambda: app.instance.condition is condition and not app.controller._busy)
        yield app
    finally:
        app.close()
        spoken.remove()


def write_settings(folder: Path) -> Path:
    """The settings file of an office that wants a password."""
    path = folder / "office.fieldpost"
    path.write_text(profile_file.dump(SIGNED), encoding="utf-8")
    return path


def until(app: App, condition: Callable[[], object]) -> None:
    """Wait for a condition that the app brings about."""
    app.qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)


def until_answered(app: App, condition: Callable[[], object]) -> None:
    """Likewise, while the office reads what comes and answers."""

    def answered() -> bool:
        app.studio.answer()
        return bool(condition())

    app.qtbot.waitUntil(answered, timeout=WAIT_MS)


def pass_time(app: App, seconds: float) -> None:
    """Let time pass for engine and notices, in steps that each of them sees."""
    clock = app.studio.clock
    assert isinstance(clock, HurriedClock), "this studio has the real time only"
    left = seconds
    while left > 0:
        clock.run_ahead(min(_STEP_S, left))
        left -= _STEP_S
        for _ in range(2):  # the second is carried out when the engine has made a step after the first
            app.instance.do(lambda _: None).result(WAIT_MS / 1000)
        app.bridge.drain()
        app.controller.announcer.tell()


# what is seen


def change_of(app: App, name: str) -> FileChanged:
    """The newest row of that name."""
    model = app.controller.transfers.model
    found = [model.change(row) for row in range(model.rowCount()) if model.index(row, Column.FILE).data() == name]
    assert found, f"{name} is not in the list"
    return found[0]


def states(app: App) -> dict[str, FileState]:
    """Every file in the list."""
    model = app.controller.transfers.model
    rows = [model.change(row) for row in range(model.rowCount())]
    return {change.row.path: change.row.state for change in rows}


def sentences(app: App) -> dict[str, str]:
    """What the Status column says, by file."""
    model = app.controller.transfers.model
    return {
        model.index(row, Column.FILE).data(): model.index(row, Column.STATUS).data() for row in range(model.rowCount())
    }


def screen_reader_text(app: App, name: str) -> str:
    """What a screen reader says of a file."""
    model = app.controller.transfers.model
    place = model.place_of(change_of(app, name).row.id)
    assert place is not None
    return str(model.index(place, Column.FILE).data(Qt.ItemDataRole.AccessibleTextRole))


def offers(app: App, name: str) -> list[str]:
    """What can be done with a file: its button first, then the rest of its menu."""
    change = change_of(app, name)
    return [label(action) for action in app.controller.transfers.model.texts.actions(change)]


def header(app: App) -> str:
    """The sentence at the top of the window."""
    return str(app.controller.window.header.sentence.text())


def banners(app: App) -> list[str]:
    """What the banners say, each with its button."""
    notes = app.controller.window.banners.contents().values()
    return [f"{note.title} {note.text} [{note.button}]" for note in notes]
