# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import dataclasses
import datetime as dt
import grp
import os
import pickle
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_receiver.config.layout_template import PLACEHOLDERS, Layout
from fieldpost_receiver.config.receiver_toml import describe, load
from fieldpost_receiver.config.sections import SECTIONS
from fieldpost_receiver.config.settings import (
    DEFAULT_LISTEN,
    ConflictPolicy,
    HttpSettings,
    LogLevel,
    ReceiverConfig,
    ReceiverSettings,
    SparkSettings,
)
from fieldpost_receiver.config.values import Address
from fieldpost_shared import names
from fieldpost_shared.errors import NameRefused, SettingsError

SAMPLE = Path(__file__).parents[4] / "packaging/receiver.toml"
LEAST = '[kafka]\nbootstrap_servers = "broker:9092"\n'
DAY = dt.date(2026, 1, 31)


def loaded(folder: Path, text: str = "", environ: Mapping[str, str] | None = None) -> ReceiverConfig:
    path = folder / "receiver.toml"
    path.write_text(LEAST + text, encoding="utf-8")
    return load(path, environ or {})


def refusal(folder: Path, text: str = "", environ: Mapping[str, str] | None = None) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        loaded(folder, text, environ)
    return caught.value


# file, environment, defaults


def test_a_broker_is_all_that_must_be_set(tmp_path: Path) -> None:
    config = loaded(tmp_path)
    assert config.receiver == ReceiverSettings()
    assert config.spark == SparkSettings()
    assert config.http == HttpSettings(listen=DEFAULT_LISTEN)
    assert config.jobs[0].kafka.servers == ("broker:9092",)
    with pytest.raises(SettingsError, match=r"kafka\.bootstrap_servers: is missing"):
        load(_written(tmp_path, ""), {})


def test_the_sample_names_every_key_with_its_default(tmp_path: Path) -> None:
    given = tomllib.loads(SAMPLE.read_text(encoding="utf-8"))
    assert {section: set(keys) for section, keys in given.items()} == {
        section: set(known) for section, known in SECTIONS.items()
    }
    servers = given["kafka"]["bootstrap_servers"]
    config = load(SAMPLE, {})
    defaults = load(_written(tmp_path, f'[kafka]\nbootstrap_servers = "{servers}"\n'), {})
    assert describe(config) == describe(defaults)
    assert config.receiver == defaults.receiver


def test_every_key_of_the_sample_stands_below_an_explanation() -> None:
    explained = False  # a comment serves the keys that follow it without a gap
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            assert explained, line
        else:
            explained = line.startswith("# ")


def test_every_key_has_its_field(tmp_path: Path) -> None:
    config = loaded(tmp_path)
    for section in ("receiver", "spark", "http"):
        keys = [field.name for field in dataclasses.fields(getattr(config, section))]
        assert set(keys) == set(SECTIONS[section])


def test_all_values_are_read(tmp_path: Path) -> None:
    group = grp.getgrgid(os.getgid()).gr_name
    config = loaded(
        tmp_path,
        f"""
        [receiver]
        name = "north-2"
        state_dir = "/a/state"
        destination = "/b/in"
        layout = "{{year}}-{{month}}/from {{client}}/{{path}}"
        on_conflict = "replace"
        min_free_space = 0
        max_file_size = "4GB"
        expire_incomplete_after = "90s"
        keep_finished = "30d"
        file_mode = "664"
        directory_mode = "2775"
        group = "{group}"
        max_open_transfers = 5
        max_open_transfers_per_client = 2
        max_open_bytes = "5GB"
        max_open_bytes_per_client = "4GB"
        publishers = 1
        notice_every = "2s"
        log_level = "debug"
        [spark]
        master = "local[2,4]"
        max_batch_bytes = "64MiB"
        max_batch_rows = 10
        trigger = "1s"
        driver_memory = "1GiB"
        executor_memory = "2GiB"
        java_options = "-XX:+UseG1GC -Da=b"
        secret_file = ""
        [http]
        listen = "[::1]:0"
        """,
    )
    assert config.receiver == ReceiverSettings(
        name="north-2",
        state_dir=Path("/a/state"),
        destination=Path("/b/in"),
        layout=Layout("{year}-{month}/from {client}/{path}"),
        on_conflict=ConflictPolicy.REPLACE,
        min_free_space=0,
        max_file_size=4_000_000_000,
        expire_incomplete_after=90.0,
        keep_finished=30 * 86_400.0,
        file_mode=0o664,
        directory_mode=0o2775,
        group=group,
        max_open_transfers=5,
        max_open_transfers_per_client=2,
        max_open_bytes=5_000_000_000,
        max_open_bytes_per_client=4_000_000_000,
        publishers=1,
        notice_every=2.0,
        log_level=LogLevel.DEBUG,
    )
    assert config.spark == SparkSettings(
        master="local[2,4]",
        max_batch_bytes=64 * 1024**2,
        max_batch_rows=10,
        trigger=1.0,
        driver_memory=1024**3,
        executor_memory=2 * 1024**3,
        java_options="-XX:+UseG1GC -Da=b",
    )
    assert config.http.listen == Address("::1", 0)
    assert str(config.http.listen) == "[::1]:0"


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    environ = {
        "FIELDPOST_RECEIVER_NAME": "south",
        "FIELDPOST_RECEIVER_PUBLISHERS": "3",
        "FIELDPOST_KAFKA_BOOTSTRAP_SERVERS": "other:1",
        "FIELDPOST_SPARK_MAX_BATCH_BYTES": "8MiB",
        "FIELDPOST_HTTP_LISTEN": "off",
        "FIELDPOST_SPARK_MASTER": "",
        "FIELDPOST_PASSWORD_FILE": "the uploader's",
        "PATH": "/bin",
    }
    config = loaded(tmp_path, '[receiver]\nname = "north"\n[spark]\nmaster = "local[2]"\n', environ)
    assert config.receiver.name == "south"
    assert config.receiver.publishers == 3
    assert config.jobs[0].kafka.servers == ("other:1",)
    assert config.spark.max_batch_bytes == 8 * 1024**2
    assert config.spark.master == "local[2]"  # an empty variable counts as not given
    assert config.http.listen is None


