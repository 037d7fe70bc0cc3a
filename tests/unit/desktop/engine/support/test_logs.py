# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.support import logs
from fieldpost_desktop.engine.support.logs import LogFile, RedactingFormatter
from fieldpost_shared.redaction import Redactor
from fieldpost_shared.secret import Secret

PLANTED = "hunter2-Qx7"
LOG = logging.getLogger("fieldpost.test")

# Passwords as people and machines make them, and odd ones; one of nothing but * cannot be told from the mask.
characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
secrets = (st.text(characters, min_size=1, max_size=30) | st.text("ab*\\'\"\n\x85%+&=", min_size=1, max_size=8)).filter(
    lambda text: text.strip("*")
)


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
