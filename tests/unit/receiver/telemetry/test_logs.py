# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import io
import json
import logging
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from fieldpost_receiver.telemetry import logs
from fieldpost_receiver.telemetry.logs import JsonLines, PlainLines
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import NameRefused
from fieldpost_shared.kafka.library_log import LIBRARY_LOG
from fieldpost_shared.redaction import Redactor
from fieldpost_shared.secret import Secret

PASSWORD = "hunter22/'\"\n\\x"  # noqa: S105 - what must never show
SHA256 = "ab" * 32

log = logging.getLogger("fieldpost_receiver.test")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class GonePipe(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(text)


@pytest.fixture(autouse=True)
def _put_back() -> Iterator[None]:
    level = logging.getLogger().level
    yield
    logs.shut_down()
    logging.getLogger().setLevel(level)


def json_lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def record(message: str, **facts: object) -> logging.LogRecord:
    made = logging.makeLogRecord({"msg": message, "levelname": "INFO", "name": "x", "created": 1_800_000_000.25})
    vars(made).update(facts)
    return made


def raised(error: BaseException) -> BaseException:
    """The error as it is when it is caught: with its traceback."""
    with pytest.raises(type(error)) as caught:
        raise error
    return caught.value


def test_every_record_is_one_json_object_a_line() -> None:
    stream = io.StringIO()
    logs.set_up(stream=stream)
    log.info(
        "first\nsecond %s", "part", extra={"event": "greeting", "size": 5, "path": Path("a/b"), "code": Code.DAMAGED}
    )
    log.debug("too much")
    (line,) = json_lines(stream)
    assert line.pop("ts").endswith("Z")
    assert line == {
        "level": "info",
        "logger": "fieldpost_receiver.test",
        "message": "first\nsecond part",
        "event": "greeting",
        "size": 5,
        "path": "a/b",
        "code": "damaged",
    }


def test_the_time_is_utc_in_rfc_3339() -> None:
    assert json.loads(JsonLines(Redactor()).format(record("x")))["ts"] == "2027-01-15T08:00:00.250Z"


def test_an_exception_is_in_its_line_with_its_code() -> None:
    stream = io.StringIO()
    logs.set_up(stream=stream)
    log.info("refused", exc_info=raised(NameRefused("dot_part")), stack_info=True)
    (line,) = json_lines(stream)
    assert line["code"] == "name_refused"
    assert "Traceback" in line["trace"]
    assert "Stack" in line["trace"]


def test_facts_never_overwrite_what_every_line_has() -> None:
    line = json.loads(JsonLines(Redactor()).format(record("x", ts="yesterday", level="fine", logger="me")))
    assert line == {"ts": "2027-01-15T08:00:00.250Z", "level": "info", "logger": "x", "message": "x"}


def test_values_that_json_cannot_hold_become_text() -> None:
    line = JsonLines(Redactor()).format(
        record(
            "x", a=float("nan"), b={1: (2.5, None, True)}, c=frozenset({3}), d=b"\xff", e=Secret("hunter22"), f="\ud800"
        )
    )
    told = json.loads(line)
    assert [told[key] for key in "abcdef"] == ["nan", {"1": [2.5, None, True]}, [3], "b'\\xff'", "***", "\ud800"]
    assert line.isascii()


def test_a_message_that_does_not_fit_its_values_is_logged_all_the_same() -> None:
    made = record("%d files", args=("many",))
    assert json.loads(JsonLines(Redactor()).format(made))["message"] == "%d files ('many',)"


def test_a_terminal_gets_lines_for_people() -> None:
    stream = Terminal()
    logs.set_up("debug", stream=stream)
    log.debug("batch of 5 rows", extra={"event": "batch", "rows": 5, "seconds": 0.25})
    log.info("done")
    first, second = stream.getvalue().splitlines()
    assert first[8:] == " DEBUG   batch of 5 rows seconds=0.25"
    assert second.endswith(" INFO    done")


def test_a_hostile_name_cannot_act_on_a_terminal_or_forge_a_line() -> None:
    text = PlainLines(Redactor()).format(record("a\x1b[2Jb\nc", path="x\r\x9b\u2028y"))
    assert text.isprintable()
    assert len(text.splitlines()) == 1
    assert "a\\x1b[2Jb\\nc path=x\\x0d\\x9b\\u2028y" in text


def test_an_exception_follows_in_lines_of_its_own_on_a_terminal() -> None:
    stream = Terminal()
    logs.set_up(stream=stream)
    log.info("refused", exc_info=raised(NameRefused("dot\x1b_part")))
    first, *others = stream.getvalue().splitlines()
    assert first.endswith("refused code=name_refused")
    assert others[0] == "  Traceback (most recent call last):"
    assert "\x1b" not in stream.getvalue()


def test_each_file_gets_one_line_with_its_throughput() -> None:
    stream, terminal = io.StringIO(), Terminal()
    logs.set_up(stream=stream)
    logs.set_up(stream=terminal)
    facts: dict[str, Any] = {"path": "van7/a b.bin", "size": 3 * 1024**2, "sha256": SHA256}
    logs.file_published(**facts, seconds=1.5, client="van7", transfer="0" * 32)
    logs.file_published(**facts, seconds=0, client="van7", transfer="0" * 32, duplicate=True)
    first, second = json_lines(stream)
    assert first["message"] == f"van7/a b.bin 3145728 1.500 2.0 MiB/s {SHA256}"
    assert {key: first[key] for key in facts} == facts
    assert (first["event"], first["seconds"], first["mib_per_s"]) == ("file_published", 1.5, 2.0)
    assert (second["mib_per_s"], second["duplicate"]) == (0, True)
    assert terminal.getvalue().count("van7/a b.bin") == 2


def test_a_secret_never_reaches_the_log_however_it_is_written() -> None:
    stream, terminal = io.StringIO(), Terminal()
    for target in (stream, terminal):
        logs.set_up(secrets=[Secret(PASSWORD)], stream=target)
    log.info("plain %s, repr %r", PASSWORD, PASSWORD, exc_info=raised(ValueError(PASSWORD)))
    log.info(
        "json %s url %s",
        json.dumps(PASSWORD),
        quote(PASSWORD),
        extra={"a": [PASSWORD], "b": {PASSWORD: repr(PASSWORD)}},
    )
    for text in (stream.getvalue(), terminal.getvalue()):
        assert "***" in text
        assert "hunter22" not in text
    assert len(json_lines(stream)) == 2


def test_a_secret_that_turns_up_later_is_taken_out_too() -> None:
    stream = io.StringIO()
    redactor = logs.set_up(stream=stream)
    redactor.add(Secret("late-secret"))
    log.info("it is late-secret or LATE-SECRET")
    assert json_lines(stream)[0]["message"] == "it is *** or ***"


def test_a_broken_stderr_does_not_stop_the_receiver() -> None:
    logs.set_up(stream=GonePipe())
    log.info("not read")


def test_the_log_goes_to_stderr_as_json_when_no_terminal_is_there() -> None:
    code = (
        "from fieldpost_receiver.telemetry import logs; import logging;"
        "logs.set_up(); logging.getLogger('x').warning('héllo')"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert done.stdout == b""
    assert json.loads(done.stderr)["message"] == "héllo"


def test_the_chatter_of_py4j_is_left_out() -> None:
    stream = io.StringIO()
    logs.set_up("debug", stream=stream)
    logging.getLogger("py4j.clientserver").info("Closing down clientserver connection")
    assert stream.getvalue() == ""


def test_the_kafka_librarys_own_errors_are_left_out() -> None:
    stream = io.StringIO()
    logs.set_up("info", stream=stream)
    LIBRARY_LOG.error("Connect to ipv4#127.0.0.1:9092 failed")
    log.info("ours")
    assert [line["message"] for line in json_lines(stream)] == ["ours"]


def test_an_error_from_a_worker_keeps_its_code_in_the_log() -> None:
    error = pickle.loads(pickle.dumps(NameRefused("empty")))  # noqa: S301 - our own bytes
    made = record("x", exc_info=(type(error), error, None))
    assert json.loads(JsonLines(Redactor()).format(made))["code"] == "name_refused"