def test_a_wrong_variable_is_named_beside_its_key(tmp_path: Path) -> None:
    error = refusal(tmp_path, environ={"FIELDPOST_SPARK_TRIGGER": "soon"})
    assert error.key == "spark.trigger"
    assert error.problem.endswith("(set by FIELDPOST_SPARK_TRIGGER)")
    error = refusal(tmp_path, environ={"FIELDPOST_KAFKA_SASL_PASSWORD": "hunter22"})
    assert error.key == "FIELDPOST_KAFKA_SASL_PASSWORD"
    assert "did you mean sasl_password_file?" in error.problem
    assert "hunter22" not in str(error)


@pytest.mark.parametrize(
    ("text", "key", "problem"),
    [
        ("[reciever]\n", "reciever", "did you mean receiver?"),
        ("[whatever]\n", "whatever", "is not a section"),
        ('[receiver]\ndestinaton = "/x"\n', "receiver.destinaton", "did you mean destination?"),
        ("[spark]\nmax-batch-bytes = 1\n", "spark.max-batch-bytes", "did you mean max_batch_bytes?"),
        ("[http]\nport = 1\n", "http.port", "is not a setting of [http]"),
        ("[receiver.name]\n", "receiver.name", "must be text in quotes"),
    ],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest(tmp_path: Path, text: str, key: str, problem: str) -> None:
    error = refusal(tmp_path, text)
    assert error.key == key
    assert problem in error.problem


def test_a_section_must_be_a_table(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"spark: must be a section, written as \[spark\]"):
        load(_written(tmp_path, 'spark = "local"\n'), {})


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"config: .*absent\.toml: cannot be read: No such file"):
        load(tmp_path / "absent.toml", {})
    for content in (b"name = \n", b"\xff\xfe"):
        path = tmp_path / "broken.toml"
        path.write_bytes(content)
        with pytest.raises(SettingsError, match=r"config: .*broken\.toml: is not TOML"):
            load(path, {})


# single values


