# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost` with a hand and an eye of the test inside: python driver.py FD KEYRING [arguments of fieldpost].

Calls the same `cli.main` as the console script. Two things differ: passwords go to the file KEYRING, since a test
machine has no keyring, and over the socket FD the test can see and use the window. One JSON line for each question,
[verb, ...], answered by {"ok": ...} or {"error": "..."}. Nothing of this is in the product.
"""

import json
import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from keyring.backend import KeyringBackend
from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPoint, QSocketNotifier, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QLineEdit, QMessageBox, QWidget

from fieldpost_desktop import cli
from fieldpost_desktop.engine.profile.vault import KeyringVault
from fieldpost_desktop.ui import app
from fieldpost_desktop.ui.controller import Controller
from fieldpost_desktop.ui.transfers.model import CHANGE
from fieldpost_desktop.ui.transfers.row_texts import Column

_PIECE: Final = 65_536
_ACTIVE_MS: Final = 5_000
_COPY: Final = (Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
W = TypeVar("W", bound=QWidget)


class FileKeyring(KeyringBackend):
    """Stands for the system's keyring: remembers from one start to the next."""

    def __init__(self, path: Path) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's types end here
        self._path = path

    def get_password(self, service: str, username: str) -> str | None:
        return self._kept().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._path.write_text(json.dumps(self._kept() | {f"{service} {username}": password}), encoding="utf-8")

    def delete_password(self, service: str, username: str) -> None:
        kept = self._kept()
        del kept[f"{service} {username}"]
        self._path.write_text(json.dumps(kept), encoding="utf-8")

    def _kept(self) -> dict[str, str]:
        return cast("dict[str, str]", json.loads(self._path.read_text(encoding="utf-8"))) if self._path.exists() else {}


