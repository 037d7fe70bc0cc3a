# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver's commands against a real broker. Spark is not started: the ledger is filled through the files job."""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import ConfigResource, ResourceType  # type: ignore[attr-defined]  # re-exported

from devkafka.cluster import Cluster
from devkafka.ports import free_ports
from fieldpost_receiver.cli import main
from fieldpost_receiver.commands.exclusive_state import exclusive_state
from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ownership_tags import bind_topic
from fieldpost_receiver.kafka.access import check_access
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts
from support.brokers import StartBroker, Topics
from support.receiver.files_job import open_files_job
from support.waiting import wait_until

PROGRAM = Path(sys.executable).with_name("fieldpost-receiver")
Captured = pytest.CaptureFixture[str]


@dataclass
class Site:
    """A receiver's folders and settings, on some broker."""

    folder: Path
    kafka: Mapping[str, str]
    settings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "destination").mkdir(exist_ok=True)
        self.file = self.folder / "receiver.toml"
        receiver = {"state_dir": "state", "destination": "destination", "min_free_space": "1GiB"} | self.settings
        sections = {"receiver": receiver, "kafka": self.kafka}
        lines = [
            f"[{name}]\n" + "".join(f'{key} = "{value}"\n' for key, value in section.items())
            for name, section in sections.items()
        ]
        self.file.write_text("".join(lines), encoding="utf-8")

    @property
    def config(self) -> JobConfig:
        (job,) = load(self.file, {}).jobs
        return job

    def run(self, *arguments: str) -> int:
        return main([*arguments, "--config", str(self.file)])

    def open(self) -> "closing[FilesJob]":
        return closing(open_files_job(self.config, SystemClock()))


def site_on(topics: Topics, folder: Path, **kafka: str) -> Site:
    known = {"bootstrap_servers": topics.bootstrap_servers, "files_topic": topics.files, "status_topic": topics.status}
    return Site(folder, known | kafka)


def secure_site(topics: Topics, folder: Path, user: str = "receiver", password: str = "") -> Site:
    security, secret = topics.cluster.security, folder / "password"
    secret.write_text(f"{password or security.passwords[user]}\n", encoding="utf-8")
    secret.chmod(0o600)
    return site_on(
        topics,
        folder,
        bootstrap_servers=security.bootstrap_servers,
        security_protocol="SASL_SSL",
        sasl_username=user,
        sasl_password_file=str(secret),
        ssl_ca_location=str(security.ca_path),
    )


def settings_of(cluster: Cluster, topic: str) -> dict[str, str]:
    admin, resource = cluster.admin(), ConfigResource(ResourceType.TOPIC, topic)
    return {name: entry.value for name, entry in admin.describe_configs([resource])[resource].result(20).items()}


@pytest.fixture
def site(topics: Topics, tmp_path: Path) -> Site:
    return site_on(topics, tmp_path)


def failures(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(one["check"], one["detail"]) for one in found["checks"] if one["outcome"] == "failed"]


# check


def test_check_ticks_everything_and_shows_the_settings(site: Site, topics: Topics, capsys: Captured) -> None:
    assert site.run("check") == 0
    said = capsys.readouterr().out
    assert f"✓ files topic: {topics.files}: 4 partitions, 1 copy (1 in sync at least)" in said
    assert "The receiver can run." in said
    assert f"  kafka.files_topic = {topics.files}" in said
    assert "✗" not in said


def test_check_as_json_is_one_object(site: Site, capsys: Captured) -> None:
    assert site.run("check", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"]
    assert {one["check"] for one in found["checks"]} >= {"broker", "files topic", "status topic", "java", "space"}
    assert found["configuration"]["receiver.name"] == "central"


def test_a_topic_that_is_not_there_is_named_with_the_way_to_make_it(
    topics: Topics, tmp_path: Path, capsys: Captured
) -> None:
    assert site_on(topics, tmp_path, status_topic="no-such-topic").run("check") == 78
    said = capsys.readouterr().out
    assert "✗ status topic: no-such-topic is not there\n    Run: fieldpost-receiver topics create" in said
    assert "The receiver cannot run as it is." in said


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"cleanup.policy": "compact"}, "is compacted"),
        ({"max.message.bytes": "20000"}, "20000 bytes at most"),
        ({"min.insync.replicas": "2"}, "wants 2 copies in sync and has 1"),
    ],
)
def test_a_topic_that_would_lose_or_refuse_files_is_a_matter_of_configuration(
    site: Site, topics: Topics, setting: dict[str, str], words: str, capsys: Captured
) -> None:
    topics.cluster.alter_config(topics.files, setting)
    assert site.run("check", "--json") == 78
    ((check, detail),) = failures(json.loads(capsys.readouterr().out))
    assert check == "files topic"
    assert words in detail