@pytest.mark.parametrize(
    ("section", "key", "value", "problem"),
    [
        ("receiver", "name", '""', "cannot be a name"),
        ("receiver", "name", '"two words"', "cannot be a name"),
        ("receiver", "name", "5", "must be text in quotes"),
        ("receiver", "name", '"a\\u0007b"', "cannot be printed"),
        ("receiver", "state_dir", '""', "is empty"),
        ("receiver", "destination", '"s3://bucket/in"', "only a folder"),
        ("receiver", "on_conflict", '"keep_both"', "did you mean keep-both?"),
        ("receiver", "min_free_space", '"plenty"', "is not a size"),
        ("receiver", "min_free_space", "-1", "is not between 0B"),
        ("receiver", "max_file_size", "0", "is not between 1B"),
        ("receiver", "expire_incomplete_after", "14", "is not a duration"),
        ("receiver", "expire_incomplete_after", '"1ms"', "is not between 1s"),
        ("receiver", "keep_finished", '"1h"', "is not between 1d"),
        ("receiver", "file_mode", "0o640", "is not a mode in quotes"),
        ("receiver", "file_mode", '"rw-r-----"', "is not a mode in quotes"),
        ("receiver", "file_mode", '"0440"', "must hold 0600"),
        ("receiver", "file_mode", '"4640"', "neither setuid nor sticky"),
        ("receiver", "directory_mode", '"0640"', "must hold 0700"),
        ("receiver", "group", '"no-such-group-here"', "is not a group of this machine"),
        ("receiver", "max_open_transfers", "0", "is not a whole number from 1 to 10000000"),
        ("receiver", "max_open_transfers", "true", "is not a whole number"),
        ("receiver", "max_open_transfers", "1.5", "is not a whole number"),
        ("receiver", "publishers", '"many"', "is not a whole number from 1 to 64"),
        ("receiver", "max_open_bytes", '"1GiB"', "is less than max_file_size"),
        ("receiver", "max_open_bytes_per_client", "5", "is less than max_file_size"),
        ("receiver", "notice_every", '"2h"', "is not between 1s and 1h"),
        ("receiver", "log_level", '"INFO"', "did you mean info?"),
        ("spark", "master", '"local[0]"', "is not a Spark master"),
        ("spark", "master", '"localhost"', "is not a Spark master"),
        ("spark", "max_batch_bytes", '"1KB"', "is not between 1MiB"),
        ("spark", "trigger", '"10ms"', "is not between 100ms and 1h"),
        ("spark", "driver_memory", '"100MiB"', "is not between 512MiB"),
        ("spark", "java_options", '"-Da=b -Xmx1g"', "driver_memory"),
        ("http", "listen", "9464", "must be text in quotes"),
        ("http", "listen", '":9464"', "host name"),
        ("http", "listen", '"localhost"', "is not host:port"),
        ("http", "listen", '"a:1,b:2"', "names more than one address"),
        ("http", "listen", '"127.0.0.1:70000"', "no port from 1 to 65535"),
        ("kafka", "files_topic", '"a b"', "cannot be a topic"),
        ("kafka", "client_id", "7", "must be text in quotes"),
        ("kafka", "sasl_username", '"u"', "has no sign-in"),
    ],
)
def test_a_wrong_value_is_named_with_its_section(
    tmp_path: Path, section: str, key: str, value: str, problem: str
) -> None:
    head = "" if section == "kafka" else f"[{section}]\n"
    error = refusal(tmp_path, f"{head}{key} = {value}\n")
    assert error.key == f"{section}.{key}"
    assert problem in error.problem


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[4]", "local[*,4]", "spark://a:7077,b:7077", "yarn", "k8s://https://h:443"]
)
def test_every_kind_of_spark_master_is_taken(tmp_path: Path, master: str) -> None:
    assert loaded(tmp_path, f'[spark]\nmaster = "{master}"\n').spark.master == master


@pytest.mark.parametrize(("text", "address"), [("", None), ("off", None), ("0.0.0.0:80", Address("0.0.0.0", 80))])  # noqa: S104 - a value that ops may choose
def test_no_server_listens_if_it_is_off(tmp_path: Path, text: str, address: Address | None) -> None:
    assert loaded(tmp_path, f'[http]\nlisten = "{text}"\n').http.listen == address


def test_open_bytes_follow_the_largest_file_unless_they_are_set(tmp_path: Path) -> None:
    receiver = loaded(tmp_path, '[receiver]\nmax_file_size = "1GB"\nmax_open_bytes = ""\n').receiver
    assert (receiver.max_open_bytes, receiver.max_open_bytes_per_client) == (8_000_000_000, 2_000_000_000)
    receiver = loaded(tmp_path, f"[receiver]\nmax_file_size = {2**63 - 1}\n").receiver
    assert receiver.max_open_bytes == receiver.max_open_bytes_per_client == 2**63 - 1


# folders


def test_a_relative_path_counts_from_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "password").write_text("hunter22")
    secure = 'security_protocol = "SASL_SSL"\nsasl_username = "u"\nsasl_password_file = "password"\n'
    loaded(tmp_path, f'{secure}[receiver]\nstate_dir = "state"\ndestination = "in"\n')
    monkeypatch.chdir(tmp_path.parent)
    config = load(Path(tmp_path.name, "receiver.toml"), {})
    assert config.receiver.state_dir == tmp_path / "state"
    assert config.receiver.destination == tmp_path / "in"
    assert config.jobs[0].kafka_options["sasl_password_file"] == str(tmp_path / "password")


