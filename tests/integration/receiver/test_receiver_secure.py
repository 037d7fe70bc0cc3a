# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The real receiver on a broker with TLS, passwords and rights: it works with the least of them, says in time what
lacks, and shows its password nowhere.
"""

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest
from confluent_kafka import Consumer, KafkaError, Message, Producer

from devkafka.certificates import Authority
from devkafka.roles import Role
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_receiver.jobs.files.ingest import task
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import RowKind
from fieldpost_receiver.storage.folder.staging_writer import FolderStagingWriter
from fieldpost_receiver.storage.folder.working_folder import create_working_folders
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.crash_points import NoCrashPoints
from fieldpost_shared.kafka.settings import KafkaSettings
from support.brokers import Topics
from support.processes.cli import CLIENT, Cli, secure_profile
from support.processes.receiver import PROGRAM, Receiver, secure_kafka
from support.samples import digest, make
from support.waiting import wait_until

IN_TIME_S = 30.0
CHUNK = 983_040
WRONG = "surely-wrong"
pytestmark = pytest.mark.timeout(240)  # Spark takes some seconds to start, more on a busy machine


@pytest.fixture(name="sender")
def sender_fixture(bare_cli: Cli, secure_topics: Topics) -> Cli:
    """The uploader's program, its password in a file that the environment names."""
    password = bare_cli.file("uploader-password", secure_topics.cluster.security.passwords["uploader"].encode())
    password.chmod(0o600)
    bare_cli.env["FIELDPOST_PASSWORD_FILE"] = str(password)
    bare_cli.options = ("--profile", str(secure_profile(bare_cli.folder / "office.fieldpost", secure_topics)))
    return bare_cli


def office(topics: Topics, folder: Path, **kafka: str) -> Receiver:
    return Receiver(topics, folder / "office", kafka=secure_kafka(topics, folder / "secrets") | kafka)


def holding(secret: str, *places: Path) -> list[Path]:
    """The files in these places that hold the secret."""
    files = [found for place in places for found in (place.rglob("*") if place.is_dir() else [place])]
    assert files, "nothing to look at proves nothing"
    return [path for path in files if path.is_file() and secret.encode() in path.read_bytes()]


def command_lines() -> Iterator[str]:
    for process in psutil.process_iter(["cmdline"]):
        yield " ".join(process.info["cmdline"] or [])


def test_files_cross_with_the_least_rights_and_no_password_shows(
    sender: Cli, secure_topics: Topics, tmp_path: Path
) -> None:
    passwords = secure_topics.cluster.security.passwords
    sources = {f"in/{size}.bin": make(tmp_path / "in", f"{size}.bin", size, size) for size in (0, 1_000, 5 * CHUNK + 1)}
    with office(secure_topics, tmp_path) as receiver:
        sent = sender.run("send", "--json", "in").check(Exit.DONE)
        check = receiver.command("check")
        seen = [line for line in command_lines() if any(password in line for password in passwords.values())]
        held = holding(passwords["receiver"], receiver.state)  # while Spark's own files are there
        arrived = receiver.files()
        assert receiver.stop() == 0
    assert {one["path"]: (one["state"], one["sha256"]) for one in sent.objects} == {
        name: ("confirmed", digest(path)) for name, path in sources.items()
    }
    assert {name: digest(path) for name, path in arrived.items()} == {
        f"{CLIENT}/{name}": digest(path) for name, path in sources.items()
    }
    assert (check.returncode, check.stderr) == (0, "")
    assert "The receiver can run." in check.stdout
    assert passwords["receiver"] not in check.stdout
    assert not seen
    assert not held
    assert holding(passwords["receiver"], receiver.state, receiver.log, receiver.destination, receiver.config) == []
    assert holding(passwords["uploader"], receiver.state, receiver.log, sender.data_dir) == []


