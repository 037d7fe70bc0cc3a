# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Putting an instance together: which settings count, where the journal belongs, and what others can see."""

import json
import os
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.assembly import EngineSpec, Options, carry_out_offline, find_profile, open_engine, paths_of
from fieldpost_desktop.app.hold_report import HoldReporter, reported_hold
from fieldpost_desktop.app.target import Target
from fieldpost_desktop.commands import self_test, session, watch
from fieldpost_desktop.commands.exit_codes import Exit, WrongUse
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.journal.inbox import hand_over
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import OverallChanged, OverallStatus
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.profile_file import Limits, Profile
from fieldpost_desktop.engine.profile.vault import MemoryVault
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.runtime.paths import Paths, default_data_dir
from fieldpost_shared.clock import Clock, FakeClock, SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.kafka.security import SecurityProtocol
from fieldpost_shared.secret import Secret

PROFILE = Profile(id="office", name="Head office", bootstrap_servers="127.0.0.1:1", client="van-7")
SIGNED_IN = replace(PROFILE, security_protocol=SecurityProtocol.SASL_SSL, sasl_username="van")
CLOCK: Clock = FakeClock()


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = Paths(tmp_path / "data")
    found.make()
    return found


@pytest.fixture
def store(paths: Paths) -> Iterator[Store]:
    found = Store.open(paths.journal)
    yield found
    found.close()


def spec(paths: Paths, profile: Profile = PROFILE, **given: Any) -> EngineSpec:  # noqa: ANN401 - its fields
    return EngineSpec(paths=paths, profile=profile, vault=given.pop("vault", MemoryVault()), clock=CLOCK, **given)


# which settings count


def write(path: Path, **changes: object) -> Path:
    path.write_text(profile_file.dump(replace(PROFILE, **changes)), encoding="utf-8")  # type: ignore[arg-type]  # its fields
    return path


def test_the_data_folder_comes_from_option_then_environment_then_system(tmp_path: Path) -> None:
    environ = {"FIELDPOST_DATA_DIR": str(tmp_path / "env")}
    assert paths_of(Options(data_dir=tmp_path / "opt"), environ).data_dir == tmp_path / "opt"
    assert paths_of(Options(), environ).data_dir == tmp_path / "env"
    assert paths_of(Options(), {}).data_dir == default_data_dir()


def test_the_profile_comes_from_option_then_environment_then_import(tmp_path: Path, paths: Paths) -> None:
    option, environment = write(tmp_path / "a", name="option"), write(tmp_path / "b", name="environment")
    environ = {"FIELDPOST_PROFILE": str(environment)}
    assert find_profile(Options(), {}, paths) is None
    write(paths.profile, name="imported")
    names = [
        found.name
        for given, known in (
            (Options(profile=option), environ),
            (Options(bootstrap_servers="host:1"), environ),
            (Options(), environ),
            (Options(), {"FIELDPOST_BOOTSTRAP_SERVERS": "other:2"}),
            (Options(), {}),
        )
        if (found := find_profile(given, known, paths)) is not None
    ]
    assert names == ["option", "host:1", "environment", "other:2", "imported"]


def test_the_client_name_may_be_given_and_must_be_one(paths: Paths) -> None:
    given = Options(bootstrap_servers="host:1", client="van-9")
    found = find_profile(given, {"FIELDPOST_CLIENT": "ignored"}, paths)
    assert found is not None
    assert spec(paths, found).client == "van-9"
    with pytest.raises(SettingsError, match="client"):
        find_profile(Options(bootstrap_servers="host:1", client="van/9"), {}, paths)


def test_settings_of_the_command_line_count_most(paths: Paths, store: Store) -> None:
    environ = {"FIELDPOST_BANDWIDTH_LIMIT": "1MB/s", "FIELDPOST_METERED": "all"}
    found = spec(paths, environ=environ, command_line={"bandwidth_limit": "2MB/s"}).settings(store)
    assert (found.bandwidth_limit, found.metered) == (2_000_000, "all")


# passwords


def test_the_password_comes_from_the_vault_and_the_redactor_learns_it(paths: Paths) -> None:
    vault = MemoryVault()
    learned: list[Secret] = []
    vault.set("office", Secret("from the vault"))
    kafka = spec(paths, SIGNED_IN, vault=vault, redact=learned.append).kafka()
    assert kafka.security.password == Secret("from the vault")
    assert learned == [Secret("from the vault")]