@pytest.mark.parametrize(
    ("state", "destination", "problem"),
    [
        ("a", "a", "is the destination"),
        ("a/b/..", "a", "is the destination"),
        ("a/b", "a", "lies inside the destination"),
        ("link/b", "a", "lies inside the destination"),
        ("a", "a/b", "holds the destination"),
    ],
)
def test_ledger_and_destination_are_kept_apart(tmp_path: Path, state: str, destination: str, problem: str) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    error = refusal(tmp_path, f'[receiver]\nstate_dir = "{state}"\ndestination = "{destination}"\n')
    assert error.key == "receiver.state_dir"
    assert problem in error.problem


def test_folders_side_by_side_are_taken(tmp_path: Path) -> None:
    assert loaded(tmp_path, '[receiver]\nstate_dir = "in-state"\ndestination = "in"\n').receiver.name == "central"


# secrets


def test_a_password_shows_nowhere(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("hunter22\n")
    config = loaded(
        tmp_path,
        'security_protocol = "SASL_SSL"\nsasl_username = "u"\nsasl_password_file = "password"\n'
        'ca_pem = """-----BEGIN"""\n',
    )
    assert [secret.reveal() for secret in config.secrets] == ["hunter22"]
    assert "hunter22" not in f"{config} {describe(config)}"
    shown = dict(describe(config))
    assert shown["kafka.sasl_password_file"] == str(tmp_path / "password")
    assert shown["kafka.sasl_username"] == "u"
    assert shown["kafka.ca_pem"] == "(in the file)"


def test_the_secret_of_a_spark_cluster_shows_nowhere(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter22\n")
    config = loaded(tmp_path, '[spark]\nmaster = "spark://node:7077"\nsecret_file = "secret"\n')
    assert [secret.reveal() for secret in config.secrets] == ["hunter22"]
    assert "hunter22" not in f"{config} {describe(config)}"
    assert config.spark.secret_file == str(tmp_path / "secret"), "it counts from the folder of the file"
    assert config.spark.on_cluster


@pytest.mark.parametrize(
    ("master", "content", "problem"),
    [
        ("spark://node:7077", None, "cannot be read: No such file"),
        ("spark://node:7077", "\n", "is empty"),
        ("yarn", "hunter22\n", "is not used with yarn"),
    ],
    ids=["missing", "empty", "yarn"],
)
def test_a_secret_of_a_cluster_that_cannot_be_used_is_refused(
    tmp_path: Path, master: str, content: str | None, problem: str
) -> None:
    if content is not None:
        (tmp_path / "secret").write_text(content)
    error = refusal(tmp_path, f'[spark]\nmaster = "{master}"\nsecret_file = "secret"\n')
    assert error.key == "spark.secret_file"
    assert problem in error.problem


def test_what_goes_to_spark_holds_no_secret_and_is_enough_to_connect(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("hunter22\n")
    secure = (
        'security_protocol = "SASL_SSL"\nsasl_username = "u"\nsasl_password_file = "password"\nssl_ca_location = ""\n'
    )
    config = loaded(tmp_path, secure)
    options = pickle.loads(pickle.dumps(dict(config.jobs[0].kafka_options)))  # noqa: S301 - our own bytes
    assert "hunter22" not in str(options)
    assert "ssl_ca_location" not in options
    kafka = config.jobs[0].kafka
    assert type(kafka).parse(options) == kafka


def test_a_token_address_is_shown_without_its_query(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter22\n")
    config = loaded(
        tmp_path,
        'security_protocol = "SASL_SSL"\nsasl_mechanism = "OAUTHBEARER"\nsasl_oauth_client_id = "x"\n'
        'sasl_oauth_client_secret_file = "secret"\nsasl_oauth_token_url = "https://sign.in/token?key=hunter23"\n',
    )
    assert dict(describe(config))["kafka.sasl_oauth_token_url"] == "https://sign.in/token"  # noqa: S105 - an address


def test_the_description_is_the_configuration_as_one_would_write_it(tmp_path: Path) -> None:
    shown = dict(describe(loaded(tmp_path, '[http]\nlisten = "off"\n')))
    assert shown["receiver.min_free_space"] == "2GiB"
    assert shown["receiver.expire_incomplete_after"] == "14d"
    assert shown["receiver.file_mode"] == "0640"
    assert shown["receiver.layout"] == "{client}/{path}"
    assert shown["receiver.max_open_bytes"] == "8TiB"
    assert shown["kafka.security_protocol"] == "PLAINTEXT"
    assert shown["kafka.client_id"] == "fieldpost"
    assert shown["spark.trigger"] == "250ms"
    assert shown["http.listen"] == "off"
    assert list(shown) == [f"{section}.{key}" for section, keys in SECTIONS.items() for key in keys]


# layout


@pytest.mark.parametrize(
    ("layout", "problem"),
    [
        ("", "must end in /{path}"),
        ("{client}", "must end in /{path}"),
        ("{path}/{client}", "must end in /{path}"),
        ("{path}/{path}", "must end in /{path}"),
        ("{client}-{path}", "must end in /{path}"),
        ("{client}/{path}.new", "must end in /{path}"),
        ("{clinet}/{path}", "did you mean {client}?"),
        ("{}/{path}", "holds '{}'"),
        ("{client/{path}", "holds '{'"),
        ("client}/{path}", "holds '}'"),
        ("{client!r}/{path}", "did you mean {client}?"),
        ("/{client}/{path}", "that cannot be: it is empty"),
        ("../{path}", "called . or .."),
        ("a/./{path}", "called . or .."),
        ("a//{path}", "that cannot be: it is empty"),
        ("a\\b/{path}", "backslash"),
        ("C:/{path}", "drive"),
        ("a\n/{path}", "cannot be printed"),
        ("what?/{path}", "not every system can store"),
        ("CON/{path}", "not every system can store"),
        (".fieldpost/{path}", "not every system can store"),
        ("a. /{path}", "not every system can store"),
        (f"{'a' * 201}/{{path}}", "longer than 200"),
        ("{client}{client}{client}{client}/{path}", "too long"),
    ],
)
def test_a_layout_that_could_go_astray_is_refused(tmp_path: Path, layout: str, problem: str) -> None:
    error = refusal(tmp_path, environ={"FIELDPOST_RECEIVER_LAYOUT": layout} if layout else {}, text=_layout(layout))
    assert error.key == "receiver.layout"
    assert problem in error.problem


@pytest.mark.parametrize(
    ("layout", "on_disk"),
    [
        ("{path}", "a/b%3A.txt"),
        ("{client}/{path}", "van7/a/b%3A.txt"),
        ("in/{receiver}/{date}/{path}", "in/central/2026-01-31/a/b%3A.txt"),
        ("{year}/{month}-{day} {client}/{path}", "2026/01-31 van7/a/b%3A.txt"),
    ],
)
def test_a_layout_places_a_file(layout: str, on_disk: str) -> None:
    parsed = Layout.parse("layout", layout)
    assert parsed.on_disk(client="van7", path="a/b:.txt", receiver="central", date=DAY) == on_disk


def test_a_layout_refuses_the_path_of_a_hostile_sender() -> None:
    with pytest.raises(NameRefused, match="dot_part"):
        Layout().on_disk(client="van7", path="../x", receiver="central", date=DAY)


def test_a_client_cannot_name_the_working_folder_or_a_device() -> None:
    parsed = Layout.parse("layout", ".{client}/{path}")
    assert parsed.folder(client="fieldpost", receiver="r", date=DAY) == "%2Efieldpost"
    assert Layout().folder(client="CON", receiver="r", date=DAY) == "%43ON"


def test_a_path_of_full_length_fits_into_any_layout() -> None:
    path = "/".join(["x" * 203] * 5)
    long = Layout.parse("layout", "y" * 150 + "/{client}/{path}")
    assert long.on_disk(client="c" * 64, path=path, receiver="r", date=DAY).endswith(path)


TOKENS = st.sampled_from(["a", "/", ".", "{client}", "{receiver}", "{day}", "{", "}", " ", ":", "CON", ".fieldpost"])
CLIENTS = st.sampled_from(["con.", "fieldpost", "a..", "NUL.txt", "x" * 64])


@given(st.lists(TOKENS, max_size=8), CLIENTS)
def test_an_accepted_layout_never_leaves_the_destination(tokens: list[str], client: str) -> None:
    try:
        layout = Layout.parse("layout", "".join([*tokens, "/{path}"]))
    except SettingsError:
        return
    on_disk = layout.on_disk(client=client, path="f", receiver=client, date=DAY)
    assert names.judge(names.from_disk(on_disk)).on_disk == on_disk
    assert not on_disk.startswith(".fieldpost")


def test_every_placeholder_is_filled() -> None:
    template = "/".join([*(p for p in PLACEHOLDERS if p != "{path}"), "{path}"])
    filled = Layout.parse("layout", template).on_disk(client="c", path="p", receiver="r", date=DAY)
    assert filled == "c/2026-01-31/2026/01/31/r/p"


def _layout(layout: str) -> str:
    return "" if layout else '[receiver]\nlayout = ""\n'


def _written(folder: Path, text: str) -> Path:
    path = folder / "receiver.toml"
    path.write_text(text, encoding="utf-8")
    return path
