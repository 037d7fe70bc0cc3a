# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.engine.journal.folders import Folder
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.watching.folder_kind import LOCAL, NETWORK, ScanPolicy
from fieldpost_desktop.engine.watching.watcher import Watcher
from fieldpost_shared.codes import Code
from unit.desktop.engine.watching.van import Van, a_van

S = FileState


class Watch:
    """A watcher whose thread is the test."""

    def __init__(self, van: Van) -> None:
        self.van = van
        self.scan_policy = LOCAL
        self.wakes = 0
        self.watcher = Watcher(
            van.store, van.clock, self.wake, van.events.append, probe=van.probe, scan_policy=self.scan_policy_of
        )

    def scan_policy_of(self, _: str) -> ScanPolicy:
        return self.scan_policy

    def wake(self) -> None:
        self.wakes += 1

    def step(self) -> float:
        return self.watcher.step()

    def scanned_s_ago(self) -> float:
        """How long ago the last complete scan was."""
        scanned = self.van.folder().scanned_ns
        assert scanned is not None
        return (self.van.clock.now_ns() - scanned) / 10**9

    def run(self, seconds: float) -> None:
        """Let time pass as the thread would see it."""
        end = self.van.clock.monotonic() + seconds
        while True:
            wait = self.step()
            left = end - self.van.clock.monotonic()
            if left <= 0:
                return
            self.van.clock.advance(min(max(wait, 0.01), left))


@pytest.fixture
def van(tmp_path: Path) -> Iterator[Van]:
    with a_van(tmp_path) as van:
        yield van


@pytest.fixture
def watch(van: Van) -> Watch:
    return Watch(van)


def test_a_folder_is_scanned_at_once_and_then_every_30_seconds(van: Van, watch: Watch) -> None:
    van.watch()
    watch.step()
    assert watch.scanned_s_ago() == 0
    van.clock.advance(29)
    watch.step()
    assert watch.scanned_s_ago() == 29
    van.clock.advance(1)
    watch.step()
    assert watch.scanned_s_ago() == 0


def test_a_network_folder_is_scanned_every_minute(van: Van, watch: Watch) -> None:
    watch.scan_policy = NETWORK
    van.watch()
    watch.step()
    van.clock.advance(59)
    watch.step()
    assert watch.scanned_s_ago() == 59
    van.clock.advance(1)
    watch.step()
    assert watch.scanned_s_ago() == 0


def test_a_file_without_any_event_is_queued_when_it_has_settled(van: Van, watch: Watch) -> None:
    van.watch()
    watch.step()
    van.write("a.jpg")
    watch.run(30)
    assert van.states() == {"a.jpg": S.SETTLING}
    watch.run(5)
    assert van.states() == {"a.jpg": S.QUEUED}


def test_a_file_on_the_network_settles_for_15_seconds(van: Van, watch: Watch) -> None:
    watch.scan_policy = NETWORK
    van.watch()
    van.write("a.jpg")
    watch.run(14.9)
    assert van.states() == {"a.jpg": S.SETTLING}
    watch.run(0.2)
    assert van.states() == {"a.jpg": S.QUEUED}


def test_the_sender_is_woken_once_for_files_that_were_queued(van: Van, watch: Watch) -> None:
    van.watch()
    van.write("a.jpg")
    van.write("b.jpg")
    watch.step()
    assert watch.wakes == 0
    watch.run(6)
    assert watch.wakes == 1
    watch.run(60)
    assert watch.wakes == 1


def test_an_event_brings_the_scan_forward_but_not_every_moment(van: Van, watch: Watch) -> None:
    folder = van.watch()
    watch.step()
    van.clock.advance(0.5)
    for _ in range(100):
        watch.watcher.notice_event(folder.id)
        watch.step()
    assert watch.scanned_s_ago() == 0.5
    van.clock.advance(0.5)
    watch.step()
    assert watch.scanned_s_ago() == 0
    van.clock.advance(5)
    watch.step()
    assert watch.scanned_s_ago() == 5  # an event counts once


