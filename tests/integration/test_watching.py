# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The watcher on its thread, with the system's own events, files and clock; only its scans come quicker."""

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folder, Folders
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Event
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.watching import os_events
from fieldpost_desktop.engine.watching.folder_kind import LOCAL, ScanPolicy
from fieldpost_desktop.engine.watching.os_events import OsEvents
from fieldpost_desktop.engine.watching.watcher import Watcher
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from support.waiting import wait_until

EVENTS_ONLY = ScanPolicy(scan_s=3600, settle_s=2.5, observed=True)  # the first scan, then what events bring
SCANS_ONLY = ScanPolicy(scan_s=0.5, settle_s=1.0, observed=False)  # like a network drive


class Start(Protocol):
    def __call__(self, scan_policy: ScanPolicy) -> Watcher: ...


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path / "data" / "journal.db")
    yield store
    store.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "photos"
    root.mkdir()
    return root


@pytest.fixture
def folder(store: Store, root: Path) -> Folder:
    return Folders(store).add(str(root), FolderRules(), SystemClock().now_ns())


@pytest.fixture
def woken() -> threading.Event:
    return threading.Event()


@pytest.fixture
def start(store: Store, woken: threading.Event) -> Iterator[Start]:
    watchers: list[Watcher] = []

    def begin(scan_policy: ScanPolicy) -> Watcher:
        watcher = Watcher(store, SystemClock(), woken.set, scan_policy=lambda _: scan_policy)
        watchers.append(watcher)
        watcher.start()
        return watcher

    yield begin
    stopped = [watcher.stop() for watcher in watchers]
    assert all(stopped)
    assert [watcher.failure for watcher in watchers] == [None] * len(watchers)


def state_of(store: Store, path: Path) -> Callable[[], FileState | None]:
    def state() -> FileState | None:
        row = Files(store).by_source(str(path))
        return row.state if row else None

    return state


def size_of(store: Store, path: Path) -> int | None:
    row = Files(store).by_source(str(path))
    return row.size if row else None


def scanned(store: Store) -> bool:
    return all(folder.scanned_ns is not None for folder in Folders(store).all())


def test_a_file_written_in_pieces_is_queued_only_after_it_settled(
    store: Store, root: Path, folder: Folder, start: Start, woken: threading.Event
) -> None:
    start(EVENTS_ONLY)
    wait_until(lambda: scanned(store), 10, "the first scan")
    path, state = root / "day 1" / "video.mp4", state_of(store, root / "day 1" / "video.mp4")
    path.parent.mkdir()
    with path.open("wb") as file:
        for _ in range(4):
            file.write(b"x" * 100_000)
            file.flush()
            wait_until(lambda: size_of(store, path) == file.tell(), 10, "the piece to be seen by an event")
            assert state() is FileState.SETTLING
            assert not woken.is_set()
    wait_until(lambda: state() is FileState.QUEUED, 10, "the file to settle")
    wait_until(woken.is_set, 5, "the sender to be woken")
    row = Files(store).by_source(str(path))
    assert row is not None
    assert (row.path, row.size, row.folder) == ("day 1/video.mp4", 400_000, folder.id)
    assert row.seen_ns >= path.stat().st_mtime_ns - 10**9


@pytest.mark.usefixtures("folder")
def test_a_file_that_raises_no_event_is_found_by_a_scan(store: Store, root: Path, start: Start) -> None:
    start(SCANS_ONLY)
    wait_until(lambda: scanned(store), 10, "the first scan")
    (root / "a.jpg").write_bytes(b"photo")
    wait_until(lambda: state_of(store, root / "a.jpg")() is FileState.QUEUED, 10, "the file to be queued")


@pytest.mark.usefixtures("folder")
def test_a_file_moved_into_the_folder_is_seen_by_its_event(
    store: Store, root: Path, start: Start, tmp_path: Path
) -> None:
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "tree" / "deep" / "a.jpg").write_bytes(b"photo")
    start(EVENTS_ONLY)
    wait_until(lambda: scanned(store), 10, "the first scan")
    (tmp_path / "tree").rename(root / "tree")
    path = root / "tree" / "deep" / "a.jpg"
    wait_until(lambda: state_of(store, path)() is FileState.QUEUED, 10, "the file to be queued")