def test_without_a_stored_password_a_person_is_asked(paths: Paths) -> None:
    kafka = spec(paths, SIGNED_IN, ask_password=lambda name: Secret(f"for {name}")).kafka()
    assert kafka.security.password == Secret("for Head office")
    with pytest.raises(FieldpostError, match="not_set_up"):
        spec(paths, SIGNED_IN).kafka()


class BrokenVault(MemoryVault):
    def get(self, profile_id: str) -> Secret | None:
        raise FieldpostError(Code.KEYRING_FAILED, profile_id)


def test_where_the_vault_fails_a_person_is_asked_each_time(paths: Paths) -> None:
    kafka = spec(paths, SIGNED_IN, vault=BrokenVault(), ask_password=lambda _: Secret("typed")).kafka()
    assert kafka.security.password == Secret("typed")
    with pytest.raises(FieldpostError, match="keyring_failed"):
        spec(paths, SIGNED_IN, vault=BrokenVault()).kafka()


# the journal's target

OTHER = replace(PROFILE, id="other", name="Elsewhere")


def queue(store: Store, state: FileState = FileState.QUEUED) -> None:
    files = Files(store)
    row = files.add(SourceFile("/a", "a", 1, 1, ""), FileState.QUEUED, 1)
    files.change(row, state)


def test_open_files_refuse_another_target_in_words(paths: Paths, store: Store) -> None:
    targets.bind(store, spec(paths).target, paths)
    queue(store)
    with pytest.raises(SettingsError, match=r"Head office .* \(1 unfinished\), and now Elsewhere"):
        targets.bind(store, spec(paths, OTHER).target, paths)
    with pytest.raises(SettingsError, match="as van-9"):
        targets.bind(store, spec(paths, replace(PROFILE, client="van-9")).target, paths)
    assert targets.bound(store) == spec(paths).target


def test_other_servers_of_the_same_office_are_the_same_target(paths: Paths, store: Store) -> None:
    targets.bind(store, spec(paths).target, paths)
    queue(store)
    moved = spec(paths, replace(PROFILE, bootstrap_servers="127.0.0.1:2", name="Moved")).target
    targets.bind(store, moved, paths)
    assert targets.bound(store) == moved


def test_with_nothing_open_another_target_starts_afresh(paths: Paths, store: Store) -> None:
    targets.bind(store, spec(paths).target, paths)
    queue(store, FileState.CANCELLED)
    Files(store).set_position(3, 77)
    targets.bind(store, spec(paths, OTHER).target, paths)
    assert targets.bound(store) == Target.of(OTHER, spec(paths, OTHER).client)
    assert Files(store).positions() == {}


def test_a_refused_engine_leaves_the_journal_closed_and_untouched(paths: Paths) -> None:
    carry_out_offline(paths, CLOCK, {"command": "add", "paths": [os.devnull], "batch": "b"}, spec(paths))
    with pytest.raises(SettingsError):
        open_engine(spec(paths, OTHER))
    with pytest.raises(SettingsError):
        carry_out_offline(paths, CLOCK, {"command": "pause"}, spec(paths, OTHER))
    found = Store.open(paths.journal)
    assert targets.bound(found) == spec(paths).target
    assert found.rows("SELECT * FROM inbox") == []
    found.close()


# orders without an engine


def test_an_order_is_carried_out_offline_with_the_profiles_limits(paths: Paths, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 11)
    (tmp_path / "small").write_bytes(b"x" * 10)
    limited = replace(PROFILE, limits=Limits(max_file_size=10))
    order = {"command": "add", "paths": [str(tmp_path / name) for name in ("large", "small")], "batch": "b"}
    assert session.leave_order(order, paths, CLOCK, spec(paths, limited)) is False
    store = Store.open(paths.journal)
    assert [(row.state, row.code) for row in Files(store).of_batch("b")] == [
        (FileState.ATTENTION, "over_profile_limit"),
        (FileState.QUEUED, ""),
    ]
    store.close()