def test_a_task_needs_no_rights_on_a_group(
    secure_topics: Topics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A consumer asks for its group by itself and brings the refusal among the messages, sooner or later."""
    seen: list[int] = []

    class Observed(Consumer):
        def consume(self, num_messages: int = 1, timeout: float = -1) -> list[Message]:
            found = super().consume(num_messages, timeout)
            seen.extend(error.code() for message in found if (error := message.error()))
            return found

    monkeypatch.setattr(task, "Consumer", Observed)
    settings = KafkaSettings.parse(
        secure_kafka(secure_topics, tmp_path)
        | {"files_topic": secure_topics.files, "status_topic": secure_topics.status}
    )
    create_working_folders(tmp_path)
    producer = Producer({"bootstrap.servers": secure_topics.bootstrap_servers})
    with FolderStagingWriter(tmp_path) as staging, ThreadPoolExecutor() as pool:
        reading = pool.submit(
            lambda: list(task.run(settings, [Range(0, 0, 1)], staging, NoCrashPoints(), SystemClock()))
        )
        wait_until(lambda: KafkaError.GROUP_AUTHORIZATION_FAILED in seen, IN_TIME_S, "the refusal")
        producer.produce(secure_topics.files, b"x", partition=0)
        assert producer.flush(IN_TIME_S) == 0
        rows = reading.result(IN_TIME_S)
    assert [(row.kind, row.offset) for row in rows] == [(RowKind.BAD, 0), (RowKind.READ, 1)]


def refused(receiver: Receiver) -> tuple[str, str]:
    """What `run` and `check` say where both must end with 78, in time and before Spark is started."""
    checking = subprocess.Popen(
        [str(PROGRAM), "check", "--json", "--config", str(receiver.config)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert receiver.run_until_it_ends(IN_TIME_S) == 78
    checked, _ = checking.communicate(timeout=IN_TIME_S)
    assert checking.returncode == 78
    assert not (receiver.state / "spark").exists()
    logged = receiver.log.read_text(encoding="utf-8")
    assert "Traceback" not in logged + checked
    details = [
        f"{one['detail']} {one['advice']}" for one in json.loads(checked)["checks"] if one["outcome"] == "failed"
    ]
    return logged, "\n".join(details)


def test_a_wrong_password_ends_both_in_time_with_an_explanation(secure_topics: Topics, tmp_path: Path) -> None:
    wrong = secure_kafka(secure_topics, tmp_path / "wrong", password=WRONG)
    receiver = office(secure_topics, tmp_path, **wrong)
    logged, checked = refused(receiver)
    assert '"code": "sign_in_refused"' in logged
    assert "User name or password not accepted." in checked
    assert WRONG not in logged + checked
    assert holding(WRONG, receiver.folder) == []


def test_a_broker_with_an_unknown_certificate_gets_no_password(secure_topics: Topics, tmp_path: Path) -> None:
    Authority.create("Somebody else").write_certificate(tmp_path / "other.pem")
    receiver = office(secure_topics, tmp_path, ssl_ca_location=str(tmp_path / "other.pem"))
    logged, checked = refused(receiver)
    assert '"code": "no_secure_connection"' in logged
    assert "certificate verify failed" in logged
    assert "No secure connection to " in checked
    assert holding(secure_topics.cluster.security.passwords["receiver"], receiver.folder) == []


@pytest.mark.parametrize(("user", "words"), [("stranger", "no right to describe it"), ("uploader", "no right to Read")])
def test_a_missing_permission_ends_both_with_the_command_that_grants_it(
    secure_topics: Topics, tmp_path: Path, user: str, words: str
) -> None:
    receiver = office(secure_topics, tmp_path, **secure_kafka(secure_topics, tmp_path / "other", user))
    logged, checked = refused(receiver)
    assert '"code": "may_not_send"' in logged
    grant = f"--allow-principal User:{user} --operation Read --operation Describe"
    for said in (logged, checked):
        assert f"{secure_topics.files}: {words}" in said
        assert grant in said
        assert secure_topics.cluster.security.passwords[user] not in said


def test_without_the_right_to_answer_it_does_not_even_start(secure_topics: Topics, tmp_path: Path) -> None:
    cluster = secure_topics.cluster
    cluster.grant("stranger", Role.RECEIVER, files=secure_topics.files, status=secure_topics.files)
    try:
        receiver = office(secure_topics, tmp_path, **secure_kafka(secure_topics, tmp_path / "other", "stranger"))
        logged, checked = refused(receiver)
    finally:
        cluster.revoke("stranger")
    for said in (logged, checked):
        assert f"{secure_topics.status}: no right to describe it" in said
