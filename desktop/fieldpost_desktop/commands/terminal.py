# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Output and messages of a command, to a person's terminal or to a pipe."""

import io
import os
import sys
from contextlib import suppress
from typing import Final, TextIO

_DUMB: Final = frozenset({"dumb", "unknown"})
_MARKS: Final = {"tick": ("\N{CHECK MARK}", "OK"), "cross": ("\N{BALLOT X}", "XX"), "skip": ("\N{EN DASH}", "--")}


class Terminal:
    """Writes lines. A reader that went away (`| head`) ends the output, not the work."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self._out = out
        self._err = err

    @property
    def out(self) -> TextIO:
        """The stream to draw on."""
        return self._out

    @property
    def is_live(self) -> bool:
        """Whether a table can be drawn and drawn over again."""
        return self._out.isatty() and os.environ.get("TERM", "") not in _DUMB

    def say(self, line: str = "") -> None:
        """Write a line of output and flush it: the reader of a pipe sees it when it happens."""
        self._out = _write(self._out, line)

    def complain(self, line: str) -> None:
        """Write a line for the person to the error stream, beside the output."""
        self._err = _write(self._err, line)

    def mark(self, name: str) -> str:
        """Return a tick, a cross or a dash, in ASCII where the terminal knows no other."""
        fancy, plain = _MARKS[name]
        try:
            fancy.encode(self._out.encoding or "ascii")
        except UnicodeEncodeError:
            return plain
        return fancy


def system_terminal() -> Terminal:
    """Return the process's own; a program without a console (as on Windows) writes to memory."""
    return Terminal(_usable(sys.stdout), _usable(sys.stderr))


def is_interactive() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def _usable(stream: TextIO | None) -> TextIO:
    if stream is None:
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")  # a name that this code page cannot show
    return stream


def _write(stream: TextIO, line: str) -> TextIO:
    """Write a line, and return the stream to use from now on."""
    try:
        stream.write(f"{line}\n")
        stream.flush()
    except BrokenPipeError:
        with suppress(OSError, ValueError):  # else Python complains of it when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return io.StringIO()
    return stream
