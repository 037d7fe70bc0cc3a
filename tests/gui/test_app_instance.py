# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app's instance in every condition it can be in."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from faults.small_disk import small_disk
from fieldpost_desktop.app import profile_store
from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import FileQuery
from fieldpost_desktop.engine.journal.rescue import rescue
from fieldpost_desktop.engine.model.events import Event, OverallChanged, OverallState
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.engine.watching.folder_kind import FolderProblem, FolderRefused
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.kafka.security import SecurityProtocol
from fieldpost_shared.secret import Secret
from support.gui.studio import PROFILE, Studio
from support.waiting import wait_until

SIGNED_IN = replace(PROFILE, security_protocol=SecurityProtocol.SASL_PLAINTEXT, sasl_username="anna")


class Locked:
    """A keyring that keeps nothing."""

    def get(self, profile_id: str) -> Secret | None:
        del profile_id
        raise FieldpostError(Code.KEYRING_FAILED, "locked")

    def set(self, profile_id: str, password: Secret) -> None:
        del profile_id, password
        raise FieldpostError(Code.KEYRING_FAILED, "locked")

    def delete(self, profile_id: str) -> None:
        del profile_id


class Ahead(SystemClock):
    """As if so much time had passed."""

    ahead_s = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead_s


@pytest.fixture
def heard() -> list[Event]:
    return []


@pytest.fixture
def instances() -> Iterator[list[AppInstance]]:
    opened: list[AppInstance] = []
    yield opened
    for instance in opened:
        instance.close()


def start(studio: Studio, heard: list[Event], instances: list[AppInstance]) -> AppInstance:
    instance = studio.instance(heard.append)
    instances.append(instance)
    instance.start()
    return instance


def test_without_a_settings_file_it_is_not_set_up(
    tmp_path: Path, heard: list[Event], instances: list[AppInstance]
) -> None:
    instance = start(Studio(tmp_path, profile=None), heard, instances)
    assert instance.condition is Condition.NOT_SET_UP
    assert isinstance(heard[-1], OverallChanged)
    assert heard[-1].status.state is OverallState.NOT_SET_UP
    with pytest.raises(FieldpostError):
        instance.do(lambda commands: commands.retry()).result(1)


def test_a_settings_file_makes_it_run(tmp_path: Path, heard: list[Event], instances: list[AppInstance]) -> None:
    instance = start(Studio(tmp_path, profile=None), heard, instances)
    assert instance.adopt(PROFILE, None) is Condition.RUNNING
    assert instance.office == PROFILE.name


def test_a_password_that_is_missing_is_asked_for(
    tmp_path: Path, heard: list[Event], instances: list[AppInstance]
) -> None:
    studio = Studio(tmp_path, profile=SIGNED_IN)
    instance = start(studio, heard, instances)
    assert instance.condition is Condition.NEEDS_PASSWORD
    assert instance.change_password(Secret("right")) is Condition.RUNNING
    kept = studio.vault.get(SIGNED_IN.id)
    assert kept is not None
    assert kept.reveal() == "right"


def test_files_are_sent_although_the_keyring_keeps_no_password(
    tmp_path: Path, heard: list[Event], instances: list[AppInstance]
) -> None:
    studio = Studio(tmp_path, profile=SIGNED_IN, vault=Locked())  # type: ignore[arg-type]  # another twin of the port
    instance = start(studio, heard, instances)
    assert instance.condition is Condition.NEEDS_PASSWORD
    with pytest.raises(FieldpostError) as caught:
        instance.change_password(Secret("right"))
    assert caught.value.code is Code.KEYRING_FAILED
    assert instance.engine.alive, "it sends all the same"


def test_a_profile_of_another_office_is_refused_while_files_wait(
    studio: Studio, heard: list[Event], instances: list[AppInstance]
) -> None:
    studio.gate.held = True
    instance = start(studio, heard, instances)
    instance.add(DroppedFiles.of([str(studio.file("a.bin", 200_000))]))
    wait_until(lambda: instance.page(FileQuery()), 10, "the file in the list")
    other = Profile(id="other", name="Other office", bootstrap_servers="127.0.0.1:9")
    with pytest.raises(SettingsError):
        instance.adopt(other, None)
    assert instance.office == PROFILE.name


def test_an_unreadable_settings_file_is_named(studio: Studio, heard: list[Event], instances: list[AppInstance]) -> None:
    studio.paths.profile.write_text("not json", encoding="utf-8")
    instance = start(studio, heard, instances)
    assert instance.condition is Condition.FAILED
    assert instance.error is not None
    assert instance.error.code is Code.PROFILE_UNREADABLE


def test_files_added_while_another_process_sends_are_left_for_it(
    studio: Studio, heard: list[Event], instances: list[AppInstance]
) -> None:
    first = start(studio, heard, instances)
    first.close()
    other = DataFolderLock(studio.paths.lock)
    assert other.acquire()
    instance = start(studio, heard, instances)
    assert instance.condition is Condition.ELSEWHERE
    instance.add(DroppedFiles.of([str(studio.file("a.txt"))]))
    other.release()
    assert instance.start() is Condition.RUNNING
    wait_until(lambda: [row.path for row in instance.page(FileQuery())] == ["a.txt"], 10, "the file that was left")


