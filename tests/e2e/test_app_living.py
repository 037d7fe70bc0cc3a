# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app among other programs: started twice, hidden, closed, quit, told to end."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.commands.session import engine_runs
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.engine.runtime.paths import Paths
from reference_receiver.office import Office
from support.brokers import Topics
from support.processes.app import Laptop
from support.processes.cli import CLIENT, office_for
from support.samples import digest, make
from support.waiting import wait_until


@pytest.fixture
def office(tmp_path: Path, post: Topics) -> Iterator[Office]:
    with office_for(post, tmp_path / "office") as running:
        yield running


@pytest.mark.usefixtures("office")
def test_a_second_start_gives_its_files_to_the_first_and_ends(laptop: Laptop) -> None:
    first = laptop.open()
    second = laptop.start("open", str(laptop.cli.file("from the explorer.txt")))
    assert second.ended() == 0
    first.all_confirmed("from the explorer.txt")
    first.picture("first")
    assert first.terminate() == 0


def test_quitting_with_work_left_asks_and_the_work_goes_on_next_time(laptop: Laptop, office: Office) -> None:
    source = make(laptop.folder, "survey.las", 30_000_000)
    laptop.env["FIELDPOST_BANDWIDTH_LIMIT"] = "2MB/s"
    app = laptop.open("open", str(source))
    wait_until(lambda: FileState.SENDING in app.states().values(), 30, "sending to begin")
    app.ask("keys", "Ctrl+Q")
    wait_until(lambda: app.ask("question"), 10, "the question")
    assert app.ask("question") == "1 file is not sent yet. Sending goes on when Fieldpost runs again."
    app.picture("question")
    app.press("Keep running")
    wait_until(lambda: app.ask("question") is None, 10, "the question to go")
    app.ask("keys", "Ctrl+Q")
    app.press("Quit")
    assert app.ended() == 0
    check_journal(laptop)
    app = laptop.open()
    wait_until(lambda: FileState.SENDING in app.states().values(), 30, "sending to go on")
    assert app.terminate() == 0, "the system goes down: no question"
    check_journal(laptop)
    laptop.env.clear()
    app = laptop.open()
    app.all_confirmed("survey.las")
    assert office.arrived() == {f"{CLIENT}/survey.las": digest(source)}
    app.ask("keys", "Ctrl+Q")
    assert app.ended() == 0, "nothing is left: no question"


def test_an_installer_ends_the_app_without_a_question_and_the_queue_stays(bare_laptop: Laptop) -> None:
    bare_laptop.cut_off()
    app = bare_laptop.open("open", str(bare_laptop.cli.file("a.txt")))
    wait_until(lambda: app.states() == {"a.txt": FileState.QUEUED}, 20, "the file in the list")
    app.ask("keys", "Ctrl+Q")
    wait_until(lambda: app.ask("question"), 10, "the question, which stays open")
    ended = bare_laptop.cli.run("quit").check(Exit.DONE)
    assert "What is queued goes on at its next start." in ended.err
    assert not engine_runs(Paths(bare_laptop.cli.data_dir))
    assert app.ended() == 0
    check_journal(bare_laptop)


def test_an_app_that_is_not_set_up_yet_can_be_ended_too(bare_laptop: Laptop) -> None:
    app = bare_laptop.open()
    bare_laptop.cli.run("quit").check(Exit.DONE)
    assert app.ended() == 0


@pytest.mark.usefixtures("office")
def test_without_a_tray_a_hidden_start_and_the_closing_cross_minimise(laptop: Laptop) -> None:
    app = laptop.open("--hidden")
    assert app.ask("tray")["available"] is False
    assert app.ask("window")["minimized"]
    assert laptop.start().ended() == 0
    wait_until(lambda: not app.ask("window")["minimized"], 10, "the window to come up")
    app.picture("came up")
    app.ask("close")
    assert app.ask("window")["minimized"]
    app.drop(laptop.cli.file("a.txt"))
    app.all_confirmed("a.txt")
    assert app.terminate() == 0


def test_the_app_ends_on_request_while_it_looks_for_a_server(bare_laptop: Laptop) -> None:
    bare_laptop.cut_off()
    app = bare_laptop.open("open", str(bare_laptop.cli.file("a.txt")))
    wait_until(lambda: app.states() == {"a.txt": FileState.QUEUED}, 20, "the file in the list")
    app.picture("alone")
    assert app.terminate() == 0, "an attempt to connect takes 15 s; the end does not wait for it"
    check_journal(bare_laptop)


def check_journal(laptop: Laptop) -> None:
    """Nothing was lost, and nothing is half written."""
    assert [row.state in OPEN for row in laptop.cli.rows()] == [True]
    with closing(sqlite3.connect(laptop.cli.data_dir / "journal.db")) as journal:
        assert journal.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