def test_events_keep_the_scanner_busy_for_a_tenth_of_the_time_at_most(
    van: Van, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = van.watch()
    scan = watch.watcher._scanner.scan

    def slow_scan(folder: Folder, settle_s: float) -> object:
        van.clock.advance(2)
        return scan(folder, settle_s)

    monkeypatch.setattr(watch.watcher._scanner, "scan", slow_scan)
    watch.step()
    watch.watcher.notice_event(folder.id)
    van.clock.advance(19.9)
    watch.step()
    assert watch.scanned_s_ago() == pytest.approx(19.9)
    van.clock.advance(0.1)
    watch.step()
    assert watch.scanned_s_ago() == 0


def test_a_person_does_not_have_to_wait_for_a_scan(van: Van, watch: Watch) -> None:
    folder = van.watch()
    watch.step()
    van.clock.advance(0.1)
    watch.watcher.scan_now(folder.id)
    watch.step()
    assert watch.scanned_s_ago() == 0


def test_an_event_of_a_folder_that_is_gone_does_no_harm(van: Van, watch: Watch) -> None:
    folder = van.watch()
    van.folders.remove(folder.id)
    watch.watcher.notice_event(folder.id)
    watch.watcher.scan_now(folder.id)
    assert watch.step() > 0


def test_a_folder_added_meanwhile_is_seen_within_seconds(van: Van, watch: Watch) -> None:
    assert watch.step() <= 5
    van.watch()
    watch.run(5)
    assert van.folder().scanned_ns is not None


def test_a_folder_that_is_switched_off_is_left_alone(van: Van, watch: Watch) -> None:
    folder = van.watch()
    van.folders.enable(folder.id, enabled=False)
    van.write("a.jpg")
    watch.run(60)
    assert van.states() == {}
    van.folders.enable(folder.id, enabled=True)
    watch.run(10)
    assert van.states() == {"a.jpg": S.QUEUED}


def test_other_rules_hold_from_the_next_scan_on(van: Van, watch: Watch) -> None:
    folder = van.watch()
    van.write("a.jpg")
    van.write("a.txt")
    watch.step()
    van.folders.change_rules(folder, FolderRules(include=("*.txt",)))
    watch.watcher.scan_now(folder.id)
    watch.run(6)
    assert van.states() == {"a.txt": S.QUEUED}


def test_a_folder_that_is_not_there_does_not_hold_up_another(van: Van, watch: Watch) -> None:
    missing = van.folders.add(str(van.root.with_name("missing")), FolderRules(), 0)
    van.folders.add(str(van.root), FolderRules(), 0)
    van.write("a.jpg")
    watch.run(6)
    assert van.states() == {"a.jpg": S.QUEUED}
    gone = van.folders.get(missing.id)
    assert gone is not None
    assert gone.code is Code.FOLDER_GONE


def test_a_folder_that_comes_back_is_scanned_again(van: Van, watch: Watch) -> None:
    van.watch()
    van.write("a.jpg")
    van.root.rename(van.root.with_name("unplugged"))
    watch.run(60)
    assert van.folder().code is Code.FOLDER_GONE
    van.root.with_name("unplugged").rename(van.root)
    watch.run(36)
    assert van.states() == {"a.jpg": S.QUEUED}
    assert van.folder().code is None


def test_a_locked_file_is_tried_at_each_scan_and_not_all_the_time(van: Van, watch: Watch) -> None:
    van.watch()
    van.write("a.xlsx")
    van.locked["a.xlsx"] = Code.FILE_IN_USE
    watch.run(10)
    assert watch.step() == 5  # nothing before the next look at the journal
    del van.locked["a.xlsx"]
    watch.run(25)
    assert van.states() == {"a.xlsx": S.QUEUED}
