# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Stands between a parent and its broker, so that the broker never outlives the parent.

Run as a script of its own: `guard.py PARENT_PID COMMAND...`, nothing but the standard library. It prints the
command's pid. Each byte on its standard input is a signal number to pass on, answered by one line. The end of the
input means that the parent is gone, by whatever means: the command is killed. It ends when the command ends.
"""

import os
import select
import signal
import subprocess
import sys
import threading
from typing import Final

_STDIN: Final = 0
_LOOK_S: Final = 1.0


def main() -> int:
    """Run the command; the exit status is its own, or 128 + the signal that ended it."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=sys.stderr)
    print(child.pid, flush=True)
    threading.Thread(target=_obey, args=(child, parent), daemon=True).start()
    status = child.wait()
    return status if status >= 0 else 128 - status


def _obey(child: "subprocess.Popen[bytes]", parent: int) -> None:
    try:
        while order := _next_order(parent):
            child.send_signal(order[0])
            print("done", flush=True)
    except OSError:  # nobody reads our answers any more
        pass
    child.send_signal(signal.SIGKILL)


def _next_order(parent: int) -> bytes:
    """One byte, or none when the parent is gone.

    A forked child of the parent may hold our input open for longer than the parent lives, so we look for the
    parent itself too.
    """
    while not select.select([_STDIN], [], [], _LOOK_S)[0]:
        if os.getppid() != parent:
            return b""
    return os.read(_STDIN, 1)


if __name__ == "__main__":
    sys.exit(main())