def test_folders_are_watched_and_forgotten_by_order(paths: Paths, store: Store, tmp_path: Path) -> None:
    path, rules = str(tmp_path), FolderRules(label="x")
    watching = {"command": "watch", "path": path, "rules": FolderRules().to_json()}
    carry_out_offline(paths, CLOCK, watching)
    carry_out_offline(paths, CLOCK, watching)
    (folder,) = Folders(store).all()
    assert (folder.path, folder.rules, folder.enabled) == (path, FolderRules(), True)
    Folders(store).enable(folder.id, enabled=False)
    carry_out_offline(paths, CLOCK, watching | {"rules": rules.to_json()})
    (folder,) = Folders(store).all()
    assert (folder.rules, folder.enabled) == (rules, True)
    carry_out_offline(paths, CLOCK, {"command": "unwatch", "path": path})
    assert Folders(store).all() == []


def test_an_order_whose_engine_ended_is_carried_out_by_the_waiting_process(paths: Paths, store: Store) -> None:
    queue(store)
    hand_over(paths.journal, {"command": "pause", "files": [1], "mark": "m"}, 1)
    assert session.await_order("m", paths, SystemClock())
    assert Files(store).get(1).state is FileState.PAUSED


def test_an_order_that_a_running_engine_leaves_alone_is_given_up_waiting_for(paths: Paths, store: Store) -> None:
    queue(store)
    with DataFolderLock(paths.lock) as lock:
        assert lock.held
        assert session.engine_runs(paths)
        assert session.leave_order({"command": "pause", "mark": "m"}, paths, CLOCK) is True
        assert session.await_order("m", paths, FakeClock()) is False
    assert not session.engine_runs(paths)


# what others can see


def test_the_hold_is_pinned_for_other_processes_while_its_writer_lives(store: Store) -> None:
    board = HoldReporter(store)
    hold = Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, 5, 3)
    board(OverallChanged(OverallStatus(hold=hold)))
    assert reported_hold(store, os.getpid()) == hold
    assert reported_hold(store, os.getpid() + 1) is None
    assert reported_hold(store, None) is None
    board(OverallChanged(OverallStatus()))
    assert reported_hold(store, os.getpid()) is None
    board(OverallChanged(OverallStatus(hold=Hold(HoldKind.PAUSED))))
    assert reported_hold(store, os.getpid()) == Hold(HoldKind.PAUSED)
    HoldReporter(store)
    assert reported_hold(store, os.getpid()) is None


# rules of watched folders


def rules_of(paths: Paths, profile: Profile = PROFILE, **given: object) -> FolderRules | None:
    names = ("include", "exclude", "no_subfolders", "after", "label", "minimum_age", "only_new", "yes")
    options = Namespace(**(dict.fromkeys(names) | given))
    return watch._rules(options, spec(paths, profile))


def test_without_options_a_folder_keeps_its_rules(paths: Paths) -> None:
    assert rules_of(paths) is None
    assert rules_of(paths, include=["*.csv"], no_subfolders=True, only_new=True) == FolderRules(
        include=("*.csv",), subfolders=False, take_existing=False
    )
    for wrong in ({"minimum_age": -1}, {"label": ".."}, {"include": [""]}, {"after": "delete"}):
        with pytest.raises(WrongUse):
            rules_of(paths, **wrong)
    allowed = replace(PROFILE, limits=Limits(allow_delete=True))
    with pytest.raises(WrongUse, match="--yes"):
        rules_of(paths, allowed, after="delete")
    assert rules_of(paths, allowed, after="delete", yes=True) == FolderRules(after=After.DELETE)


# the self-test


def test_one_failing_part_fails_the_self_test(tmp_path: Path) -> None:
    def fails(_folder: Path, _clock: Clock) -> str:
        raise self_test.CheckFailed("no")

    def skipped(_folder: Path, _clock: Clock) -> str:
        raise self_test.Skipped("not here")

    out = tmp_path / "result.json"
    options = Namespace(file=out)
    parts: dict[str, self_test.Check] = {"well": lambda *_: "fine", "bad": fails, "absent": skipped}
    terminal: Any = None  # the result goes to a file
    assert self_test.run(CLOCK, options, terminal, parts) is Exit.NEEDS_YOU
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["ok"] is False
    assert [part["outcome"] for part in result["parts"].values()] == ["ok", "failed", "skipped"]
    del parts["bad"]
    assert self_test.run(CLOCK, options, terminal, parts) is Exit.DONE
    with pytest.raises(WrongUse):
        self_test.run(CLOCK, Namespace(file=tmp_path / "no" / "place"), terminal, parts)
