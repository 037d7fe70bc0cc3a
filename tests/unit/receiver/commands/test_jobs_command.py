# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`jobs` and `--job`, as they are typed; with a real job store, and no broker."""

import importlib
import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fieldpost_receiver.cli import main
from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_receiver.runtime.job_store import JobState, JobStore, Target
from fieldpost_shared.clock import NS_PER_S, SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.receiver.files_job import open_files_job

SINCE_NS = 1_800_000_000 * NS_PER_S
SINCE = "2027-01-15T08:00:00Z"
HEADING = "NAME                 KIND     SHALL BE IS             SINCE"
STATUS = importlib.import_module("fieldpost_receiver.commands.status")  # its package has a function of that name
LATER = "The receiver does not run now; this counts when it is started."


class Site:
    """A receiver with some jobs, and what its commands print."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.file = folder / "receiver.toml"
        self._capsys = capsys
        self.configure("north", "south")

    def configure(self, *names: str) -> None:
        tables = []
        for name in names:
            (self.folder / name).mkdir(exist_ok=True)
            tables.append(f'[jobs.{name}]\n"connector.class" = "files"\nname = "{name}"\ndestination = "{name}"\n')
        shared = '[receiver]\nstate_dir = "state"\n[kafka]\nbootstrap_servers = "127.0.0.1:1"\n'
        self.file.write_text(shared + "".join(tables), encoding="utf-8")

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Return the exit code, stdout and stderr."""
        code = main([*arguments, "--config", str(self.file)])
        said = self._capsys.readouterr()
        return code, said.out, said.err

    def listed(self) -> list[str]:
        code, out, err = self.run("jobs", "list")
        assert (code, err) == (0, "")
        return out.splitlines()

    def data(self) -> list[dict[str, Any]]:
        code, out, err = self.run("jobs", "list", "--json")
        assert (code, err) == (0, "")
        found: list[dict[str, Any]] = json.loads(out)
        return found

    def targets(self) -> dict[str, Target]:
        with closing(JobStore.open(self.state / "jobs.db")) as store:
            return {name: job.target for name, job in store.jobs().items()}

    def note(self, name: str, state: JobState, detail: str = "") -> None:
        """Write what the service writes."""
        with closing(JobStore.open(self.state / "jobs.db")) as store:
            store.add(name, "files")
            store.set_state(name, state, detail=detail, now_ns=SINCE_NS)

    def receive(self, name: str) -> None:
        """Let a job make its ledger."""
        (job,) = (job for job in load(self.file, {}).jobs if job.name == name)
        open_files_job(job, SystemClock()).close()


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Site:
    return Site(tmp_path, capsys)


# jobs list


def test_before_the_first_run_all_configured_jobs_are_listed_and_nothing_is_made(site: Site) -> None:
    assert site.listed() == [
        HEADING,
        "north                files    RUNNING  NOT RUNNING    -",
        "south                files    RUNNING  NOT RUNNING    -",
    ]
    new = {"kind": "files", "target": "RUNNING", "state": "NOT RUNNING", "since": None, "detail": ""}
    assert site.data() == [{"name": "north"} | new, {"name": "south"} | new]
    assert not site.state.exists()


def test_the_one_job_of_a_file_without_tables_is_called_files(site: Site) -> None:
    site.configure()
    assert [job["name"] for job in site.data()] == ["files"]
    assert site.run("jobs", "pause", "files")[0] == 0
    assert [job["target"] for job in site.data()] == ["PAUSED"]


@pytest.mark.parametrize(
    ("word", "target", "says"),
    [
        ("pause", Target.PAUSED, "north is paused when its running batch has ended."),
        ("stop", Target.STOPPED, "north is stopped when its running batch has ended."),
        ("resume", Target.RUNNING, "north goes on."),
    ],
)
def test_what_a_job_shall_do_is_kept_for_the_next_start(site: Site, word: str, target: Target, says: str) -> None:
    site.run("jobs", "stop" if word == "resume" else "resume", "north")
    assert site.run("jobs", word, "north") == (0, f"{says}\n{LATER}\n", "")
    assert site.targets() == {"north": target, "south": Target.RUNNING}
    assert site.listed()[1] == f"north                files    {target:<8} NOT RUNNING    -"
    assert [job["target"] for job in site.data()] == [target, "RUNNING"]