def test_a_folder_that_was_unplugged_is_observed_again_when_it_is_back(
    store: Store, root: Path, folder: Folder, start: Start
) -> None:
    watcher = start(replace(EVENTS_ONLY, scan_s=0.5))
    wait_until(lambda: scanned(store), 10, "the first scan")
    root.rename(root.with_name("unplugged"))
    wait_until(lambda: Folders(store).all()[0].code is Code.FOLDER_GONE, 10, "the folder to be missed")
    root.mkdir()
    wait_until(lambda: Folders(store).all()[0].code is None, 10, "the folder to be found")
    (root / "a.jpg").write_bytes(b"photo")
    wait_until(lambda: state_of(store, root / "a.jpg")() is FileState.QUEUED, 10, "the file to be queued")
    assert watcher.failure is None
    assert Folders(store).get(folder.id) is not None


@pytest.mark.alone
@pytest.mark.usefixtures("folder")
def test_it_stops_within_a_second_in_the_middle_of_a_large_scan(store: Store, root: Path, start: Start) -> None:
    for number in range(3000):
        (root / f"{number}.jpg").touch()
    midway, go_on = threading.Event(), threading.Event()

    def wait_midway(_: Event) -> None:
        midway.set()
        go_on.wait(10)

    clock = SystemClock()
    watcher = Watcher(store, clock, lambda: None, wait_midway)
    watcher.start()
    wait_until(midway.is_set, 10, "the first files")
    threading.Timer(0.1, go_on.set).start()  # the scan goes on while it is being stopped
    began = clock.monotonic()
    assert watcher.stop()
    assert clock.monotonic() - began < 1
    assert not scanned(store)
    start(LOCAL)
    wait_until(lambda: scanned(store), 30, "the scan that follows")
    assert Files(store).counts()[FileState.SETTLING][0] == 3000


@pytest.mark.logs_warnings
@pytest.mark.usefixtures("folder")
def test_a_damaged_journal_ends_the_thread_and_says_so(
    store: Store, woken: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    with store.transaction() as db:
        db.execute('UPDATE folders SET rules = \'{"from": "the future"}\'')
    watcher = Watcher(store, SystemClock(), woken.set)
    watcher.start()
    wait_until(woken.is_set, 10, "the engine to be told")
    assert "from: is unknown" in str(watcher.failure)
    assert "folders are not watched any more" in caplog.text
    assert watcher.stop()


def test_a_watcher_that_never_started_can_be_stopped(store: Store) -> None:
    assert Watcher(store, SystemClock(), lambda: None).stop()


def _observers(*folders: int) -> list[str]:
    """The threads of these folders that still run; an engine of another test may start and end its own meanwhile."""
    names = {f"os-events-{folder}" for folder in folders}
    return [thread.name for thread in threading.enumerate() if thread.name in names]


def test_a_folder_that_cannot_be_observed_goes_without_events(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger=os_events.__name__)
    noticed: list[int] = []
    observers = OsEvents(noticed.append)
    observers.observe({7701: str(root / "missing"), 7702: str(root)})  # numbers that no other test has
    wait_until(lambda: "no events of" in caplog.text, 10, "the note in the log")
    wait_until(lambda: noticed == [7702], 10, "the other folder to be observed")
    (root / "a.jpg").write_bytes(b"photo")
    wait_until(lambda: len(noticed) > 1, 10, "an event")
    assert _observers(7702)
    observers.stop()
    wait_until(lambda: not _observers(7701, 7702), 10, "the observers to end")
    count = len(noticed)
    (root / "b.jpg").write_bytes(b"photo")
    assert len(noticed) == count


def test_a_system_without_observers_left_goes_without_events(
    root: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left() -> None:
        raise OSError(24, "inotify instance limit reached")

    monkeypatch.setattr(os_events, "Observer", none_left)
    caplog.set_level("INFO", logger=os_events.__name__)
    OsEvents(lambda _: None).observe({1: str(root)})
    wait_until(lambda: "inotify instance limit reached" in caplog.text, 10, "the note in the log")


def test_looking_at_files_raises_no_hints(root: Path) -> None:
    path = root / "a.jpg"
    path.write_bytes(b"photo")
    noticed: list[int] = []
    observers = OsEvents(noticed.append)
    observers.observe({1: str(root)})
    wait_until(lambda: noticed, 10, "the folder to be observed")
    for _ in range(3):
        list(os.scandir(root))
        path.read_bytes()
    (root / "b.jpg").write_bytes(b"photo")  # its events come after all others
    wait_until(lambda: len(noticed) > 1, 10, "an event")
    wait_until(lambda: len(noticed) == 4, 10, "created, modified, closed and no more")
    observers.stop()
