# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A process that dies with us, even if we are killed: `guard.py` watches over it."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, cast

_GUARD: Final = Path(__file__).with_name("guard.py")


class Guarded:
    """A running command. Signals go through its guard, which cannot hit a stranger that got the same pid."""

    def __init__(self, command: Sequence[str], output: Path) -> None:
        with output.open("ab") as out:
            # -I -S: the guard needs the standard library only, and is there at once
            # own session: Ctrl-C in a terminal is for us, who then stop the command in good order
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_GUARD), str(os.getpid()), *command],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=out,
                start_new_session=True,
            )
        self._orders = cast("IO[bytes]", self._guard.stdin)
        self._answers = cast("IO[bytes]", self._guard.stdout)
        self.pid = int(self._answers.readline() or 0)  # of the command itself

    @property
    def running(self) -> bool:
        return self._guard.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Pass a signal on; returns when it has been sent. Nothing happens if the command is gone."""
        if self._orders.closed:
            return
        with suppress(BrokenPipeError):  # it ended at this very moment
            self._orders.write(bytes([number]))
            self._answers.readline()

    def wait(self, seconds: float) -> int:
        """Wait for the end, and kill it when the time is up; the exit status."""
        try:
            self._guard.wait(seconds)
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
        return self._end()

    def kill(self) -> None:
        """End it at once; returns when it is gone."""
        self.signal(signal.SIGKILL)
        self._end()

    def _end(self) -> int:
        status = self._guard.wait()
        self._orders.close()
        self._answers.close()
        if status < 0:  # somebody killed the guard, so its command may still be there
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        return status