def test_a_short_retention_is_worth_a_warning(site: Site, topics: Topics, capsys: Captured) -> None:
    topics.cluster.alter_config(topics.files, {"retention.ms": "3600000"})
    assert site.run("check") == 0
    assert "! files topic: " in capsys.readouterr().out


def test_a_floor_of_free_space_that_one_batch_could_take_is_worth_a_warning(site: Site, capsys: Captured) -> None:
    assert Site(site.folder, site.kafka, {"min_free_space": "1MiB"}).run("check") == 0
    said = capsys.readouterr().out
    assert "! space: new files wait below 1MiB free, but a batch may take 512MiB\n    Raise receiver.min_free" in said


# rights and secrets


def test_the_least_rights_are_enough_and_no_secret_shows(
    secure_topics: Topics, tmp_path: Path, capsys: Captured
) -> None:
    site = secure_site(secure_topics, tmp_path)
    assert site.run("check") == 0
    assert site.run("check", "--json") == 0
    assert site.run("status", "--json") == 0
    said = capsys.readouterr()
    assert secure_topics.cluster.security.passwords["receiver"] not in said.out + said.err
    assert f"kafka.sasl_password_file = {tmp_path / 'password'}" in said.out


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ("uploader", {("files topic", "no right to Read"), ("status topic", "no right to Write")}),
        ("stranger", {("files topic", "no right to describe it"), ("status topic", "no right to describe it")}),
    ],
)
def test_missing_permissions_are_named_with_the_command_that_grants_them(
    secure_topics: Topics, tmp_path: Path, user: str, expected: set[tuple[str, str]], capsys: Captured
) -> None:
    assert secure_site(secure_topics, tmp_path, user).run("check", "--json") == 78
    found = json.loads(capsys.readouterr().out)
    assert {(check, detail.split(": ")[1]) for check, detail in failures(found)} == expected
    advice = " ".join(one["advice"] for one in found["checks"] if one["outcome"] == "failed")
    assert f"--allow-principal User:{user} --operation Read --operation Describe" in advice


def test_a_wrong_password_is_a_matter_of_configuration(secure_topics: Topics, tmp_path: Path, capsys: Captured) -> None:
    wrong = "surely-wrong"
    assert secure_site(secure_topics, tmp_path, password=wrong).run("check") == 78
    said = capsys.readouterr().out
    assert "User name or password not accepted." in said
    assert "\N{EN DASH} files topic: not looked at" in said
    assert wrong not in said


def test_a_world_readable_password_is_worth_a_warning(secure_topics: Topics, tmp_path: Path, capsys: Captured) -> None:
    site = secure_site(secure_topics, tmp_path)
    (tmp_path / "password").chmod(0o644)
    assert site.run("check") == 0
    assert f"chmod 600 {tmp_path / 'password'}" in capsys.readouterr().out


def test_an_account_that_may_not_create_topics_is_told_so(
    secure_topics: Topics, tmp_path: Path, capsys: Captured
) -> None:
    known = dict(secure_site(secure_topics, tmp_path).kafka)
    site = Site(tmp_path, known | {"files_topic": "new-one"})
    assert site.run("topics", "create") == 78
    assert "may not create new-one" in capsys.readouterr().err


# topics create


def test_topics_are_made_once_and_left_alone_afterwards(broker: Cluster, tmp_path: Path, capsys: Captured) -> None:
    names = ("made-files", "made-status")
    kafka = {"bootstrap_servers": broker.bootstrap_servers, "files_topic": names[0], "status_topic": names[1]}
    site = Site(tmp_path, kafka)
    try:
        assert site.run("topics", "create") == 0
        said = capsys.readouterr().out
        assert "made-files: made (8 partitions, 1 copy, kept 7 days)" in said
        assert said.count("--allow-principal User:uploader") == 2
        assert said.count("--allow-principal User:receiver") == 3
        assert [len(broker.partitions(name)) for name in names] == [8, 8]
        found = [settings_of(broker, name) for name in names]
        assert [one["retention.ms"] for one in found] == [str(days * 86_400_000) for days in (7, 30)]
        assert {one["min.insync.replicas"] for one in found} == {"1"}
        assert site.run("topics", "create", "--partitions", "3") == 0
        assert "made-files: is there already (8 partitions, 1 copy); left as it is" in capsys.readouterr().out
        assert [len(broker.partitions(name)) for name in names] == [8, 8]
        assert site.run("check") == 0
    finally:
        broker.delete_topic(*names)


