# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app on a stage: the real window on the real engine, whose time stands still and whose news a scene tells.

What a scene shows is in the journal as well, so that all that the window asks for is there.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QModelIndex, QObject, QSize
from PySide6.QtTest import QTest

from fieldpost_desktop.app import profile_store
from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.engine.journal.browse import Group
from fieldpost_desktop.engine.journal.files import COLUMNS, Files
from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Event, OverallChanged, OverallStatus
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.overall_status import overall
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.runtime.holds import SMALL_ENOUGH
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.controller import Controller
from fieldpost_desktop.ui.shell.navigation import Page
from fieldpost_desktop.ui.shell.single_instance import SingleInstance
from fieldpost_desktop.ui.system.autostart import MemoryAutostart
from fieldpost_desktop.ui.system.network_hints import NetworkHints
from fieldpost_desktop.ui.system.preferences import Language, Preferences, PreferencesHolder
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.clock import NS_PER_S, FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.secret import Secret
from screenshots.files import HOME, LOGS, MINUTE_NS, NOW_NS, OLD, PHOTOS, RATE, STICK, Told
from support.gui.setup import PASSWORD, SIGNED
from support.gui.studio import Studio

PROFILE: Final = replace(SIGNED, id="head-office", bootstrap_servers="post.example.org:9093")
_SIZE: Final = QSize(1180, 680)
_SMALL: Final = QSize(900, 540)  # what a laptop's screen has left at 200 %
WAIT_MS: Final = 20_000
_NUMBERS: Final = {"Site 12": PHOTOS, "Pump logs": LOGS, "Camera": STICK, "Old jobs": OLD}
_UNDER_WAY: Final = (FileState.QUEUED, FileState.SENDING, FileState.RETRYING)
_LOOK_MS: Final = 20
_CALM_MS: Final = 120  # the worker's answers and the paints after them
_clock = phrases.clock


def _clock_of_the_pictures(ns: int, now_ns: int | None = NOW_NS) -> str:
    """Return the time of day on the day of the pictures, where the window would ask for today's date."""
    return _clock(ns, now_ns)


class StandingClock(FakeClock):
    """The same minute in every picture; waits are real, and end."""

    def __init__(self) -> None:
        super().__init__(NOW_NS)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        return event.wait(max(0.0, seconds))


