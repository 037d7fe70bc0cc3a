# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The acceptance sentences about what is seen: one truth everywhere, every failure named once, and nothing hidden."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.journal.browse import Group
from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.detail.pane import DetailPane
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.transfers.row_style import row_style
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.protocol import status
from support.gui.acceptance import (
    Desktop,
    banners,
    change_of,
    header,
    pass_time,
    running,
    screen_reader_text,
    sentences,
    states,
    until,
    until_answered,
)
from support.gui.hands import click, find, text
from support.gui.studio import OFFICE, App, Studio

S = FileState


def missing(app: App, *names: str) -> list[Path]:
    """Files that were moved away between the drop and the look at them."""
    return [app.studio.folder / "moved away" / name for name in names]


def test_u01_the_tray_is_never_calm_while_a_file_failed(studio: Studio, qtbot: QtBot, qapp: QApplication) -> None:  # noqa: ARG001 - Qt must be up
    with running(studio, qtbot) as app:
        app.add(*missing(app, "lost.pdf"))
        until(app, lambda: app.controller.tray.state is OverallState.ATTENTION)
        seen: set[OverallState] = set()
        app.bridge.overall_changed.connect(lambda _: seen.add(app.controller.tray.state))
        app.add(*(studio.file(f"{number}.jpg", 100_000) for number in range(3)))
        until_answered(app, lambda: len(studio.published) == 3)
        until(app, lambda: app.bridge.overall.counts.get(S.CONFIRMED) == 3)
        app.controller.window.header.pause.click()
        until(app, lambda: "Paused" in header(app))
        assert seen == {OverallState.ATTENTION}, "neither sent files nor a pause make up for the lost one"
        assert "1 file needs you" in app.controller.tray.tooltip
    with running(studio, qtbot) as app:
        until(app, lambda: app.controller.tray.state is OverallState.ATTENTION)
        app.instance.do(lambda commands: commands.cancel([change_of(app, "lost.pdf").row.id]))
        app.controller.window.header.pause.click()
        until(app, lambda: app.controller.tray.state is OverallState.ALL_CONFIRMED)


def test_u02_tray_tooltip_header_and_taskbar_never_disagree(app: App, desktop: Desktop) -> None:
    def agree() -> bool:
        said, tray = header(app), app.controller.tray
        calm = tray.state is OverallState.ALL_CONFIRMED
        title = "Fieldpost" if calm else f"{said} · Fieldpost"
        needy = app.bridge.overall.counts.get(S.ATTENTION, 0)
        return (tray.state, tray.tooltip, app.controller.window.windowTitle(), desktop.badge) == (
            app.bridge.overall.state,
            said,
            title,
            needy,
        )

    def shown(state: OverallState) -> None:
        until(app, lambda: app.bridge.overall.state is state and agree())
        tray = app.controller.tray
        tray.menu.aboutToShow.emit()
        assert tray.menu.actions()[0].text() == tray.tooltip, "the menu's first line says the same"

    gate, window = app.studio.gate, app.controller.window
    shown(OverallState.ALL_CONFIRMED)
    gate.held = True
    app.add(app.studio.file("survey.bin", 3_000_000))
    shown(OverallState.WORKING)
    window.header.pause.click()
    shown(OverallState.PAUSED)
    window.header.pause.click()
    shown(OverallState.WORKING)
    gate.connecting, gate.trouble = Code.NO_CONNECTION, Code.NO_CONNECTION
    pass_time(app, 60)
    shown(OverallState.WAITING)
    app.add(*missing(app, "a.pdf", "b.pdf"))
    shown(OverallState.ATTENTION)
    assert desktop.badge == 2
    gate.held, gate.connecting, gate.trouble = False, None, None
    click(window, "retry_all")
    until_answered(app, lambda: "survey.bin" in app.studio.published)
    shown(OverallState.ATTENTION)
    app.instance.do(lambda commands: commands.cancel([change_of(app, name).row.id for name in ("a.pdf", "b.pdf")]))
    shown(OverallState.ALL_CONFIRMED)


