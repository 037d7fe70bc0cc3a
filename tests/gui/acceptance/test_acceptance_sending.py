# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The acceptance sentences about sending: pausing, going on after a restart, retrying, and files from elsewhere."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text import wording
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol import status
from fieldpost_shared.protocol.messages import Chunk, decode
from support.engine.core import CHUNK, Rig
from support.gui.acceptance import change_of, offers, pass_time, running, sentences, states, until, until_answered
from support.gui.hands import click
from support.gui.studio import OFFICE, App, Studio

S = FileState
_PROGRAM = Path(sys.executable).with_name("fieldpost")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.close()


def parts_sent(studio: Studio) -> list[int]:
    """The numbers of the parts that reached the broker, in order."""
    messages = [decode(record.key, record.headers, record.value) for _, _, record in studio.topic.records]
    return [message.index for message in messages if isinstance(message, Chunk)]


@pytest.mark.parametrize("unpurgeable", [False, True], ids=["in the queue", "already on the line"])
def test_u16_after_paused_not_one_more_part_leaves(rig: Rig, unpurgeable: bool) -> None:
    def says() -> str:
        return wording.overall_sentence(rig.core.overall(), OFFICE, rig.clock.now_ns())

    data = random.Random(1).randbytes(60 * CHUNK)  # noqa: S311 - reproducible test data
    (row,) = rig.add(rig.file("a.bin", data))
    rig.link_holding_after(10)
    rig.steps(5)
    line = rig.link
    line.unpurgeable = unpurgeable
    rig.core.commands.pause_all()
    rig.steps(1)
    assert says().startswith("Pausing…")
    rig.pass_time(6, tick=0.5)
    assert says().startswith("Paused")
    left = len(rig.topic.records)
    for link in rig.connector.links:
        link.held, link.take = False, None
    rig.pass_time(600)
    rig.steps(50)
    assert len(rig.topic.records) == left
    assert not line.queue, "nothing waits in the line either"
    rig.core.commands.resume_all()
    rig.until_confirmed(row)
    assert rig.office.published == {"a.bin": data}


def test_u17_a_restart_resumes_at_the_next_part_never_at_zero(studio: Studio, qtbot: QtBot, rig: Rig) -> None:
    studio.gate.most = 20
    source = studio.file("survey.bin", 60 * CHUNK)
    with running(studio, qtbot) as app:
        app.add(source)
        until(app, lambda: change_of(app, "survey.bin").acknowledged == 20 if states(app) else False)
        assert sentences(app)["survey.bin"].startswith("Sending 20 of 60 parts")
    told: list[FileChanged] = []
    with running(studio, qtbot) as app:
        app.bridge.files_changed.connect(told.extend)
        until(app, lambda: sentences(app).get("survey.bin", "").startswith("Sending 20 of 60 parts"))
        studio.gate.most = None
        until(app, app.confirmed)
    assert min(change.acknowledged for change in told) >= 20
    assert sorted(parts_sent(studio)) == list(range(60)), "every part once"
    # The same after a crash, where only the journal is left: what was acknowledged a moment ago may go twice.
    (row,) = rig.add(rig.file("a.bin", random.Random(2).randbytes(60 * CHUNK)))  # noqa: S311 - reproducible test data
    rig.link_holding_after(40)
    rig.pass_time(2, 0.6)
    rig.events.clear()
    rig.reopen()
    rig.until_confirmed(row)
    assert min(event.acknowledged for event in rig.events if isinstance(event, FileChanged)) == 40
    assert sum(isinstance(message, Chunk) for message in rig.office.messages) == 60