def test_a_running_service_is_told_at_once(site: Site) -> None:
    with locked(site.state):
        code, out, _ = site.run("jobs", "pause", "north")
        assert (code, LATER in out) == (0, False)
        assert site.run("jobs", "restart", "north")[:2] == (0, "north is started again.\n")
    with closing(JobStore.open(site.state / "jobs.db")) as store:
        north = store.jobs()["north"]
    assert (north.target, north.restarts) == (Target.PAUSED, 1)


def test_a_job_that_a_running_service_does_not_know_yet_is_not_running(site: Site) -> None:
    site.note("north", JobState.RUNNING)
    with locked(site.state):
        assert [job["state"] for job in site.data()] == ["RUNNING", "NOT RUNNING"]


def test_who_resumes_a_failed_job_is_told_that_it_needs_a_restart(site: Site) -> None:
    site.note("north", JobState.FAILED, "sign_in_refused: wrong password")
    code, out, _ = site.run("jobs", "resume", "north")
    assert code == 0
    assert out.startswith("north failed; mend the cause, then: jobs restart north.\n")


def test_who_restarts_a_stopped_job_is_told_that_it_must_be_resumed(site: Site) -> None:
    site.run("jobs", "stop", "north")
    code, out, _ = site.run("jobs", "restart", "north")
    assert code == 0
    assert out.startswith("north is stopped; it runs again after: jobs resume north.\n")
    assert site.targets()["north"] is Target.STOPPED


def test_a_running_service_is_listed_with_states_reasons_and_times(site: Site) -> None:
    site.note("north", JobState.RUNNING)
    site.note("south", JobState.RESTARTING, "no_connection: no\x1b[31m answer")
    with locked(site.state):
        heading, north, south, reason = site.listed()
        data = site.data()
    assert heading == HEADING
    assert north == f"north                files    RUNNING  RUNNING        {SINCE}"
    assert south == f"south                files    RUNNING  RESTARTING     {SINCE}"
    assert reason.startswith("  no_connection: no")
    assert "\x1b" not in reason
    assert [(job["state"], job["since"]) for job in data] == [("RUNNING", SINCE), ("RESTARTING", SINCE)]
    assert data[1]["detail"] == "no_connection: no\x1b[31m answer"


def test_what_a_killed_service_wrote_is_not_listed_as_true(site: Site) -> None:
    site.note("north", JobState.RUNNING)
    site.note("south", JobState.FAILED, "sign_in_refused: wrong password")
    assert [job["state"] for job in site.data()] == ["NOT RUNNING", "FAILED"]
    assert site.listed()[3] == "  sign_in_refused: wrong password"


def test_a_job_that_left_the_file_is_listed_but_cannot_be_told_anything(site: Site) -> None:
    site.note("gone", JobState.STOPPED)
    assert [(job["name"], job["state"]) for job in site.data()][:2] == [
        ("gone", "NOT CONFIGURED"),
        ("north", "NOT RUNNING"),
    ]
    assert site.listed()[2] == "  receiver.toml does not name it"
    code, _, err = site.run("jobs", "resume", "gone")
    assert code == 2
    assert "There is no job 'gone'" in err


def test_a_damaged_job_store_is_explained_and_ends_with_78(site: Site) -> None:
    site.state.mkdir()
    (site.state / "jobs.db").write_bytes(b"not a database" * 1000)
    for command in (["list"], ["pause", "north"]):
        code, _, err = site.run("jobs", *command)
        assert code == 78
        assert "remove jobs.db: then every job of receiver.toml runs" in err


# which job


