# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Log the output of child processes: Spark's JVM and workers print to the outputs that they inherit.

Their lines become records of our log, redacted like all records, so that a log collector finds only JSON.
"""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Final, TextIO

_LOG: Final = logging.getLogger(__name__)
_OUTPUTS: Final = (1, 2)  # file descriptors of stdout and stderr
_LONGEST: Final = 8_192
_END: Final = b"\0end\n"  # Spark's processes outlive this one and keep the pipe open: it would never end
_LAST_S: Final = 1.0


@contextmanager
def second_stderr() -> Iterator[TextIO]:
    """Open a second stderr for our own log, which is not captured."""
    with os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace") as stream:
        yield stream


@contextmanager
def captured_output() -> Iterator[None]:
    """Log every line that this process and its children print."""
    kept = [os.dup(output) for output in _OUTPUTS]
    reading, writing = os.pipe()
    for output in _OUTPUTS:
        os.dup2(writing, output)
    reader = Thread(target=_log_lines, args=(reading,), name="child-output", daemon=True)
    reader.start()
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for output, before in zip(_OUTPUTS, kept, strict=True):
            os.dup2(before, output)
            os.close(before)
        os.write(writing, _END)
        os.close(writing)
        reader.join(_LAST_S)


def _log_lines(reading: int) -> None:
    with os.fdopen(reading, "rb") as lines:
        while (line := lines.readline(_LONGEST)) and line != _END:
            if text := line.decode("utf-8", "replace").rstrip():
                _LOG.info("%s", text)