def test_u18_failed_files_can_be_retried_filtered_and_copied_in_one_click(app: App) -> None:
    names = ["a.pdf", "b.pdf", "c.pdf"]
    missing = [app.studio.folder / "sources" / name for name in names]
    app.add(app.studio.file("fine.jpg", 100_000), *missing)
    until_answered(app, lambda: app.bridge.overall.counts == {S.CONFIRMED: 1, S.ATTENTION: 3})
    window = app.controller.window
    click(window, "show_attention")
    until(app, lambda: states(app) == dict.fromkeys(names, S.ATTENTION))
    click(window, "copy_failed")
    until(app, lambda: set(QGuiApplication.clipboard().text().splitlines()) == {str(path) for path in missing})
    for name in names:
        app.studio.file(name, 70_000)
    click(window, "retry_all")
    until(app, app.confirmed)
    assert set(app.studio.published) == {"fine.jpg", *names}


def test_u19_explorers_send_to_reaches_the_running_app(app: App) -> None:
    """Send to starts the program once more, with the files behind `open`; issue 7's installer makes the shortcut."""
    app.controller.window.hide()
    files = [app.studio.file("Prüfbericht ☂.pdf", 100_000), app.studio.file("b & c.txt", 10)]
    second = subprocess.Popen(
        [_PROGRAM, "--data-dir", app.studio.paths.data_dir, "open", *files],
        env=dict(os.environ) | {"QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        until(app, lambda: second.poll() is not None)
    finally:
        second.kill()  # without a first app it would go on as one of its own
        second.wait()
    assert second.returncode == Exit.DONE, "it hands over and ends"
    until(app, app.confirmed)
    assert app.studio.published == {"Prüfbericht ☂.pdf": 100_000, "b & c.txt": 10}


def test_u21_recovered_rows_keep_all_their_buttons(studio: Studio, qtbot: QtBot) -> None:
    with running(studio, qtbot) as app:
        app.add(studio.file("confirmed.jpg", 100), studio.file("sent.jpg", 70_000), studio.file("refused.jpg", 70_000))
        until(app, lambda: list(states(app).values()) == [S.SENT] * 3)
        refused = change_of(app, "refused.jpg").row.transfer
        assert refused is not None
        studio.say(status.Rejected(refused, Code.NAME_REFUSED, "reserved"))
        confirmed = change_of(app, "confirmed.jpg").row
        assert confirmed.transfer is not None
        studio.say(status.Received(confirmed.transfer, 100, confirmed.sha256, renamed=False, duplicate=False))
        studio.gate.most = len(studio.topic.records) + 3
        app.add(studio.file("paused.bin", 600_000), studio.folder / "missing.pdf")
        until(app, lambda: states(app).get("paused.bin") is S.SENDING and change_of(app, "paused.bin").acknowledged)
        app.instance.do(lambda commands: commands.pause([change_of(app, "paused.bin").row.id]))
        app.add(studio.file("cancelled.bin", 600_000))
        until(app, lambda: "cancelled.bin" in states(app))
        app.instance.do(lambda commands: commands.cancel([change_of(app, "cancelled.bin").row.id]))
        app.add(studio.file("sending.bin", 600_000))
        until(app, lambda: states(app).get("sending.bin") is S.SENDING)
        until(app, lambda: set(states(app).values()) >= {S.PAUSED, S.CANCELLED, S.ATTENTION, S.SENT, S.CONFIRMED})
        before = {name: offers(app, name) for name in states(app)}
    with running(studio, qtbot) as app:
        until(app, lambda: len(states(app)) == 7 and states(app)["sending.bin"] is S.SENDING)
        assert {name: offers(app, name) for name in states(app)} == before
        assert offers(app, "paused.bin")[0] == "Resume"
        assert sentences(app)["paused.bin"] == "Paused at 3 of 10 parts"
        assert offers(app, "missing.pdf")[:2] == ["Locate…", "Try now"]
        assert offers(app, "refused.jpg")[0] == "Send under another name…"
        assert offers(app, "cancelled.bin")[0] == "Send again"
        studio.gate.most = None
        app.controller.transfers.view.choose(change_of(app, "paused.bin").row.id)
        app.controller.transfers.view._main_action()
        until_answered(app, lambda: {"paused.bin", "sending.bin"} <= set(studio.published))
        pass_time(app, 1)