@pytest.mark.parametrize("word", ["pause", "resume", "stop", "restart"])
def test_an_unknown_job_is_a_wrong_use_with_a_hint_and_changes_nothing(site: Site, word: str) -> None:
    code, out, err = site.run("jobs", word, "nort")
    assert (code, out) == (2, "")
    assert err == "fieldpost-receiver: There is no job 'nort', did you mean north?\n"
    code, _, err = site.run("jobs", word, "completely different")
    assert code == 2
    assert err.endswith("; there are: north, south\n")
    assert not site.state.exists()


@pytest.mark.parametrize("command", [["files"], ["verify"], ["expire"], ["expire", "--dry-run"], ["rebuild", "--yes"]])
def test_a_command_about_one_job_asks_which_if_there_are_several(site: Site, command: list[str]) -> None:
    code, out, err = site.run(*command)
    assert (code, out) == (2, "")
    assert err == "fieldpost-receiver: There are several jobs; choose one with --job: north, south\n"
    code, _, err = site.run(*command, "--job", "sout")
    assert code == 2
    assert "did you mean south?" in err
    assert not site.state.exists()


@pytest.mark.parametrize("command", ["files", "verify", "expire"])
def test_the_chosen_job_is_the_one_that_is_looked_at(site: Site, command: str) -> None:
    site.receive("south")
    code, _, err = site.run(command, "--job", "south")
    assert (code, err) == (0, "")
    code, _, err = site.run(command, "--job", "north")
    assert code == 0
    assert f"There is no ledger in {site.state / 'jobs/north'} yet" in err


@pytest.mark.parametrize("command", ["files", "verify", "expire"])
def test_the_only_job_need_not_be_named_whatever_it_is_called(site: Site, command: str) -> None:
    site.configure("north")
    site.receive("north")
    assert site.run(command)[::2] == (0, "")


# status


class Cluster:
    """Answers at once about any topic: two partitions with 7 messages."""

    def __init__(self, *_settings: object) -> None:
        pass

    def firsts(self, topics: list[str]) -> Mapping[str, Mapping[int, int] | FieldpostError]:
        return {topic: {0: 10, 1: 0} for topic in topics}

    def ends(self, topics: list[str]) -> Mapping[str, Mapping[int, int] | FieldpostError]:
        return {topic: {0: 15, 1: 2} for topic in topics}

    def close(self) -> None:
        pass


class Silence(Cluster):
    """A cluster that does not answer."""

    def ends(self, topics: list[str]) -> Mapping[str, Mapping[int, int] | FieldpostError]:
        return dict.fromkeys(topics, FieldpostError(Code.NO_CONNECTION, "no answer"))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STATUS, "ClusterOffsets", Cluster)


@pytest.mark.usefixtures("cluster")
def test_status_shows_all_jobs_each_under_its_name(site: Site) -> None:
    site.receive("north")
    code, out, err = site.run("status")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("Job ")] == ["Job north", "Job south"]
    assert out.count("Behind             7 messages") == 2
    assert f"There is no ledger in {site.state / 'jobs/south'} yet" in err
    data = json.loads(site.run("status", "--json")[1])
    assert list(data) == ["jobs"]
    assert {name: one["lag_messages"] for name, one in data["jobs"].items()} == {"north": 7, "south": 7}


@pytest.mark.usefixtures("cluster")
def test_status_of_one_job_has_no_heading_and_no_level_in_between(site: Site) -> None:
    code, out, _ = site.run("status", "--job", "south")
    assert code == 0
    assert out.startswith("Transfers\n")
    data = json.loads(site.run("status", "--job", "south", "--json")[1])
    site.configure("south")
    assert json.loads(site.run("status", "--json")[1]).keys() == data.keys()
    assert data["lag_messages"] == 7


@pytest.mark.usefixtures("cluster")
def test_status_of_an_unknown_job_is_a_wrong_use_with_a_hint(site: Site) -> None:
    code, out, err = site.run("status", "--job", "nort")
    assert (code, out) == (2, "")
    assert "did you mean north?" in err


def test_status_shows_all_jobs_although_brokers_do_not_answer(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STATUS, "ClusterOffsets", Silence)
    code, out, err = site.run("status")
    assert code == 0
    assert out.count("not known: no answer from the broker") == 2
    assert "127.0.0.1:1" in err