@pytest.mark.logs_warnings
def test_a_damaged_list_is_set_aside_and_the_watched_folders_are_kept(
    studio: Studio, heard: list[Event], instances: list[AppInstance], tmp_path: Path
) -> None:
    watched = tmp_path / "watched"
    watched.mkdir()
    instance = start(studio, heard, instances)
    instance.add_folder(str(watched), FolderRules(include=("*.pdf",)))
    instance.add(DroppedFiles.of([str(studio.file("a.bin", 200_000))]))
    wait_until(lambda: instance.page(FileQuery()), 10, "the file in the list")
    instance.close()
    _damage(studio.paths.journal)
    again = start(studio, heard, instances)
    assert again.condition is Condition.RUNNING
    damage = again.take_journal_damage()
    assert damage is not None
    assert damage.code is Code.JOURNAL_DAMAGED
    assert again.take_journal_damage() is None
    assert list(studio.paths.data_dir.glob("journal-damaged-*.db"))
    assert [view.folder.path for view in again.folders()] in ([], [str(watched)])


def _damage(journal: Path) -> None:
    """Garbage over the header: nothing of it can be opened."""
    with sqlite3.connect(journal) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(journal.read_bytes())
    content[:100] = b"\x5a" * 100
    journal.write_bytes(content)


def test_what_can_be_read_of_a_damaged_list_is_carried_over(
    studio: Studio, heard: list[Event], instances: list[AppInstance], tmp_path: Path
) -> None:
    watched = tmp_path / "watched"
    watched.mkdir()
    instance = start(studio, heard, instances)
    instance.add_folder(str(watched), FolderRules(include=("*.pdf",)))
    instance.change_setting("bandwidth_limit", "1MB/s")
    instance.close()
    rescue(studio.paths.journal, 1)
    again = start(studio, heard, instances)
    assert [view.folder.rules.include for view in again.folders()] == [("*.pdf",)]
    assert again.settings().bandwidth_limit == 1_000_000


def test_a_full_disk_is_named_and_it_starts_by_itself_when_there_is_room(
    tmp_path: Path, heard: list[Event], instances: list[AppInstance]
) -> None:
    with small_disk(tmp_path / "laptop", "4m") as disk:
        studio = Studio(disk.place)
        studio.clock = clock = Ahead()
        disk.fill()
        instance = start(studio, heard, instances)
        conditions = [instance.condition]
        assert instance.error is not None
        assert instance.error.code is Code.LOCAL_DISK_FULL
        disk.free()
        instance.recover()
        conditions.append(instance.condition)
        clock.ahead_s = 61
        instance.recover()
        assert [*conditions, instance.condition] == [Condition.FAILED, Condition.FAILED, Condition.RUNNING]
        instance.close()


def test_a_setting_counts_at_once_and_at_the_next_start(
    studio: Studio, heard: list[Event], instances: list[AppInstance]
) -> None:
    instance = start(studio, heard, instances)
    assert instance.change_setting("schedule", "20:00-06:00").schedule is not None
    instance.close()
    again = start(studio, heard, instances)
    assert str(again.settings().schedule) == "20:00-06:00"


def test_what_the_organisation_set_cannot_be_changed(
    tmp_path: Path, heard: list[Event], instances: list[AppInstance]
) -> None:
    studio = Studio(tmp_path, profile=replace(PROFILE, locked=frozenset({"metered"})))
    instance = start(studio, heard, instances)
    with pytest.raises(SettingsError):
        instance.change_setting("metered", "all")


def test_a_folder_is_added_changed_switched_off_and_removed(
    studio: Studio, heard: list[Event], instances: list[AppInstance], tmp_path: Path
) -> None:
    watched = tmp_path / "watched"
    watched.mkdir()
    instance = start(studio, heard, instances)
    assert instance.preview_folder(str(watched)).files == 0
    instance.add_folder(str(watched), FolderRules())
    with pytest.raises(FolderRefused) as caught:
        instance.preview_folder(str(watched))
    assert caught.value.problem is FolderProblem.WATCHED
    (view,) = instance.folders()
    instance.change_folder(view.folder.id, FolderRules(subfolders=False))
    instance.enable_folder(view.folder.id, enabled=False)
    (view,) = instance.folders()
    assert not view.folder.rules.subfolders
    assert not view.folder.enabled
    instance.remove_folder(view.folder.id)
    assert instance.folders() == []


def test_a_report_can_be_made_in_every_condition(
    tmp_path: Path, heard: list[Event], instances: list[AppInstance]
) -> None:
    studio = Studio(tmp_path, profile=None)
    instance = start(studio, heard, instances)
    studio.paths.make()
    assert instance.report(tmp_path / "before.zip")
    profile_store.keep(PROFILE, studio.paths)
    instance.start()
    assert instance.report(tmp_path / "after.zip")
