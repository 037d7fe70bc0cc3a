# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a person's eyes and hands do in a window: find a thing by its name, read it, press it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from fieldpost_desktop.ui.threads.worker import Worker

T = TypeVar("T", bound=QObject)


def find(inside: QObject, kind: type[T], name: str) -> T:
    """The thing of that name; fails if there is none."""
    found = inside.findChild(kind, name)
    assert found is not None, f"no {name} in {inside.objectName()}"
    return found


def text(inside: QObject, name: str) -> str:
    """What a label says."""
    return str(find(inside, QLabel, name).text())


def click(inside: QObject, name: str) -> None:
    """Press a button that can be pressed."""
    button = find(inside, QAbstractButton, name)
    assert button.isVisible(), f"{name} is not to be seen"
    assert button.isEnabled(), f"{name} is grey"
    left = QPoint(button.height() // 2, button.height() // 2)  # the middle of a wide check box is empty
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, left)


def is_gone(thing: QObject) -> bool:
    """Whether Qt has deleted it; `waitSignal(destroyed)` would touch it once more."""
    return not shiboken6.isValid(thing)


class Opened(QObject):
    """Takes what the desktop would open."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.places.append(url.toLocalFile())


@contextmanager
def instead_of_the_desktop() -> Iterator[Opened]:
    """Nothing is really opened meanwhile."""
    opened = Opened()
    QDesktopServices.setUrlHandler("file", opened, "take")  # type: ignore[arg-type]  # the stub says bytes, which it refuses
    try:
        yield opened
    finally:
        QDesktopServices.unsetUrlHandler("file")


def let_everything_come_back(worker: Worker, qtbot: QtBot) -> None:
    """Until what the worker's threads had in hand was told on this one."""
    back: list[None] = []
    for _ in range(20):  # more than there are threads
        worker.run(lambda: None, back.append)
    qtbot.waitUntil(lambda: len(back) == 20)
