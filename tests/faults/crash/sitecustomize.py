# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Dies at a crash point: every Python that finds this folder on PYTHONPATH reads it at its start, Spark's workers too.

FAULTS_CRASH is "point passes file": the whole process group gets kill -9 at that pass of the point (counted over all
processes by lines in the file). With FAULTS_CRASH_HOW=raise nobody dies: that one pass finds no memory. The product
knows nothing of this: its crash points do nothing.
"""

import os
import signal
from pathlib import Path

from fieldpost_shared.crash_points import NoCrashPoints

POINT, PASSES, SEEN = os.environ.get("FAULTS_CRASH", "none 1 none").split(" ", 2)


def _reach(_self: NoCrashPoints, point: str) -> None:
    if point != POINT:
        return
    seen = Path(SEEN)
    with seen.open("a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")
    if len(seen.read_text(encoding="ascii").splitlines()) == int(PASSES):
        with Path(f"{seen}.died").open("w", encoding="ascii") as file:
            file.write(point)
        if os.environ.get("FAULTS_CRASH_HOW") == "raise":
            raise MemoryError(f"a test wants it {point}")
        os.killpg(_leader(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)  # Spark's workers have a group of their own


def _leader() -> int:
    """The group that the test started: a session's leader is its first process."""
    return os.getsid(0)


NoCrashPoints.reach = _reach  # type: ignore[method-assign,assignment]  # that is what this file is for
