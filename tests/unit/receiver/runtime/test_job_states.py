# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Targets from the store to the jobs and states back into it, with a real store that commands also open."""

import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.runtime.job_runner import JobRunner
from fieldpost_receiver.runtime.job_states import JobStates
from fieldpost_receiver.runtime.job_store import JobState, JobStore, StoredJob, Target
from fieldpost_receiver.runtime.state_dir import StateDir
from fieldpost_shared.clock import FakeClock

SETTINGS = '[kafka]\nbootstrap_servers = "none:1"\n'


@dataclass
class Runner:
    """Notes what it is told."""

    name: str
    target: Target = Target.RUNNING
    state: JobState = JobState.STARTING
    detail: str = ""
    told: list[str] = field(default_factory=list)

    def set_target(self, target: Target) -> None:
        self.target = target
        self.told.append(target)

    def restart(self) -> None:
        self.told.append("restart")


class World:
    """A service's store and a command's, on one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.store = JobStore.open(folder / "jobs.db")
        self.command = JobStore.open(folder / "jobs.db")
        self.states = JobStates(self.store, StateDir(folder), self.clock)
        self.runners = [Runner("a"), Runner("b")]

    def configs(self, *names: str) -> list[JobConfig]:
        tables = [
            f'[jobs.{name}]\n"connector.class" = "files"\nname = "{name}"\ndestination = "{name}"\n' for name in names
        ]
        path = self.folder / "receiver.toml"
        path.write_text(SETTINGS + "".join(tables), encoding="utf-8")
        return list(load(path, {}).jobs)

    def exchange(self) -> None:
        self.states.exchange(cast("list[JobRunner]", self.runners))

    def stored(self, name: str = "a") -> StoredJob:
        return self.command.jobs()[name]

    @property
    def told(self) -> list[list[str]]:
        return [runner.told for runner in self.runners]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    with closing(made.store), closing(made.command):
        yield made


@pytest.fixture
def running(world: World) -> World:
    """A service that has exchanged once."""
    world.states.take_over(world.configs("a", "b"))
    world.exchange()
    return world


def test_new_jobs_are_put_into_the_store_and_shall_run(world: World) -> None:
    assert world.states.take_over(world.configs("a", "b")) == {"a": Target.RUNNING, "b": Target.RUNNING}
    assert list(world.command.jobs()) == ["a", "b"]


def test_what_a_person_asked_for_before_the_start_counts(world: World) -> None:
    world.command.add("b", "files")
    world.command.set_target("b", Target.STOPPED)
    assert world.states.take_over(world.configs("a", "b")) == {"a": Target.RUNNING, "b": Target.STOPPED}


def test_a_restart_that_was_asked_for_before_the_start_is_not_repeated(world: World) -> None:
    world.command.add("a", "files")
    world.command.restart("a")
    world.states.take_over(world.configs("a", "b"))
    world.exchange()
    assert world.told == [[], []]


@pytest.mark.logs_warnings
def test_a_job_that_is_no_longer_configured_is_told_once_and_kept(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.command.add("gone", "files")
    world.command.set_target("gone", Target.PAUSED)
    assert world.states.take_over(world.configs("a", "b")).keys() == {"a", "b"}
    for _ in range(3):
        world.command.restart("gone")
        world.exchange()
    (warning,) = (record for record in caplog.records if record.levelno >= logging.WARNING)
    assert warning.message.startswith("job gone is not in receiver.toml any more: it does not run")
    assert world.stored("gone").target is Target.PAUSED
    assert world.told == [[], []]


@pytest.mark.logs_warnings
def test_the_ledger_of_a_job_that_the_file_does_not_name_any_more_is_told(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    (world.folder / "ledger.db").touch()
    world.states.take_over(world.configs("a", "b"))
    (warning,) = (record for record in caplog.records if record.levelno >= logging.WARNING)
    assert "add [jobs.files]" in warning.message


def test_the_ledger_of_the_job_called_files_is_no_surprise(world: World) -> None:
    (world.folder / "ledger.db").touch()
    assert list(world.states.take_over(world.configs("a", "files"))) == ["a", "files"]


def test_a_new_target_is_told_to_its_job_once(running: World) -> None:
    running.command.set_target("b", Target.PAUSED)
    running.exchange()
    running.exchange()
    assert running.told == [[], ["PAUSED"]]
    running.command.set_target("b", Target.RUNNING)
    running.command.set_target("a", Target.STOPPED)
    running.exchange()
    assert running.told == [["STOPPED"], ["PAUSED", "RUNNING"]]


def test_a_target_that_came_between_start_and_first_exchange_is_told(world: World) -> None:
    world.states.take_over(world.configs("a", "b"))
    world.command.set_target("a", Target.PAUSED)
    world.command.restart("b")
    world.exchange()
    assert world.told == [["PAUSED"], ["restart"]]


def test_every_restart_that_is_asked_for_is_told_once(running: World) -> None:
    for _ in range(2):
        running.command.restart("a")
        running.exchange()
        running.exchange()
    assert running.told == [["restart", "restart"], []]


def test_a_target_is_told_before_the_restart_that_came_with_it(running: World) -> None:
    running.command.restart("a")
    running.command.set_target("a", Target.PAUSED)
    running.exchange()
    assert running.told == [["PAUSED", "restart"], []]


def test_states_are_written_with_their_reason_and_time(running: World) -> None:
    assert running.stored().state == JobState.STARTING
    job = running.runners[0]
    running.clock.advance(5)
    job.state, job.detail = JobState.FAILED, "sign_in_refused: wrong password"
    running.exchange()
    stored = running.stored()
    assert (stored.state, stored.detail) == ("FAILED", "sign_in_refused: wrong password")
    assert stored.since_ns == running.clock.now_ns()
    assert running.stored("b").state == JobState.STARTING


def test_a_new_reason_is_written_although_the_state_is_the_same(running: World) -> None:
    running.runners[0].detail = "the last batch failed: no answer"
    running.exchange()
    assert running.stored().detail == "the last batch failed: no answer"
    running.runners[0].detail = ""
    running.exchange()
    assert (running.stored().state, running.stored().detail) == ("STARTING", "")


def test_a_state_that_lasts_keeps_its_time(running: World) -> None:
    before = running.stored()
    running.clock.advance(5)
    running.exchange()
    assert running.stored() == before


def test_a_state_that_does_not_fit_on_the_disk_is_written_later(running: World) -> None:
    running.store.connection.execute("PRAGMA max_page_count = 1")  # SQLite takes as many as there are
    job = running.runners[0]
    job.state, job.detail = JobState.FAILED, "x" * 100_000
    running.exchange()
    assert running.stored().state == JobState.STARTING
    running.store.connection.execute("PRAGMA max_page_count = 1000000")
    running.exchange()
    assert running.stored().state == JobState.FAILED


def test_a_job_that_was_removed_from_the_store_goes_on(running: World) -> None:
    with running.command.transaction() as db:
        db.execute("DELETE FROM jobs")
    running.exchange()
    assert running.told == [[], []]