class Ear:
    """Between engine and window: from the first scene on the engine is not heard any more."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.open = True

    def __call__(self, event: Event) -> None:
        if self.open:
            self._bridge(event)


class Stage:
    """Opens the app in the present folder; `show` brings files on, `calm` waits until all is painted."""

    def __init__(self, patch: pytest.MonkeyPatch, language: str, profile: Profile | None = PROFILE) -> None:
        patch.setattr(profile_file, "this_user_and_host", lambda: ("anna", "van-7"))
        patch.setattr(phrases, "clock", _clock_of_the_pictures)
        studio = Studio(Path(HOME, "AppData/Local"), None)
        studio.paths = Paths(Path(HOME, "AppData/Local/Fieldpost"))
        studio.clock = StandingClock()  # type: ignore[assignment]  # the engine knows only the port
        studio.vault.set(PROFILE.id, Secret(PASSWORD))
        if profile is not None:
            profile_store.keep(profile, studio.paths)
        self._bridge, worker = Bridge(), Worker()
        self._ear = Ear(self._bridge)
        self.instance = studio.instance(self._ear)
        preferences = Preferences(language=Language(language))
        self.controller = Controller(
            instance=self.instance,
            bridge=self._bridge,
            worker=worker,
            network=NetworkHints(find=lambda: None),
            preferences=PreferencesHolder(studio.paths, preferences, worker.run),
            autostart=MemoryAutostart("C:/Program Files/Fieldpost/fieldpost.exe"),
            single_instance=SingleInstance(studio.paths),
        )
        self.worker = worker
        self.controller.open()
        self.window = self.controller.window
        self.window.resize(_SMALL if self.window.devicePixelRatioF() > 1 else _SIZE)
        if profile is not None:
            self._silence_the_engine()

    def _silence_the_engine(self) -> None:
        self.wait(lambda: self.instance.condition is Condition.RUNNING)
        self.instance.engine.watcher.stop()
        self.instance.do(lambda commands: commands.pause_all()).result()
        self._ear.open = False
        self.calm()

    def close(self) -> None:
        self.controller.close()
        self.window.deleteLater()

    def wait(self, until: Callable[[], bool]) -> None:
        """For what the worker or the engine brings."""
        for _ in range(WAIT_MS // _LOOK_MS):
            if until():
                return
            QTest.qWait(_LOOK_MS)
        raise TimeoutError(until)

    def calm(self) -> None:
        """Until answers have come and everything is painted."""
        QTest.qWait(_CALM_MS)

    # what is shown

    def show(self, files: Sequence[Told], hold: Hold | None = None, *, silent: bool = False) -> None:
        """These files, and only these, in the journal and in the window."""
        self.instance.do(lambda _: _write(self.instance.engine.store, files)).result()
        self.window.show_page(Page.TRANSFERS)
        self.controller.transfers.show_group(Group.ALL)
        self._reload()
        self._bridge(OverallChanged(_status(files, hold, silent=silent)))
        for one in files:
            self._bridge(one.change)
        self._bridge.drain()
        self.calm()
        self.controller.transfers.view.setCurrentIndex(QModelIndex())
        self.controller.transfers.view.clearSelection()
        self.calm()

    def _reload(self) -> None:
        """Until the list has come: what comes later would choose a row."""
        come: list[bool] = []
        arrived = self.controller.transfers.model.arrived.connect(lambda: come.append(True))
        self.controller.transfers.reload()
        self.wait(lambda: bool(come))
        self.calm()
        QObject.disconnect(arrived)

    def folders(self, *, there: bool = True) -> None:
        """Some watched folders, or none."""
        self.instance.do(lambda _: _write_folders(self.instance.engine.store, there=there)).result()


def _write(store: Store, files: Sequence[Told]) -> None:
    with store.transaction() as db:
        for table in ("files", "chunks", "receipts"):
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
        journal = Files(store)
        for one in files:
            marks = ", ".join("?" * len(astuple(one.row)))
            db.execute(f"INSERT INTO files ({COLUMNS}) VALUES ({marks})", astuple(one.row))  # noqa: S608 - ours
            journal.acknowledge(one.row.id, [(ChunkIndex(part), b"") for part in range(one.acknowledged)])
            if one.row.ended_ns is not None and one.row.state is FileState.CONFIRMED:
                at = datetime.fromtimestamp(one.row.ended_ns // NS_PER_S, UTC)
                journal.add_receipt(one.row.id, "head-office", at.isoformat(), renamed=False, duplicate=False)


def _write_folders(store: Store, *, there: bool) -> None:
    with store.transaction() as db:
        db.execute("DELETE FROM folders")
        if not there:
            return
        folders = Folders(store)
        photos = FolderRules(include=("*.jpg", "*.png"), after=After.MOVE)
        for path, rules in (
            (f"{HOME}/Pictures/Site 12", photos),
            (f"{HOME}/Documents/Pump logs", FolderRules(minimum_age_s=600, subfolders=False)),
            ("E:/Camera", FolderRules()),
            (f"{HOME}/Documents/Old jobs", FolderRules(exclude=("*.bak",))),
        ):
            folder = folders.add(path, rules, NOW_NS - 600 * MINUTE_NS)
            db.execute("UPDATE folders SET id = ? WHERE id = ?", (_NUMBERS[Path(path).name], folder.id))
        for number in (PHOTOS, LOGS):
            folders.note_scan(number, NOW_NS - 5 * MINUTE_NS, None)
        folders.note_trouble(STICK, Code.FOLDER_GONE)
        folders.enable(OLD, enabled=False)


def _status(files: Sequence[Told], hold: Hold | None, *, silent: bool) -> OverallStatus:
    """As the engine would reckon it."""
    counts: dict[FileState, tuple[int, int]] = {}
    for one in files:
        number, size = counts.get(one.row.state, (0, 0))
        counts[one.row.state] = (number + 1, size + one.row.size)
    moving = hold is None and FileState.SENDING in counts
    tries = [one.row.next_try_ns for one in files if one.row.next_try_ns is not None]
    status = overall(
        counts,
        hold=hold,
        set_up=True,
        rate=RATE if moving else None,
        acknowledged=sum(one.acknowledged * one.row.chunk_size for one in files if one.row.state in _UNDER_WAY),
        next_try_ns=min(tries, default=None),
    )
    return replace(
        status,
        office_silent=silent,
        metered_limit=SMALL_ENOUGH if hold is not None and hold.kind is HoldKind.METERED else None,
        done=counts.get(FileState.CONFIRMED, (0, 0))[0],
    )
