# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files from the window to the office, every byte of them: dropped ones with the real receiver, watched ones."""

from pathlib import Path

import pytest

from fieldpost_desktop.engine.model.states import FileState
from support.brokers import Topics
from support.processes.app import AppProcess, Laptop
from support.processes.cli import CLIENT, office_for
from support.processes.receiver import Receiver, secure_kafka
from support.samples import digest, make
from support.waiting import wait_until

SIZES = {"empty.txt": 0, "note.txt": 11, "photo.jpg": 300_000, "plan.pdf": 5_000_000, "survey.las": 21_000_000}
BELOW = {"day 1/måling.csv": 2_000, "day 1/raw/log.bin": 1_500_000}
pytestmark = pytest.mark.timeout(240)  # Spark takes some seconds to start, more on a busy machine
MEMORY = 400_000_000  # Qt, its fonts and a window; with 21 MB of files in it there is no room for whole ones of GB


def test_dropped_files_turn_green_when_the_receiver_has_every_byte(laptop: Laptop, post: Topics) -> None:
    sources = {name: make(laptop.folder / "sources", name, size) for name, size in (SIZES | BELOW).items()}
    names = [Path(name).name for name in sources]
    app = laptop.open()
    app.ask("drag", [str(laptop.folder)])
    assert app.said("drop_overlay") == "Drop to send: 1 item"
    app.picture("overlay")
    app.drop(*(sources[name] for name in SIZES), sources["day 1/måling.csv"].parent)
    wait_until(lambda: list(app.states().values()) == [FileState.SENT] * len(sources), 60, "all to be sent")
    assert "waiting for confirmation" in (app.said("overall_sentence") or "")
    wait_until(lambda: app.ask("tray")["state"] == "working", 5, "the tray, which shows each state for a second")
    app.picture("sent")
    kafka = secure_kafka(post, laptop.folder / "secrets")
    with Receiver(post, laptop.folder / "receiver", kafka=kafka) as receiver:
        app.all_confirmed(*names)
        arrived = {name: digest(path) for name, path in receiver.files().items()}
    assert arrived == {f"{CLIENT}/{name}": digest(path) for name, path in sources.items()}
    assert all("Confirmed" in row["aloud"] and "Head office" in row["aloud"] for row in app.rows().values())
    app.sees("overall_sentence", "All files confirmed by Head office")
    app.picture("confirmed")
    assert app.memory() < MEMORY
    assert app.terminate() == 0


def test_a_file_that_appears_in_a_watched_folder_is_sent(laptop: Laptop, post: Topics) -> None:
    folder = make(laptop.folder / "scans", "old.tif", 1_000).parent
    with office_for(post, laptop.folder / "office") as office:
        app = laptop.open()
        app.sees("foot", "Head office")
        app.ask("keys", "Ctrl+2")
        watch(app, folder)
        new = make(folder, "new.tif", 2_000_000, seed=1)
        assert office.wait_for(1) == {f"{CLIENT}/new.tif": digest(new)}
        app.picture("folders")
        app.ask("keys", "Ctrl+1")
        app.all_confirmed("new.tif")
        assert "scans" in app.rows()["new.tif"]["aloud"]
        app.picture("list")
        assert app.terminate() == 0


def watch(app: AppProcess, folder: Path) -> None:
    app.drop(folder, onto="folders_page")
    app.sees("existing_question", "already holds 1 file")
    app.picture("rules")
    app.press("No, only what comes from now on")
    app.press("Watch this folder")
    wait_until(lambda: app.said("folder_1") is not None, 10, "the folder in the list")
