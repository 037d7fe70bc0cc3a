# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The log on stderr: one JSON object a line for machines, plain lines on a terminal, no secret in either.

A record carries its facts as `extra`: `log.info("…", extra={"event": "file_published", "size": 5})`.
`code` is one of `codes.py`; it is taken from an exception that has one.
"""

import json
import logging
import math
import sys
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, TextIO

from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.redaction import Redactor
from fieldpost_shared.secret import Secret

_MIB: Final = 1024**2
# The attributes of every record; all others were given as `extra`.
_USUAL: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}
# Line ends and control characters, because names of files come from strangers.
_CONTROLS: Final = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160))} | {
    ord("\n"): "\\n",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}
_QUIET: Final = ("py4j",)  # reports each of its connections

_log: Final = logging.getLogger(__name__)

# Whose job the thread works for; not set while the receiver has one job only.
job_name: Final[ContextVar[str]] = ContextVar("job_name")


class _OneLine(logging.Formatter):
    """What both formats share: message and facts of a record, without secrets."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    @abstractmethod
    def format(self, record: logging.LogRecord) -> str: ...

    def message(self, record: logging.LogRecord) -> str:
        try:
            text = record.getMessage()
        except (TypeError, ValueError, KeyError):  # the format and its values do not match
            text = f"{record.msg!s} {record.args!r}"
        return self._redactor.clean(text)

    def facts(self, record: logging.LogRecord) -> dict[str, object]:
        given = {key: self.plain(value) for key, value in vars(record).items() if key not in _USUAL}
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, FieldpostError):
            given.setdefault("code", str(error.code))
        if name := job_name.get(""):
            given.setdefault("job", name)
        return given

    def trace(self, record: logging.LogRecord) -> str:
        parts = [self.formatException(record.exc_info)] if record.exc_info else []
        parts += [record.stack_info] if record.stack_info else []
        return self._redactor.clean("\n".join(parts))

    def plain(self, value: object) -> object:
        """Return the value as JSON can hold it; other types become text."""
        match value:
            case None | bool() | int():
                return value
            case float() if math.isfinite(value):
                return value
            case Mapping():
                return {self._redactor.clean(str(key)): self.plain(item) for key, item in value.items()}
            case list() | tuple() | set() | frozenset():
                return [self.plain(item) for item in value]
            case _:
                return self._redactor.clean(str(value))


class JsonLines(_OneLine):
    """`{"ts", "level", "logger", "message"}`, then the facts, then `trace` for an exception."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, object] = {
            "ts": at,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.message(record),
        }
        line |= {key: value for key, value in self.facts(record).items() if key not in line}
        if trace := self.trace(record):
            line["trace"] = trace
        return json.dumps(line)  # in ASCII, because a file name may hold half a surrogate pair


class PlainLines(_OneLine):
    """`12:03:44 WARNING disk is nearly full free=5 code=…`; an exception follows in lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        message = self.message(record)
        facts = self.facts(record)
        facts.pop("event", None)  # for machines; the message says the same
        more = "".join(f" {key}={value}" for key, value in facts.items() if str(value) not in message)
        line = f"{at} {record.levelname:<7} {message}{more}".translate(_CONTROLS)
        trace = "".join(f"\n  {part.translate(_CONTROLS)}" for part in self.trace(record).splitlines())
        return line + trace


class Stderr(logging.StreamHandler[TextIO]):
    """Ignores its own failures: a closed pipe or a full disk behind stderr must not stop transfers."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Do nothing: the library would print the record with its secrets."""


def set_up(
    level: str = "info",
    secrets: Iterable[Secret] = (),
    *,
    stream: TextIO | None = None,
) -> Redactor:
    """Send all records to stderr and return the redactor, to which later secrets are added."""
    target = stream or sys.stderr
    redactor = Redactor(secrets)
    handler = Stderr(target)
    handler.setFormatter(PlainLines(redactor) if target.isatty() else JsonLines(redactor))
    handler.setLevel(level.upper())  # here too, because a filter may lower the level of a record
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    return redactor


def shut_down() -> None:
    """Undo `set_up`."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, Stderr)]:
        root.removeHandler(handler)
        handler.close()


def file_published(
    *, path: str, size: int, seconds: float, sha256: str, client: str, transfer: str, duplicate: bool = False
) -> None:
    """Log the one line that each file gets. `seconds` are from its first message to its final name."""
    rate = size / _MIB / seconds if seconds > 0 else 0.0
    _log.info(
        "%s %d %.3f %.1f MiB/s %s",
        path,
        size,
        seconds,
        rate,
        sha256,
        extra={
            "event": "file_published",
            "path": path,
            "size": size,
            "seconds": round(seconds, 3),
            "mib_per_s": round(rate, 1),
            "sha256": sha256,
            "client": client,
            "transfer": transfer,
            "duplicate": duplicate,
        },
    )
