# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""An app out of sight lets the processor sleep: no timer of it is faster than four times a second."""

from typing import Final

from PySide6.QtCore import QAbstractEventDispatcher, QObject

from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.threads.bridge import TICK_MS
from fieldpost_shared.codes import Code
from support.gui.acceptance import change_of, states, until
from support.gui.studio import App

S = FileState
_FASTEST_MS: Final = 250
_STRIPES: Final = "QTimer of ListAnimation"  # of files that wait for their receipt


def ticking(app: App) -> list[tuple[str, int]]:
    """Every timer of the app that runs, by its owner: its own ones and those inside of Qt's widgets."""
    dispatcher = QAbstractEventDispatcher.instance()
    controller = app.controller
    roots: list[QObject] = [
        controller,
        controller.window,
        controller.tray.menu,
        app.bridge,
        controller._worker,
        controller._single_instance,
    ]
    everything = [one for root in roots for one in (root, *root.findChildren(QObject))]
    return [(_owner(one), info.interval) for one in everything for info in dispatcher.registeredTimers(one)]


def _owner(one: QObject) -> str:
    return f"{type(one).__name__} of {type(one.parent()).__name__}"


def too_fast(app: App) -> list[str]:
    return [owner for owner, interval in ticking(app) if interval < _FASTEST_MS]


def close_window(app: App) -> None:
    app.controller.window.close()
    assert not app.controller.window.isVisible()


def test_with_nothing_to_do_and_no_window_no_timer_is_fast(app: App) -> None:
    app.add(app.studio.file("a.bin", 300_000), app.studio.file("b.txt", 10))
    until(app, app.confirmed)
    app.controller.transfers.view.choose(change_of(app, "a.bin").row.id)
    app.controller.transfers.view.details_wanted.emit()
    close_window(app)
    until(app, lambda: not too_fast(app))
    assert ("QTimer of Bridge", TICK_MS) in ticking(app), "it was looked at, and is the fastest"


def test_while_files_wait_for_an_answer_only_a_visible_window_moves(app: App) -> None:
    app.add(app.studio.file("a.bin", 300_000))
    until(app, lambda: states(app) == {"a.bin": S.SENT})
    until(app, lambda: too_fast(app) == [_STRIPES])
    close_window(app)
    until(app, lambda: not too_fast(app))
    app.controller.window.bring_up()
    until(app, lambda: too_fast(app) == [_STRIPES])


def test_while_nothing_can_be_sent_no_timer_is_fast(app: App) -> None:
    app.studio.gate.held = True
    app.add(app.studio.file("a.bin", 300_000), app.studio.folder / "missing.pdf")
    until(app, lambda: set(states(app).values()) == {S.SENDING, S.ATTENTION})
    app.studio.gate.trouble = app.studio.gate.connecting = Code.SIGN_IN_REFUSED
    until(app, lambda: app.bridge.overall.hold is not None)
    close_window(app)
    until(app, lambda: not too_fast(app))