def test_three_brokers_keep_three_copies_two_of_them_in_sync(
    own_broker: StartBroker, tmp_path: Path, capsys: Captured
) -> None:
    cluster = own_broker(nodes=3)
    site = Site(tmp_path, {"bootstrap_servers": cluster.bootstrap_servers})
    assert site.run("topics", "create", "--partitions", "2") == 0
    assert "fieldpost.files: made (2 partitions, 3 copies, kept 7 days)" in capsys.readouterr().out
    # One of the three brokers may hear of a new topic later than the one that was asked.
    partitions = wait_until(
        lambda: cluster.partitions("fieldpost.status"), 20, "the test's own client to see the topic"
    )
    assert {len(part.replicas) for part in partitions.values()} == {3}
    assert settings_of(cluster, "fieldpost.files")["min.insync.replicas"] == "2"

    def outcomes() -> set[str]:
        site.run("check", "--json")
        return {one["outcome"] for one in json.loads(capsys.readouterr().out)["checks"]}

    wait_until(lambda: outcomes() == {"ok"}, 20, "every broker to know both topics, and nothing to complain of")


# status


def test_status_shows_transfers_and_unread_messages(site: Site, topics: Topics, capsys: Captured) -> None:
    producer = Producer({"bootstrap.servers": topics.bootstrap_servers})
    for partition in range(topics.partitions):
        for _ in range(5):
            producer.produce(topics.files, b"x", partition=partition)
    assert producer.flush(20) == 0
    topics.cluster.delete_records(topics.files, 3, 4)  # retention took them unread
    with site.open() as job:
        job.reading.set_processed({0: 5, 1: 2})
        job.quarantine.put(0, 1, code=Code.BAD_HASH, detail="x", now_ns=1)
        open_one, done = (FileFacts(ClientName("van-7"), TransferId(id_ * 32), "a", 7, 0, 5) for id_ in "12")
        job.transfers.add(open_one, TransferState.RECEIVING, 1)
        sealed = job.transfers.add(done, TransferState.SEALED, 1)
        job.transfers.finish(sealed, TransferState.PUBLISHED, 2, name="van-7/a")
        with exclusive_state(site.config), job.store.transaction():  # as if the receiver ran and wrote just now
            assert site.run("status", "--json") == 0
            found = json.loads(capsys.readouterr().out)
            assert site.run("status") == 0
    assert found.pop("free_bytes") > 0
    assert found == {
        "transfers": {"published": 1, "receiving": 1},
        "quarantine": {"bad_hash": 1},
        "lag_messages": 0 + 3 + 5 + 1,
        "bytes_published": 7,
        "files_published": 1,
    }
    said = capsys.readouterr().out
    assert "Behind             9 messages" in said
    assert "Published          1 file, 7 B" in said


def test_before_the_first_run_status_is_all_zeros(site: Site, capsys: Captured) -> None:
    assert site.run("status", "--json") == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert (found["transfers"], found["lag_messages"], found["files_published"]) == ({}, 0, 0)
    assert "the receiver has not run" in said.err


# rebuild


def test_rebuilding_binds_a_new_ledger_to_the_topic_that_is_there(site: Site, capsys: Captured) -> None:
    with site.open() as job:
        bind_topic(job.store, "a topic that was deleted")
    topic_id = check_access(Broker(site.config.kafka, SystemClock()), site.config.kafka)
    with site.open() as job, pytest.raises(FieldpostError, match="ledger_foreign"):
        bind_topic(job.store, topic_id)
    assert site.run("rebuild", "--yes") == 0
    said = capsys.readouterr().out
    assert "Files that were moved away since come again." in said
    assert "reads from the oldest message on" in said
    with site.open() as job:
        bind_topic(job.store, topic_id)


def test_rebuilding_asks_and_without_an_answer_changes_nothing(site: Site) -> None:
    with site.open():
        pass
    command = [str(PROGRAM), "rebuild", "--config", str(site.file)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert "give --yes" in done.stderr
    assert not list((site.folder / "state").glob("*.old"))


# without a broker


def test_without_a_broker_every_command_ends_in_time_with_an_explanation(tmp_path: Path) -> None:
    site = Site(tmp_path, {"bootstrap_servers": f"127.0.0.1:{next(iter(free_ports(1)))}"})
    with site.open():
        pass
    commands = (["check", "--json"], ["status", "--json"], ["rebuild", "--yes"], ["topics", "create"])
    running = [
        subprocess.Popen(
            [PROGRAM, *command, "--config", site.file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for command in commands
    ]
    (check, _), (status, _), (_, rebuilding), (_, topics) = (process.communicate(timeout=40) for process in running)
    assert [process.returncode for process in running] == [75, 0, 75, 75]
    assert [name for name, _ in failures(json.loads(check))] == ["broker"]
    assert json.loads(status)["lag_messages"] is None
    assert "No connection to 127.0.0.1:" in rebuilding
    assert "No connection to 127.0.0.1:" in topics
    assert not list((site.folder / "state").glob("*.old"))
