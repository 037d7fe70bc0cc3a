# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The tables [jobs.NAME] of receiver.toml."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from fieldpost_receiver.config.receiver_toml import describe, load
from fieldpost_receiver.config.settings import JobConfig, JobKind, ReceiverConfig
from fieldpost_shared.errors import SettingsError

SHARED = """
[receiver]
destination = "in"
state_dir = "state"
publishers = 3
[kafka]
bootstrap_servers = "broker:9092"
"""
NORTH = """
[jobs.north]
"connector.class" = "files"
name = "north"
destination = "north"
"""
SOUTH = """
[jobs.south]
"connector.class" = "files"
name = "south"
destination = "south"
bootstrap_servers = "other:9092"
files_topic = "south.files"
publishers = 5
"""


def loaded(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> ReceiverConfig:
    path = folder / "receiver.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, environ or {})


def jobs_of(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> dict[str, JobConfig]:
    return {job.name: job for job in loaded(folder, text, environ).jobs}


def refusal(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        loaded(folder, text, environ)
    return caught.value


def with_key(line: str) -> str:
    """A job with one more line."""
    return f"{SHARED}{NORTH}{line}\n"


def renamed(table: str, text: str = NORTH) -> str:
    """A job under another name."""
    return SHARED + text.replace("[jobs.north]", f"[jobs.{table}]")


def key_of(line: str) -> str:
    return line.partition(" ")[0]


# what jobs there are


def test_a_file_without_tables_means_one_job_called_files(tmp_path: Path) -> None:
    config = loaded(tmp_path, SHARED)
    (job,) = config.jobs
    assert (job.name, job.kind, job.own) == ("files", JobKind.FILES, ())
    assert job.receiver == config.receiver
    assert job.spark == config.spark


def test_jobs_differ_in_the_keys_of_their_tables_and_share_the_rest(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path, SHARED + NORTH + SOUTH)
    assert list(jobs) == ["north", "south"], "in the order of the file"
    north, south = jobs["north"], jobs["south"]
    assert (north.receiver.name, south.receiver.name) == ("north", "south")
    assert (north.receiver.publishers, south.receiver.publishers) == (3, 5)
    assert (north.receiver.destination, south.receiver.destination) == (tmp_path / "north", tmp_path / "south")
    assert (north.kafka.servers, south.kafka.servers) == (("broker:9092",), ("other:9092",))
    assert (north.kafka.files_topic, south.kafka.files_topic) == ("fieldpost.files", "south.files")
    assert north.receiver.state_dir == south.receiver.state_dir == tmp_path / "state"
    assert north.own == ("name", "destination")


def test_what_goes_to_spark_is_of_the_job_and_not_of_the_section(tmp_path: Path) -> None:
    south = jobs_of(tmp_path, SHARED + NORTH + SOUTH)["south"]
    assert south.kafka_options["bootstrap_servers"] == "other:9092"
    assert "name" not in south.kafka_options
    assert type(south.kafka).parse(south.kafka_options) == south.kafka


def test_the_environment_overrides_a_section_but_no_key_of_a_job(tmp_path: Path) -> None:
    environ = {"FIELDPOST_RECEIVER_PUBLISHERS": "7", "FIELDPOST_KAFKA_BOOTSTRAP_SERVERS": "third:1"}
    jobs = jobs_of(tmp_path, SHARED + NORTH + SOUTH, environ)
    assert jobs["north"].receiver.publishers == 7
    assert jobs["north"].kafka.servers == ("third:1",)
    assert jobs["south"].receiver.publishers == 5
    assert jobs["south"].kafka.servers == ("other:9092",)


def test_the_section_kafka_may_be_absent_if_every_job_names_its_brokers(tmp_path: Path) -> None:
    brokers = 'bootstrap_servers = "one:1"\n'
    jobs = jobs_of(tmp_path, f"{NORTH}{brokers}{SOUTH}")
    assert jobs["north"].kafka.servers == ("one:1",)
    error = refusal(tmp_path, NORTH + SOUTH)
    assert error.key == "kafka.bootstrap_servers"
    assert "is missing" in error.problem


@pytest.mark.parametrize("name", ['"two words"', '"Zürich"', '"a.b"', f'"{"x" * 200}"', '"7"', "a-b_c"])
def test_a_job_may_have_any_name_that_a_folder_and_a_path_can_have(tmp_path: Path, name: str) -> None:
    assert list(jobs_of(tmp_path, renamed(name))) == [name.strip('"')]


# what is refused


@pytest.mark.parametrize(
    "name", ['""', '" a"', '"a "', '".a"', '".."', '"a/b"', '"a\\\\b"', '"a%b"', '"a\\nb"', f'"{"ä" * 101}"']
)
def test_a_name_that_no_folder_or_path_can_have_is_refused(tmp_path: Path, name: str) -> None:
    error = refusal(tmp_path, renamed(name))
    assert error.key.startswith("jobs.'")
    assert "is not a name for a job: it begins with" in error.problem
    assert len(error.detail) < 500


def test_a_job_must_say_its_kind(tmp_path: Path) -> None:
    error = refusal(tmp_path, SHARED + '[jobs.north]\nname = "north"\n')
    assert error.key == "jobs.north.connector.class"
    assert 'write "connector.class" = "files"' in error.problem


def test_the_remedy_also_helps_who_forgot_the_quotes_of_the_kind(tmp_path: Path) -> None:
    error = refusal(tmp_path, SHARED + '[jobs.north]\nconnector.class = "files"\n')
    assert error.key == "jobs.north.connector.class"
    assert 'write "connector.class" = "files"' in error.problem


@pytest.mark.parametrize("kind", ['"file"', '"FILES"', "5", "[]", '""'])
def test_an_unknown_kind_is_refused_with_the_known_ones(tmp_path: Path, kind: str) -> None:
    error = refusal(tmp_path, f'{SHARED}[jobs.north]\n"connector.class" = {kind}\n')
    assert error.key == "jobs.north.connector.class"
    assert "is not a kind of job; known: files" in error.problem


def test_an_unknown_key_of_a_job_names_the_nearest_and_hides_its_value(tmp_path: Path) -> None:
    error = refusal(tmp_path, with_key('sasl_password = "hunter22"'))
    assert error.key == "jobs.north.sasl_password"
    assert "did you mean sasl_password_file?" in error.problem
    assert "hunter22" not in str(error)


@pytest.mark.parametrize("line", ['master = "local"', "max_batch_rows = 5", 'listen = "off"'])
def test_a_key_of_another_section_is_none_of_a_job(tmp_path: Path, line: str) -> None:
    error = refusal(tmp_path, with_key(line))
    assert error.key == f"jobs.north.{key_of(line)}"
    assert "is not a setting of a job" in error.problem


@pytest.mark.parametrize("line", ['state_dir = "elsewhere"', 'log_level = "debug"'])
def test_a_key_that_all_jobs_share_belongs_into_the_section(tmp_path: Path, line: str) -> None:
    error = refusal(tmp_path, with_key(line))
    assert error.key == f"jobs.north.{key_of(line)}"
    assert error.problem == "is the same for all jobs; set it in [receiver]"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("publishers = 0", "is not a whole number from 1 to 64"),
        ('on_conflict = "keep_both"', "did you mean keep-both?"),
        ('files_topic = "a b"', "cannot be a topic"),
        ("client_id = 7", "must be text in quotes"),
        ('bootstrap_servers = "nowhere"', "is not host:port"),
    ],
)
def test_a_wrong_value_of_a_job_is_named_with_the_job(tmp_path: Path, line: str, problem: str) -> None:
    error = refusal(tmp_path, with_key(line))
    assert error.key == f"jobs.north.{key_of(line)}"
    assert problem in error.problem


def test_a_wrong_shared_value_is_named_with_its_section(tmp_path: Path) -> None:
    wrong = SHARED.replace("publishers = 3", "publishers = 0")
    assert refusal(tmp_path, wrong + NORTH).key == "receiver.publishers"
    assert refusal(tmp_path, SHARED + 'files_topic = "a b"\n' + NORTH).key == "kafka.files_topic"


def test_a_wrong_shared_variable_is_named_although_jobs_have_tables(tmp_path: Path) -> None:
    error = refusal(tmp_path, SHARED + NORTH, {"FIELDPOST_KAFKA_FILES_TOPIC": "a b"})
    assert error.key == "kafka.files_topic"
    assert error.problem.endswith("(set by FIELDPOST_KAFKA_FILES_TOPIC)")


@pytest.mark.parametrize(
    ("text", "key", "problem"),
    [
        ("jobs = 5\n", "jobs", "must be tables, each written as [jobs.NAME]"),
        ("[[jobs]]\n", "jobs", "must be tables, each written as [jobs.NAME]"),
        ("[jobs]\nnorth = 5\n", "jobs.north", "must be a table, written as [jobs.north]"),
        ("[job.north]\n", "job", "did you mean jobs?"),
    ],
)
def test_jobs_are_tables(tmp_path: Path, text: str, key: str, problem: str) -> None:
    error = refusal(tmp_path, text)
    assert error.key == key
    assert problem in error.problem


# jobs beside one another


@pytest.mark.parametrize("folder", ["north", "north/inner", ".", "link", "link/inner", "a/../north"])
def test_two_jobs_never_write_in_one_folder(tmp_path: Path, folder: str) -> None:
    (tmp_path / "north").mkdir()
    (tmp_path / "link").symlink_to("north")
    south = SOUTH.replace('destination = "south"', f'destination = "{folder}"')
    shared = SHARED.replace('"state"', f'"{tmp_path}-state"')
    error = refusal(tmp_path, shared + NORTH + south)
    assert error.key == "jobs.south.destination"
    assert "job north" in error.problem
    assert error.problem.endswith("give each job a folder of its own")


@pytest.mark.parametrize(
    ("folder", "problem"), [("state/in", "holds the destination"), ("state", "is the destination")]
)
def test_the_destination_of_a_job_lies_apart_from_the_state_folder(tmp_path: Path, folder: str, problem: str) -> None:
    error = refusal(tmp_path, SHARED + NORTH.replace('destination = "north"', f'destination = "{folder}"'))
    assert error.key == "jobs.north.destination"
    assert problem in error.problem


def test_jobs_without_a_destination_of_their_own_are_refused(tmp_path: Path) -> None:
    both = "".join(line for line in (NORTH + SOUTH).splitlines(keepends=True) if "destination" not in line)
    assert refusal(tmp_path, SHARED + both).key == "jobs.south.destination"


def test_a_folder_whose_name_begins_as_another_is_no_part_of_it(tmp_path: Path) -> None:
    south = SOUTH.replace('destination = "south"', 'destination = "north-2"')
    assert len(jobs_of(tmp_path, SHARED + NORTH + south)) == 2


def test_two_jobs_of_one_topic_need_names_that_senders_can_tell_apart(tmp_path: Path) -> None:
    same_name = SOUTH.replace('name = "south"', 'name = "north"')
    same_topic = same_name.replace('"south.files"', '"fieldpost.files"').replace('"other:9092"', '"BROKER:9092"')
    error = refusal(tmp_path, SHARED + NORTH + same_topic)
    assert error.key == "jobs.south.name"
    assert "is also the name of job north" in error.problem
    assert error.problem.endswith("give each a name of its own")


@pytest.mark.parametrize("differs", ["bootstrap_servers", "files_topic"])
def test_two_jobs_of_different_topics_may_have_one_name(tmp_path: Path, differs: str) -> None:
    lines = SOUTH.replace('name = "south"', 'name = "north"').splitlines(keepends=True)
    other = {"bootstrap_servers", "files_topic"} - {differs}
    south = "".join(line for line in lines if key_of(line) not in other)
    assert {job.receiver.name for job in jobs_of(tmp_path, SHARED + NORTH + south).values()} == {"north"}


# secrets and what is shown


def signing_in(folder: Path, secret: str) -> str:
    (folder / secret).write_text(f"{secret}-22\n")
    return f'security_protocol = "SASL_SSL"\nsasl_username = "u"\nsasl_password_file = "{secret}"\n'


def test_the_secrets_of_all_jobs_are_known_and_shown_nowhere(tmp_path: Path) -> None:
    north, south = signing_in(tmp_path, "hunter"), signing_in(tmp_path, "gatherer")
    config = loaded(tmp_path, f"{SHARED}{NORTH}{north}{SOUTH}{south}")
    assert [secret.reveal() for secret in config.secrets] == ["hunter-22", "gatherer-22"]
    shown = f"{config} {describe(config)}"
    assert "hunter-22" not in shown
    assert "gatherer-22" not in shown
    assert dict(describe(config))["jobs.south.sasl_password_file"] == str(tmp_path / "gatherer")


def test_the_description_shows_what_a_job_sets_under_its_name(tmp_path: Path) -> None:
    text = f'{SHARED}{NORTH}{SOUTH}min_free_space = "3GiB"\nca_pem = "-----BEGIN"\nsecurity_protocol = "SSL"\n'
    shown = dict(describe(loaded(tmp_path, text)))
    of_jobs = {key: text for key, text in shown.items() if key.startswith("jobs.")}
    assert of_jobs == {
        "jobs.north.name": "north",
        "jobs.north.destination": str(tmp_path / "north"),
        "jobs.south.name": "south",
        "jobs.south.destination": str(tmp_path / "south"),
        "jobs.south.bootstrap_servers": "other:9092",
        "jobs.south.files_topic": "south.files",
        "jobs.south.publishers": "5",
        "jobs.south.min_free_space": "3GiB",
        "jobs.south.ca_pem": "(in the file)",
        "jobs.south.security_protocol": "SSL",
    }
    assert shown["receiver.publishers"] == "3"
    assert shown["kafka.bootstrap_servers"] == "broker:9092"
    assert shown["kafka.security_protocol"] == "PLAINTEXT"


def test_a_key_that_every_job_sets_is_not_shown_as_shared(tmp_path: Path) -> None:
    shown = dict(describe(loaded(tmp_path, f'{NORTH}bootstrap_servers = "one:1"\n{SOUTH}')))
    assert "kafka.bootstrap_servers" not in shown
    assert shown["kafka.status_topic"] == "fieldpost.status"
