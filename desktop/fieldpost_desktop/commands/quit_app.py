# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost quit`: the running app ends, as an installer needs it before it replaces the program's files."""

import threading
from collections.abc import Callable
from typing import Final

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.commands.session import engine_runs
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.clock import Clock

_END_S: Final = 30.0  # an app ends within 2 s; a slow laptop that is just starting it takes longer to hear
_LOOK_S: Final = 0.1


def run(paths: Paths, clock: Clock, terminal: Terminal, ask: Callable[[], bool]) -> Exit:
    """Ask the app to end, and wait until it answers no more and the data folder is free."""
    deadline = clock.monotonic() + _END_S
    heard = False
    # Asked each time anew: one that was just starting did not listen yet.
    while (asked := ask()) or _in_use(paths):
        heard = heard or asked
        if clock.monotonic() > deadline:
            terminal.complain(_still_there(paths))
            return Exit.GAVE_UP
        clock.wait(threading.Event(), _LOOK_S)
    terminal.complain("Fieldpost has ended. What is queued goes on at its next start." if heard else "It was not open.")
    return Exit.DONE


def _in_use(paths: Paths) -> bool:
    return paths.lock.exists() and engine_runs(paths)


def _still_there(paths: Paths) -> str:
    holder = DataFolderLock(paths.lock).holder()
    who = f" in process {holder}" if holder is not None else ""
    return f"Fieldpost is still running{who}. A `fieldpost send` or `fieldpost watch` has to be ended by itself."
