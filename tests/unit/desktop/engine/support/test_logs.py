# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import base64
import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.support import logs
from fieldpost_desktop.engine.support.logs import LogFile, RedactingFormatter
from fieldpost_desktop.engine.support.redaction import MASK, Redactor
from fieldpost_shared.secret import Secret

PLANTED = "hunter2-Qx7"
LOG = logging.getLogger("fieldpost.test")

# Passwords as people and machines make them, and odd ones; one of nothing but * cannot be told from the mask.
characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
secrets = (st.text(characters, min_size=1, max_size=30) | st.text("ab*\\'\"\n\x85%+&=", min_size=1, max_size=8)).filter(
    lambda text: text.strip("*")
)
ENCODINGS: list[Callable[[str], str]] = [
    str,
    repr,
    ascii,
    lambda text: repr(repr(text)),
    lambda text: repr([text, "it's"]),
    lambda text: repr(text.encode()),
    lambda text: repr({"conf": json.dumps({"x": text})}),
    json.dumps,
    lambda text: json.dumps(text, ensure_ascii=False),
    lambda text: json.dumps(json.dumps(text)),
    quote,
    lambda text: quote(text, safe=""),
    lambda text: quote(text, safe="").replace("%2F", "%2f"),
    quote_plus,
    lambda text: text.encode().hex(),
]


@pytest.fixture(autouse=True)
def root_logger_as_before() -> Iterator[None]:
    level = logging.getLogger().level
    yield
    logs.shut_down()
    logging.getLogger().setLevel(level)


def record(message: object, *args: object, **more: object) -> logging.LogRecord:
    found = logging.LogRecord("fieldpost.test", logging.INFO, "file.py", 1, message, args, None)
    for name, value in more.items():
        setattr(found, name, value)
    return found


def written(secret: str, one: logging.LogRecord) -> str:
    return RedactingFormatter(Redactor([Secret(secret)])).format(one)


def raised(error: Exception) -> object:
    try:
        raise error
    except type(error):
        return sys.exc_info()


# secrets that are known


@given(secrets, st.text(max_size=10), st.text(max_size=10), st.integers(0, 30))
def test_a_known_secret_never_shows_whatever_the_record(secret: str, before: str, after: str, cut: int) -> None:
    whole = f"{before}{secret}{after}"
    formatter = RedactingFormatter(Redactor([Secret(secret)]))
    for one in (
        record(whole),
        record("%s", whole),
        record("%s%s", secret[:cut], secret[cut:]),
        record("%(one)s%(two)s", {"one": secret[:cut], "two": secret[cut:]}),
        record("%d", whole),
        record(ValueError(whole)),
        record("failed", exc_info=raised(ValueError(whole))),
        record("failed", exc_text=whole),
        record("here", stack_info=whole),
        record("named", name=whole),
        record("named", threadName=whole),
        record("named", levelname=whole),
    ):
        assert secret not in formatter.format(one)


@given(st.text(characters, max_size=8), st.text("*\\'\"\n\x85%+&= ü", max_size=4), st.sampled_from(ENCODINGS))
def test_a_known_secret_never_shows_in_another_spelling(odd: str, odder: str, encode: Callable[[str], str]) -> None:
    secret = f"{odd}{odder}{PLANTED}{odder}{odd}"
    line = written(secret, record("conf %s end", encode(secret)))
    assert PLANTED not in line
    assert PLANTED.encode().hex() not in line
    assert line.endswith(" end") or line == MASK


@given(st.text(characters, min_size=6, max_size=30), st.binary(max_size=5), st.binary(max_size=5), st.booleans())
def test_a_known_secret_never_shows_within_base64(secret: str, before: bytes, after: bytes, url: bool) -> None:
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    whole = encode(before + secret.encode() + after).decode()
    output = written(secret, record("sasl %s", whole))
    shown = output.partition("sasl ")[2]
    # what is left is too little to work the secret out from: less than its first and last byte
    kept = sum(len(part) for part in shown.split(MASK))
    assert kept <= len(whole) - len(secret.encode()) * 4 // 3 + 3


def test_windows_programs_write_base64_of_utf_16() -> None:
    whole = base64.b64encode(f"x{PLANTED}".encode("utf-16-le")).decode()
    assert base64.b64encode(PLANTED.encode("utf-16-le")).decode()[4:12] not in written(PLANTED, record(whole))


def test_the_case_of_letters_does_not_matter() -> None:
    assert written("pa/ss", record("a pa%2fss, PA%2FSS b")).endswith(f"a {MASK}, {MASK} b")


def test_a_secret_with_asterisks_does_not_come_together_around_the_mask() -> None:
    assert written("x*", record("xx*")) == MASK
    assert "*****" not in written("*****", record("**********"))


def test_a_secret_that_turns_up_later_is_taken_out_from_then_on() -> None:
    redactor = Redactor()
    assert PLANTED in redactor.clean(PLANTED)
    redactor.add(Secret(PLANTED))
    redactor.add(Secret("other"))
    assert redactor.clean(f"{PLANTED} and other") == f"{MASK} and {MASK}"


# what looks like one


