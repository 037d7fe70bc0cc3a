# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What `check` says of a cluster. The executors are functions here; `test_f05_cluster` asks real ones."""

import errno
import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fieldpost_receiver.commands import check_cluster
from fieldpost_receiver.commands.check_machine import check_machine
from fieldpost_receiver.commands.findings import Finding, Outcome
from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.config.settings import ReceiverConfig, SparkSettings
from fieldpost_receiver.spark.executor_trial import ExecutorsSilent
from fieldpost_receiver.spark.run_batch import BatchFailed
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError

Ask = Callable[[Callable[[], str]], str]


class Executors:
    """Two machines, the second of which answers as it is told."""

    def __init__(self, second: Ask) -> None:
        self._second = second

    def ask(self, question: Callable[[], str], *, seconds: float) -> dict[str, set[str]]:
        assert seconds > 0
        return {"node-1": {question()}, "node-2": {self._second(question)}}


def config_of(folder: Path, spark: str) -> ReceiverConfig:
    (folder / "destination").mkdir()
    text = f'[receiver]\nstate_dir = "state"\ndestination = "destination"\n[spark]\n{spark}\n'
    (folder / "receiver.toml").write_text(f'{text}[kafka]\nbootstrap_servers = "127.0.0.1:1"\n', encoding="utf-8")
    return load(folder / "receiver.toml", {})


def findings(monkeypatch: pytest.MonkeyPatch, config: ReceiverConfig, second: Ask) -> dict[str, Finding]:
    @contextmanager
    def opened(spark: SparkSettings) -> Iterator[Executors]:
        assert spark is config.spark
        yield Executors(second)

    monkeypatch.setattr(check_cluster, "open_executors", opened)
    found = {finding.check: finding for finding in check_cluster.check_cluster(config)}
    assert not config.receiver.destination.exists() or not list(config.receiver.destination.iterdir())
    return found


@pytest.fixture
def config(tmp_path: Path) -> ReceiverConfig:
    return config_of(tmp_path, 'master = "spark://127.0.0.1:7077"')


def told(question: Callable[[], str]) -> str:
    return question()


def test_one_machine_needs_no_check_of_a_cluster(tmp_path: Path) -> None:
    assert list(check_cluster.check_cluster(config_of(tmp_path, 'master = "local[2]"'))) == []


def test_a_lock_that_every_executor_sees_is_well(monkeypatch: pytest.MonkeyPatch, config: ReceiverConfig) -> None:
    found = findings(monkeypatch, config, told)["tasks' lock"]
    assert found.outcome is Outcome.OK
    assert found.detail.endswith("counts for executors on node-1, node-2")


def test_a_lock_that_counts_on_one_machine_only_fails_with_74(
    monkeypatch: pytest.MonkeyPatch, config: ReceiverConfig
) -> None:
    def local_only(question: Callable[[], str]) -> str:
        with monkeypatch.context() as patch:
            patch.setattr(fcntl, "flock", lambda *_: None)
            return question()

    found = findings(monkeypatch, config, local_only)["tasks' lock"]
    assert (found.outcome, found.exit) == (Outcome.FAILED, 74)
    assert "is not seen on node-2" in found.detail
    assert "one file system" in found.advice


@pytest.mark.parametrize(
    ("answer", "words"),
    [("absent", "on node-2 is not the one of this machine"), ("held", "still counts on node-2")],
)
def test_another_folder_or_a_lock_that_stays_fails_with_74(
    monkeypatch: pytest.MonkeyPatch, config: ReceiverConfig, answer: str, words: str
) -> None:
    found = findings(monkeypatch, config, lambda _: answer)["tasks' lock"]
    assert (found.outcome, found.exit) == (Outcome.FAILED, 74)
    assert words in found.detail


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ExecutorsSilent(), (Outcome.WARNING, 0, "no executor of spark://127.0.0.1:7077 took a task in 60 s")),
        (BatchFailed("Aborted:\nModuleNotFoundError: No module named 'x'\n\n\tat a.b"), (Outcome.FAILED, 78, "'x'")),
        (FieldpostError(Code.STORAGE_FAILED, "try a lock: ENOLCK"), (Outcome.FAILED, 74, "ENOLCK")),
        (StorageError("try a lock", errno.ENOLCK), (Outcome.FAILED, 74, "ENOLCK")),
        (SettingsError("spark.secret_file", "the master refuses it"), (Outcome.FAILED, 78, "refuses it")),
        (FieldpostError(Code.UNEXPECTED, "does not answer"), (Outcome.FAILED, 75, "does not answer")),
    ],
    ids=["silent", "no-package", "storage-there", "storage-here", "refused", "no-master"],
)
def test_executors_that_cannot_be_asked_are_told_with_the_right_exit_code(
    monkeypatch: pytest.MonkeyPatch, config: ReceiverConfig, error: Exception, expected: tuple[Outcome, int, str]
) -> None:
    def fails(_question: Callable[[], str]) -> str:
        raise error

    outcome, code, words = expected
    found = findings(monkeypatch, config, fails)["tasks' lock"]
    assert (found.outcome, found.exit) == (outcome, code)
    assert words in found.detail
    assert found.advice


def test_a_missing_destination_is_told_before_spark_starts(
    monkeypatch: pytest.MonkeyPatch, config: ReceiverConfig
) -> None:
    config.receiver.destination.rmdir()
    found = findings(monkeypatch, config, told)["tasks' lock"]
    assert (found.outcome, found.exit) == (Outcome.FAILED, 74)


@pytest.mark.parametrize(
    ("master", "advice"),
    [("spark://127.0.0.1:7077", "spark.secret_file"), ("yarn", "spark-defaults.conf")],
)
def test_a_cluster_without_a_secret_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, master: str, advice: str
) -> None:
    found = findings(monkeypatch, config_of(tmp_path, f'master = "{master}"'), told)["spark secret"]
    assert found.outcome is Outcome.WARNING
    assert advice in found.advice


@pytest.mark.parametrize(("mode", "outcome"), [(0o644, Outcome.WARNING), (0o600, Outcome.OK)], ids=["open", "private"])
def test_a_secret_that_every_user_can_read_is_worth_a_warning(tmp_path: Path, mode: int, outcome: Outcome) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hunter22\n", encoding="ascii")
    secret.chmod(mode)
    config = config_of(tmp_path, f'master = "spark://127.0.0.1:7077"\nsecret_file = "{secret}"')
    (found,) = (one for one in check_machine(config, SystemClock()) if one.check == "secrets")
    assert found.outcome is outcome
    assert str(secret) in found.detail


def test_a_cluster_with_a_secret_is_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter22\n", encoding="ascii")
    spark = 'master = "spark://127.0.0.1:7077"\nsecret_file = "secret"'
    found = findings(monkeypatch, config_of(tmp_path, spark), told)["spark secret"]
    assert found.outcome is Outcome.OK
    assert str(tmp_path / "secret") in found.detail
