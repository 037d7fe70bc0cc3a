# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Acceptance sentences about waiting: what waits says why and until when, goes on by itself, blocks nothing else."""

import io
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.journal.browse import FileQuery
from fieldpost_desktop.engine.link.network import Metered
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources import file_reader
from fieldpost_desktop.engine.sources.file_probe import open_shared
from fieldpost_desktop.engine.watching.folder_kind import NETWORK
from fieldpost_desktop.engine.watching.watcher import Watcher
from fieldpost_desktop.ui.text import wording
from fieldpost_shared.codes import Code
from support.engine.core import CHUNK, Rig
from support.gui.acceptance import (
    WAIT_MS,
    Desktop,
    banners,
    change_of,
    header,
    offers,
    pass_time,
    running,
    sentences,
    states,
    until,
    until_answered,
)
from support.gui.studio import OFFICE, App, Studio
from unit.desktop.engine.watching.van import a_van

S = FileState


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.close()


class Excel:
    """Another program that has files open, as Windows tells it: a sharing violation."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open: set[str] = set()
        monkeypatch.setattr(file_reader, "open_shared", self._open)

    def _open(self, path: str) -> io.FileIO:
        if Path(path).name in self.open:
            violation = PermissionError(13, "The process cannot access the file", path)
            violation.winerror = 32  # type: ignore[attr-defined]  # Windows' own number, on every system
            raise violation
        return open_shared(path)


@pytest.fixture
def excel(monkeypatch: pytest.MonkeyPatch) -> Excel:
    return Excel(monkeypatch)


def content(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - reproducible test data


def row_says(rig: Rig, file: int) -> str:
    """What the list would say of a file."""
    newest = [event for event in rig.events if isinstance(event, FileChanged) and event.row.id == file][-1]
    return wording.row_sentence(newest, OFFICE, rig.clock.now_ns(), rig.core.overall().hold)


def test_u05_a_stuck_file_is_noticed_in_2_minutes_and_never_blocks_others(rig: Rig, excel: Excel) -> None:
    excel.open.add("open.xlsx")
    stuck, in_use = rig.add(rig.file("large.bin", content(20_000_000)), rig.file("open.xlsx", content(3 * CHUNK)))
    rig.until(lambda: rig.connector.links)
    first = rig.link
    for _ in range(20):  # a good link: 1 MB a second
        first.take = len(rig.topic.records) + 8
        rig.pass_time(0.5)
    first.held = True
    (small,) = rig.add(rig.file("small.txt", b"a few words"))
    rig.pass_time(110)
    assert rig.connector.links == [first], "slow is not stuck"
    rig.pass_time(15)
    assert first.closed, "stuck: given up, and begun again on a new link"
    rig.until_confirmed(small, stuck)
    assert set(rig.office.published) == {"large.bin", "small.txt"}
    assert rig.row(in_use).state is S.RETRYING
    assert row_says(rig, in_use.id).startswith("The file is open in another program. Trying again")


def test_u06_a_file_locked_by_excel_goes_out_by_itself_after_closing(app: App, excel: Excel) -> None:
    excel.open.add("hours.xlsx")
    app.add(app.studio.file("hours.xlsx", 200_000))
    until(app, lambda: states(app).get("hours.xlsx") is S.RETRYING)
    assert sentences(app)["hours.xlsx"].startswith("The file is open in another program. Trying again")
    assert offers(app, "hours.xlsx")[0] == "Try now"
    pass_time(app, 40)
    until(app, lambda: change_of(app, "hours.xlsx").row.attempt > 1)
    assert app.studio.published == {}
    excel.open.clear()
    pass_time(app, 40)
    until(app, app.confirmed)
    assert app.studio.published == {"hours.xlsx": 200_000}


def test_u07_on_a_metered_network_large_files_wait(app: App) -> None:
    app.studio.network.is_metered = Metered.YES
    app.add(
        app.studio.file("film.mp4", 5_000_001), app.studio.file("note.txt", 400), app.studio.file("map.pdf", 90_000)
    )
    until_answered(app, lambda: len(app.studio.published) == 2)
    until(app, lambda: states(app).get("film.mp4") is S.QUEUED and len(banners(app)) == 1)
    assert sentences(app)["film.mp4"] == "Waits: this connection costs money (metered)"
    assert banners(app)[0].startswith("Waits: this connection costs money (metered) ")
    assert offers(app, "film.mp4")[0] == "Send anyway"
    sent = len(app.studio.topic.records)
    pass_time(app, 600)
    assert len(app.studio.topic.records) == sent
    app.controller.transfers.view.choose(change_of(app, "film.mp4").row.id)
    app.controller.transfers.view._main_action()
    until(app, app.confirmed)
    assert app.studio.published["film.mp4"] == 5_000_001
    app.add(app.studio.file("film 2.mp4", 5_000_001))
    until(app, lambda: sentences(app).get("film 2.mp4") == "Waits: this connection costs money (metered)")
    app.studio.network.is_metered = Metered.NO
    until(app, app.confirmed)


def test_u08_sending_keeps_to_set_hours_and_send_now_overrides(app: App) -> None:
    begins = datetime.now().astimezone() + timedelta(hours=2)
    hours = f"{begins:%H:%M}-{begins + timedelta(hours=1):%H:%M}"
    app.instance.change_setting("schedule", hours)
    app.add(app.studio.file("a.jpg", 100_000))
    until(app, lambda: sentences(app).get("a.jpg", "").endswith(f"{begins:%H:%M}") and len(banners(app)) == 1)
    assert sentences(app)["a.jpg"].startswith("Waits until ")
    assert header(app).startswith("Waits until ")
    assert banners(app)[0].endswith("[Send now]")
    pass_time(app, 600)
    assert app.studio.topic.records == []
    app.controller.window.header.send_now.click()
    until(app, app.confirmed)
    app.add(app.studio.file("b.jpg", 100_000))
    until(app, lambda: sentences(app).get("b.jpg", "").startswith("Waits until "))
    sent = len(app.studio.topic.records)
    pass_time(app, 600)
    assert len(app.studio.topic.records) == sent, "the leave was for the files of that moment"


def test_u12_a_waiting_file_always_shows_its_next_try(studio: Studio, excel: Excel, qtbot: QtBot) -> None:
    def all_say_when(app: App) -> bool:
        said = list(sentences(app).values())
        return len(said) == 2 and all("Trying again in " in one and one.endswith(" try)") for one in said)

    studio.gate.connecting = Code.NO_CONNECTION
    with running(studio, qtbot) as app:
        app.add(studio.file("a.jpg", 100_000), studio.file("b.txt", 10))
        until(app, lambda: len(sentences(app)) == 2)
        for _ in range(4):
            pass_time(app, 20)
        until(app, lambda: all_say_when(app))
        assert all(said.startswith(f"No connection to {OFFICE}. Trying") for said in sentences(app).values())
        assert "Trying again in " in header(app)
        until(app, lambda: "Trying again in " in app.controller.tray.tooltip)
        (said,) = banners(app)
        assert said.startswith(f"No connection to {OFFICE}. ")
        assert said.endswith("[Try now]")
        before = header(app)
        until(app, lambda: header(app) != before)  # it counts down
    excel.open = {"a.jpg", "b.txt"}
    studio.gate.connecting = None
    with running(studio, qtbot) as app:
        for _ in range(4):
            pass_time(app, 20)
        until(app, lambda: all_say_when(app))
        attempts = {row.id: row.attempt for row in app.instance.page(app.controller.transfers.model.query)}
    with running(studio, qtbot) as app:
        until(app, lambda: all_say_when(app))
        now = {row.id: row.attempt for row in app.instance.page(app.controller.transfers.model.query)}
        assert all(now[file] >= attempt for file, attempt in attempts.items()), "a restart forgets no try"


def test_u13_after_wake_nothing_is_tried_before_the_network_is_back(rig: Rig) -> None:
    (row,) = rig.add(rig.file("a.bin", content(40 * CHUNK)))
    rig.link_holding_after(10)
    tries, sent = rig.connector.tries, len(rig.topic.records)
    rig.connector.fail = Code.NO_CONNECTION
    rig.clock.advance(8 * 3600)  # the lid is closed over night
    rig.steps(20)
    status = rig.core.overall()
    assert wording.overall_sentence(status, OFFICE, rig.clock.now_ns()).startswith("This computer was asleep;")
    rig.pass_time(9, tick=0.5)
    assert (rig.connector.tries, len(rig.topic.records)) == (tries, sent), "the network has 10 s to come back"
    rig.pass_time(8, tick=0.5)
    assert rig.connector.tries > tries
    assert row_says(rig, row.id).startswith(f"No connection to {OFFICE}. Trying again")
    assert rig.row(row).attempt == 0, "no file is blamed for the night"
    rig.connector.fail = None
    rig.until_confirmed(row)


def test_u14_the_same_failure_is_not_notified_twice(app: App, desktop: Desktop) -> None:
    def lose(name: str) -> None:
        app.add(app.studio.folder / "moved away" / name)
        until(app, lambda: states(app).get(name) is S.ATTENTION)

    pass_time(app, 40)
    lose("a.pdf")
    pass_time(app, 60)
    assert [notice.title for notice in desktop.notices] == ["1 file needs you"]
    lose("b.pdf")
    pass_time(app, 600)
    for _ in range(3):
        app.controller.transfers.filters.retry.click()
        app.instance.do(lambda _: None).result(WAIT_MS / 1000)  # behind the retry, which is in the journal now
        until(app, lambda: {row.state for row in app.instance.page(FileQuery())} == {S.ATTENTION})
        pass_time(app, 60)
        until(app, lambda: set(states(app).values()) == {S.ATTENTION})
    assert len(desktop.notices) == 1, "one cause, told once, however often it is tried"
    app.instance.do(lambda commands: commands.cancel([change_of(app, name).row.id for name in ("a.pdf", "b.pdf")]))
    until(app, lambda: S.ATTENTION not in app.bridge.overall.counts)
    pass_time(app, 120)
    lose("c.pdf")
    pass_time(app, 60)
    assert [notice.title for notice in desktop.notices] == ["1 file needs you"] * 2, "cured, then broken anew"


def test_u22_a_file_on_a_network_folder_is_found_without_events(tmp_path: Path) -> None:
    with a_van(tmp_path) as van:
        watcher = Watcher(van.store, van.clock, lambda: None, van.events.append, scan_policy=lambda _: NETWORK)
        van.watch()
        watcher.step()
        van.write("day 1/bridge.jpg")  # no event tells of it: the watcher's thread and its hints are not running
        seen: list[str] = []
        for _ in range(80):
            van.clock.advance(1)
            watcher.step()
            told = [event for event in van.events if isinstance(event, FileChanged)]
            seen += [wording.row_sentence(event, OFFICE, van.clock.now_ns(), None) for event in told[-1:]]
        assert list(dict.fromkeys(seen)) == ["Still being written", "Waiting its turn"]
        assert van.states() == {"day 1/bridge.jpg": S.QUEUED}
