# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost-receiver-python`: the Python of Spark's workers on this machine.

Spark puts zipped copies of its own packages in front of the installed ones. Python compiles what it finds in a zip anew
in every process, and Spark starts half a dozen of them, one after the other, before the first batch: that took 2 of the
5 seconds until then. This is the same Python, with the installed packages.
"""

import os  # and little else: this runs before each of them
import sys

PROGRAM = "fieldpost-receiver-python"


def worker_python() -> str:
    """The program, as it was installed beside this Python; where it was not, this Python will do."""
    program = sys.executable.rpartition(os.sep)[0] + os.sep + PROGRAM
    return program if os.access(program, os.X_OK) else sys.executable


def without_copies(path: str) -> str:
    """PYTHONPATH without what is installed anyway."""
    return os.pathsep.join(part for part in path.split(os.pathsep) if not _is_copy(part.rpartition(os.sep)[2]))


def _is_copy(name: str) -> bool:
    return name == "pyspark.zip" or (name.startswith("py4j-") and name.endswith("-src.zip"))


def main() -> None:
    """Become that Python."""
    os.environ["PYTHONPATH"] = without_copies(os.environ.get("PYTHONPATH", ""))
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])  # noqa: S606 - no shell is wanted