def test_u03_one_cause_makes_one_message_with_what_to_do(studio: Studio, desktop: Desktop, qtbot: QtBot) -> None:
    studio.gate.connecting = Code.SIGN_IN_REFUSED
    with running(studio, qtbot) as app:
        names = [f"{number}.jpg" for number in range(20)]
        app.add(*(studio.file(name) for name in names))
        until(app, lambda: len(states(app)) == 20 and app.bridge.overall.state is OverallState.ATTENTION)
        assert set(states(app).values()) == {S.QUEUED}, "the files are not to blame"
        (said,) = banners(app)
        assert said.startswith("User name or password not accepted.")
        assert said.endswith("[Enter password…]")
        pass_time(app, 120)
        assert [notice.title for notice in desktop.notices] == ["Nothing can be sent now"]
        assert "Enter the password again." in desktop.notices[0].text
        studio.gate.connecting = None
        app.instance.do(lambda commands: commands.retry([]))
        until(app, app.confirmed)
        assert banners(app) == []
        desktop.notices.clear()
        pass_time(app, 120)
        assert [notice.title for notice in desktop.notices] == ["20 files confirmed"]
        desktop.notices.clear()
        app.add(*missing(app, *(f"lost {number}.pdf" for number in range(12))))
        until(app, lambda: app.bridge.overall.counts.get(S.ATTENTION) == 12)
        pass_time(app, 120)
        (told,) = desktop.notices
        assert told.title == "12 files need you"
        assert "Show Fieldpost where it is now, or cancel." in told.text


def test_u04_every_error_names_its_file(app: App, desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = "bridge survey 12.pdf"
    app.add(*missing(app, lost))
    until(app, lambda: states(app).get(lost) is S.ATTENTION)
    assert sentences(app)[lost] == "Needs you: the file was moved or deleted (F2)"
    assert screen_reader_text(app, lost).startswith(f"{lost}. Needs you: the file was moved or deleted (F2).")
    pass_time(app, 60)
    (told,) = desktop.notices
    assert lost in told.text
    app.controller.transfers.view.choose(change_of(app, lost).row.id)
    app.controller.transfers.view.details_wanted.emit()
    pane = find(app.controller.window, DetailPane, "detail_pane")
    until(app, lambda: text(pane, "file_name") == lost)
    for code in Code:
        said = wording.failure(code, "", OFFICE, lost, S.ATTENTION)
        assert said.happened.startswith(f"{lost}: "), code
        assert said.label == CODES[code].label
    nowhere = str(app.studio.folder / "nowhere.pdf")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (nowhere, ""))
    app.controller.transfers.locate_wanted.emit(change_of(app, lost).row.id)
    until(app, lambda: banners(app))
    assert banners(app)[0].startswith(f"{lost}: The file was moved or deleted.")


def test_u15_a_failure_is_visible_with_the_window_closed(app: App, desktop: Desktop) -> None:
    window, tray = app.controller.window, app.controller.tray
    window.close()
    assert not window.isVisible()
    assert desktop.notices.pop().title == "Fieldpost goes on sending", "closing says once that it does not quit"
    app.add(app.studio.file("fine.jpg"), *missing(app, "lost.pdf"))
    until(app, lambda: tray.state is OverallState.ATTENTION)
    until(app, lambda: tray.tooltip.startswith("1 file needs you"))
    pass_time(app, 40)
    assert not window.isVisible(), "it is told beside the clock, not by a window that comes up"
    assert desktop.notices[0].title == "1 file needs you"
    assert "lost.pdf" in desktop.notices[0].text
    tray._icon.messageClicked.emit()
    assert window.isVisible()
    assert app.controller.transfers.model.query.group is Group.ATTENTION
    until(app, lambda: states(app) == {"lost.pdf": S.ATTENTION})


def test_u20_a_file_never_shows_green_before_the_receipt(app: App) -> None:
    model, green = app.controller.transfers.model, list[str]()

    def look() -> None:
        rows = [model.change(row) for row in range(model.rowCount())]
        for change in rows:
            if row_style(change).tone is Tone.CONFIRMED and change.row.path not in app.studio.published:
                green.append(change.row.path)

    for changed in (model.dataChanged, model.rowsInserted, model.modelReset):
        changed.connect(look)
    app.add(app.studio.file("large.bin", 1_000_000), app.studio.file("small.txt", 50))
    until(app, lambda: set(states(app).values()) == {S.SENT})
    assert set(sentences(app).values()) == {"Sent, waiting for confirmation"}
    until(app, lambda: app.controller.tray.state is OverallState.WORKING)
    assert header(app) == "2 files sent, waiting for confirmation"
    transfer = change_of(app, "large.bin").row.transfer
    assert transfer is not None
    app.studio.say(status.Progress(transfer, 15, 16, status.Phase.RECEIVING))
    until(app, lambda: change_of(app, "large.bin").arrived == 15)
    assert states(app)["large.bin"] is S.SENT
    until(app, app.confirmed)
    until(app, lambda: set(states(app).values()) == {S.CONFIRMED})
    assert all(said.startswith("Confirmed ") and said.endswith(f" by {OFFICE}") for said in sentences(app).values())
    assert green == []
    assert {row_style(model.change(row)).tone for row in range(model.rowCount())} == {Tone.CONFIRMED}
