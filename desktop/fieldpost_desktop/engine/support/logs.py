# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The log files: five of 1 MB, one line for each record, and no secret in any of them.

Redaction sits in the formatter, so that it cannot be forgotten: whatever is logged passes through it.
"""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.redaction import Redactor
from fieldpost_shared.secret import Secret

FILE_NAME: Final = "fieldpost.log"
FILE_BYTES: Final = 1_000_000
FILES: Final = 5

# What begins a new line for some reader, and what a terminal would act on.
_BREAKS: Final = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160))} | {
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


class RedactingFormatter(logging.Formatter):
    """One line for each record, with its exception and stack, without secrets."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """Redact twice: before line ends are escaped, and after, when the text is what is written."""
        clean = self._redactor.clean
        return clean(clean(self._whole(record)).translate(_BREAKS))

    def _whole(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        lines = [f"{at} {record.levelname} {record.name} [{record.threadName}] {_message(record)}"]
        if record.exc_info:
            lines.append(self.formatException(record.exc_info))
        elif record.exc_text:
            lines.append(record.exc_text)
        if record.stack_info:
            lines.append(record.stack_info)
        return "\n".join(lines)


class LogFile(RotatingFileHandler):
    """A log file that never disturbs the program, whatever happens to it."""

    def __init__(self, path: Path, redactor: Redactor) -> None:
        super().__init__(
            path,
            maxBytes=FILE_BYTES,
            backupCount=FILES - 1,
            encoding="utf-8",
            delay=True,
            errors="backslashreplace",  # half a character in a file name
        )
        self.setFormatter(RedactingFormatter(redactor))

    def rotate(self, source: str, dest: str) -> None:
        """Rotate; on Windows a file that another program has open cannot be renamed, and grows on until it can."""
        try:
            super().rotate(source, dest)
        except OSError:
            return

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Keep the library from printing the record to stderr as it is, secrets and all."""


def set_up(paths: Paths, level: int | str = logging.INFO, known_secrets: Iterable[Secret] = ()) -> Redactor:
    """Let everything that is logged from now on go to the log file; secrets that turn up later go to the redactor.

    Raises:
        SettingsError: the data folder cannot be used.
    """
    paths.make()
    redactor = Redactor(known_secrets)
    root = logging.getLogger()
    root.addHandler(LogFile(paths.logs / FILE_NAME, redactor))
    root.setLevel(level)
    return redactor


def shut_down() -> None:
    """Close the log files that `set_up` opened."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, LogFile)]:
        root.removeHandler(handler)
        handler.close()


def files(paths: Paths) -> list[Path]:
    """Return the log files that there are, the newest first."""
    found = [paths.logs / FILE_NAME, *(paths.logs / f"{FILE_NAME}.{number}" for number in range(1, FILES))]
    return [path for path in found if path.is_file()]


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):  # the text and its values do not fit each other
        return f"{record.msg!s} {record.args!r}"