class Agent(QObject):
    """Answers on the GUI thread, as a person would look and press; a modal dialog covers everything below it."""

    def __init__(self, channel: socket.socket) -> None:
        super().__init__()
        self.controller: Controller | None = None
        self._channel = channel
        self._heard = b""
        self._dragged = QMimeData()
        self._notifier = QSocketNotifier(channel.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._hear)

    def _hear(self) -> None:
        data = self._channel.recv(_PIECE)
        if not data:  # the test is over
            self._notifier.setEnabled(False)
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._channel.sendall(json.dumps(self._answer(*json.loads(line))).encode() + b"\n")

    def _answer(self, verb: str, *words: Any) -> dict[str, object]:  # noqa: ANN401 - whatever a verb takes
        try:
            return {"ok": getattr(self, f"do_{verb}")(*words)}
        except (LookupError, ValueError) as error:
            return {"error": str(error)}

    # the eye

    def do_said(self, name: str) -> str | None:
        """What the thing of that name says; None if it is not to be seen."""
        widget = next(self._seen(QWidget, name), None)
        return None if widget is None else _words(widget)

    def do_banners(self) -> list[str]:
        return [banner.accessibleName() for banner in self._seen(QWidget, "banner", covered=True)]

    def do_rows(self) -> list[dict[str, object]]:
        """The list as it is shown."""
        found = list(self._seen(QAbstractItemView, "transfers", covered=True))
        return _rows(found[0].model()) if found else []

    def do_question(self) -> str | None:
        """What the dialog asks that covers everything."""
        dialog = QApplication.activeModalWidget()
        return f"{dialog.text()} {dialog.informativeText()}" if isinstance(dialog, QMessageBox) else None

    def do_window(self) -> dict[str, object]:
        window = self._window()
        return {
            "visible": window.isVisible(),
            "minimized": window.isMinimized(),
            "title": window.windowTitle(),
            "platform": QGuiApplication.platformName(),
        }

    def do_tray(self) -> dict[str, object]:
        tray = self._controller().tray
        return {"available": tray.available, "state": tray.state, "tooltip": tray.tooltip}

    def do_picture(self, path: str) -> list[int]:
        """A photo of the whole screen; its size, and how many colours are in it."""
        QApplication.processEvents()
        picture = QGuiApplication.primaryScreen().grabWindow(0)
        if not picture.save(path):
            raise ValueError(f"{path} was not written")
        small = picture.scaled(200, 150).toImage()
        colours = {small.pixel(x, y) for x in range(small.width()) for y in range(small.height())}
        return [picture.width(), picture.height(), len(colours)]

    # the hand

    def do_press(self, words: str) -> None:
        """The button that says so."""
        buttons = [button for button in self._seen(QAbstractButton) if _plain(button.text()) == words]
        if not buttons:
            raise LookupError(f"no button {words!r} among {[_plain(b.text()) for b in self._seen(QAbstractButton)]}")
        if not buttons[0].isEnabled():
            raise LookupError(f"{words!r} is grey")
        left = QPoint(buttons[0].height() // 2, buttons[0].height() // 2)  # the middle of a wide check box is empty
        QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, left)

    def do_type(self, name: str, words: str) -> None:
        field = next(self._seen(QLineEdit, name))
        field.clear()
        QTest.keyClicks(field, words)

    def do_keys(self, keys: str) -> None:
        """In the window, which a person has clicked before: without a window manager it is not active by itself."""
        window = self._window()
        window.activateWindow()
        if not QTest.qWaitForWindowActive(window, _ACTIVE_MS):
            raise LookupError("the window did not become active")
        QTest.keySequence(window, QKeySequence(keys))

    def do_drag(self, paths: list[str], onto: str = "main_window") -> bool:
        """Hold these over the thing of that name; whether they would be taken."""
        self._dragged = QMimeData()
        self._dragged.setUrls([QUrl.fromLocalFile(path) for path in paths])
        target, point = self._below(onto)
        enter = QDragEnterEvent(point, _COPY[0], self._dragged, *_COPY[1:])
        enter.ignore()
        QApplication.sendEvent(target, enter)
        return enter.isAccepted()

    def do_drop(self, onto: str = "main_window") -> bool:
        """Let go what is dragged; whether it was taken, and copied: a move would delete the files."""
        target, point = self._below(onto)
        drop = QDropEvent(point, _COPY[0], self._dragged, *_COPY[1:])
        drop.ignore()
        QApplication.sendEvent(target, drop)
        return drop.isAccepted() and drop.dropAction() is Qt.DropAction.CopyAction

    def do_close(self) -> None:
        """The cross in the title bar."""
        self._window().close()

    # finding

    def _seen(self, kind: type[W], name: str | None = None, *, covered: bool = False) -> Iterator[W]:
        """What is to be seen; what a modal dialog covers only if asked for."""
        modal = None if covered else QApplication.activeModalWidget()
        for top in [modal] if modal is not None else QApplication.topLevelWidgets():
            for widget in (top, *top.findChildren(kind)):
                if isinstance(widget, kind) and widget.isVisible() and name in {None, widget.objectName()}:
                    yield widget

    def _below(self, name: str) -> tuple[QWidget, QPoint]:
        """The innermost widget in the middle of that one, as Qt would find it below the pointer."""
        widget = next(self._seen(QWidget, name), None)
        if widget is None:
            raise LookupError(f"{name} is not to be seen")
        inner = widget.childAt(widget.rect().center()) or widget
        return inner, inner.rect().center()

    def _window(self) -> QWidget:
        return self._controller().window

    def _controller(self) -> Controller:
        if self.controller is None:
            raise LookupError("there is no window yet")
        return self.controller


def _rows(model: QAbstractItemModel) -> list[dict[str, object]]:
    found = []
    for row in range(model.rowCount(QModelIndex())):
        first = model.index(row, Column.FILE)
        change = first.data(CHANGE)
        found.append(
            {
                "name": first.data(),
                "status": model.index(row, Column.STATUS).data(),
                "aloud": first.data(Qt.ItemDataRole.AccessibleTextRole),
                "state": change.row.state,
                "acknowledged": change.acknowledged,
                "parts": change.parts,
            }
        )
    return found


def _words(widget: QWidget) -> str:
    if isinstance(widget, (QLabel, QAbstractButton, QLineEdit)):
        return _plain(widget.text())
    return widget.accessibleName()


def _plain(text: str) -> str:
    return text.replace("&", "")


def install(channel: socket.socket, keyring: Path) -> None:
    """Before the program begins: where it makes Qt and its controller, the agent comes in."""
    make_application = app.make_application
    agents: list[Agent] = []

    def with_agent(arguments: list[str]) -> QApplication:
        made = make_application(arguments)
        agents.append(Agent(channel))
        return made

    class SeenController(Controller):
        def __init__(self, **parts: Any) -> None:  # noqa: ANN401 - handed on as they are
            super().__init__(**parts)
            agents[0].controller = self

    app.make_application = with_agent
    vars(app)["Controller"] = SeenController
    vars(cli)["open_vault"] = lambda _environ: KeyringVault(lambda: FileKeyring(keyring))


def main(arguments: Sequence[str]) -> int:
    channel, keyring, *rest = arguments
    sys.argv = ["fieldpost", *rest]
    install(socket.socket(fileno=int(channel)), Path(keyring))
    return cli.main(rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
