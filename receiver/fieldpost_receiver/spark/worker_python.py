# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost-receiver-python`: the Python of Spark's workers on this machine.

Spark puts zipped copies of its own packages in front of the installed ones. Every process compiles what it imports from
a zip again, and Spark starts half a dozen processes one after the other before the first batch: that took 2 of its
5 seconds. This program runs the same Python with the installed packages.
"""

import os  # and little else: this runs at the start of every worker
import sys

PROGRAM = "fieldpost-receiver-python"


def worker_python() -> str:
    """Return the program that is installed beside this Python; this Python if it is not installed."""
    program = sys.executable.rpartition(os.sep)[0] + os.sep + PROGRAM
    return program if os.access(program, os.X_OK) else sys.executable


def without_copies(path: str) -> str:
    """Return PYTHONPATH without the packages that are installed anyway."""
    return os.pathsep.join(part for part in path.split(os.pathsep) if not _is_copy(part.rpartition(os.sep)[2]))


def _is_copy(name: str) -> bool:
    return name == "pyspark.zip" or (name.startswith("py4j-") and name.endswith("-src.zip"))


def main() -> None:
    """Replace this process by that Python."""
    os.environ["PYTHONPATH"] = without_copies(os.environ.get("PYTHONPATH", ""))
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])  # noqa: S606 - no shell is wanted