@pytest.mark.parametrize(
    "line",
    [
        "password=@",
        "sasl.password = @",
        'sasl_password="@ with spaces"',
        "{'sasl.password': '@', 'x': 1}",
        '{"password":"@"}',
        '{\\"password\\": \\"@\\"}',
        "Password: @",
        "passwd=@&x=1",
        "PWD=@;",
        "client_secret=@",
        "access-token: '@'",
        "api_key=b'@'",
        "FIELDPOST_PASSWORD=@",
        'org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="@";',
        'sasl.jaas.config=a.PlainLoginModule required user_van="@";',
        "Authorization: Basic dXNlcjp@",
        "Authorization: Bearer @",
        "token endpoint said: Bearer @",
        "https://user:@@kafka.example/x",
        "sasl_ssl://user:p@ss@@kafka.example:9092",
        "c=biws,r=abc,p=AAAAAAAAAAAAAAAAAAAAAAAA@",
        "-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\\n@\\n",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----@",
    ],
)
def test_what_looks_like_a_secret_is_taken_out_although_nobody_told(line: str) -> None:
    secret = "hunter2Qx7"  # noqa: S105 - planted
    whole = line.replace("@@", "\1").replace("@", secret).replace("\1", f"{secret}@")
    cleaned = Redactor().clean(whole)
    assert secret not in cleaned
    assert MASK in cleaned


@pytest.mark.parametrize(
    "line",
    [
        "",
        "sending 14 of 52 parts",
        "secret_too_long: 1281 characters; at most 1280 can be kept",
        "sasl_password_file: cannot be read: No such file or directory",
        "https://kafka.example/x@y",
        "mail an van-7@example.org",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "the password was not accepted",
    ],
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert Redactor([Secret(PLANTED)]).clean(line) == line


@pytest.mark.parametrize(
    "piece", ["a", "a.", "password", "token=", "://", "LoginModule ", "-----BEGIN ", "bearer ", ",p="]
)
def test_a_long_line_takes_no_time(piece: str) -> None:
    # a minute and more if a pattern tried every length at every place; the run's time-out would tell
    Redactor([Secret(PLANTED)]).clean(piece * (200_000 // len(piece)))


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    redactor = Redactor([Secret(PLANTED)])
    once = redactor.clean(f"{text}password={text}")
    assert redactor.clean(once) == once


# lines


@given(st.text(), st.text())
def test_a_record_is_one_line(message: str, error: str) -> None:
    line = written(PLANTED, record(message, exc_info=raised(ValueError(error)), stack_info="Stack:\n  x"))
    assert len(line.splitlines()) == 1


def test_a_line_tells_when_how_bad_who_and_what() -> None:
    line = written(PLANTED, record("n = %d", 5, created=1_800_000_000.25, threadName="sender"))
    assert line == "2027-01-15T08:00:00.250Z INFO fieldpost.test [sender] n = 5"


def test_a_record_whose_values_do_not_fit_is_written_all_the_same() -> None:
    assert "n = %d (5, 6)" in written(PLANTED, record("n = %d", 5, 6))
    assert "100 %% %(x)s {'y': 1}" in written(PLANTED, record("100 %% %(x)s", {"y": 1}))


# files


def test_what_is_logged_goes_to_the_file_without_secrets(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    redactor = logs.set_up(paths, "DEBUG", [Secret(PLANTED)])
    LOG.debug("sign in with %s", PLANTED)
    redactor.add(Secret("later-Zz9"))
    LOG.info("now with later-Zz9, and half a character \ud800")
    logs.shut_down()
    (file,) = logs.files(paths)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [line.partition("] ")[2] for line in lines] == [
        "sign in with ***",
        "now with ***, and half a character \\ud800",
    ]


def test_lines_below_the_level_are_not_written(tmp_path: Path) -> None:
    logs.set_up(Paths(tmp_path))
    LOG.debug("noise")
    logs.shut_down()
    assert logs.files(Paths(tmp_path)) == []


def test_five_files_of_one_megabyte_and_no_more(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    logs.set_up(paths)
    for number in range(56):
        LOG.info("%d %s", number, "x" * 99_000)
    logs.shut_down()
    files = logs.files(paths)
    assert [file.name for file in files] == ["fieldpost.log", *(f"fieldpost.log.{number}" for number in range(1, 5))]
    assert set(files) == set(paths.logs.iterdir())
    assert all(file.stat().st_size <= logs.FILE_BYTES for file in files)
    assert " 55 x" in files[0].read_text()


def test_a_file_that_cannot_be_renamed_grows_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = Paths(tmp_path)
    logs.set_up(paths)

    def in_use(_source: str, _dest: str) -> None:
        raise PermissionError(13, "somebody looks at it")

    monkeypatch.setattr("os.rename", in_use)
    for number in range(20):
        LOG.info("%d %s", number, "x" * 99_000)
    logs.shut_down()
    (file,) = logs.files(paths)
    assert len(file.read_text().splitlines()) == 20


def test_a_log_that_cannot_be_written_does_no_harm(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    handler = LogFile(tmp_path / "missing" / "x.log", Redactor())
    handler.handle(record("password is %s", PLANTED))
    handler.close()
    assert PLANTED not in "".join(capfd.readouterr())
