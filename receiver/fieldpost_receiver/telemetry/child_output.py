# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What others print: Spark's JVM and workers write to the outputs that they inherit, in forms of their own.

Their lines become lines of our log, redacted like all others, so that whoever collects it finds nothing but JSON.
"""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Final, TextIO

_LOG: Final = logging.getLogger(__name__)
_OUTPUTS: Final = (1, 2)  # as the system numbers them
_LONGEST: Final = 8_192
_END: Final = b"\0end\n"  # Spark's processes end after us and hold the pipe open: its end would never come
_LAST_S: Final = 1.0


@contextmanager
def second_stderr() -> Iterator[TextIO]:
    """The way out for our own log, which stays when the outputs are taken."""
    with os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace") as stream:
        yield stream


@contextmanager
def taken_up() -> Iterator[None]:
    """Log every line that this process, or one that it starts, prints from now on."""
    kept = [os.dup(output) for output in _OUTPUTS]
    reading, writing = os.pipe()
    for output in _OUTPUTS:
        os.dup2(writing, output)
    reader = Thread(target=_log_lines, args=(reading,), name="foreign-lines", daemon=True)
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
