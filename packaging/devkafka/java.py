# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Finds Java and Maven, and says in plain words when they are absent or too old."""

import functools
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from devkafka.errors import ToolMissing

OLDEST: Final = 17  # Kafka 4 and Spark 4 both need it
_QUICK_START: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # small and soon there; peak speed is no aim


def java_command(libs: Path, *options: str) -> list[str]:
    """The beginning of a command line that runs a class of the broker's jars."""
    return [_java(), *_QUICK_START, *options, "-cp", f"{libs}/*"]


def maven() -> str:
    """Where Maven is."""
    found = shutil.which("mvn")
    if found is None:
        raise ToolMissing("Maven is not there (no `mvn` on PATH). It fetches the broker's jars; please install it.")
    _java()
    return found


@functools.cache
def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin" if home else None)
    if found is None:
        where = f"JAVA_HOME, which is {home}" if home else "PATH"
        raise ToolMissing(f"Java is not there (no `java` in {where}). Please install Java {OLDEST} or newer.")
    version = _major_version(found)
    if version < OLDEST:
        raise ToolMissing(f"Java is too old: {found} is version {version}, Kafka needs {OLDEST} or newer.")
    return found


def _major_version(java: str) -> int:
    """17 for "17.0.15"; 1 for the old style "1.8.0_392", which is too old in any case."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolMissing(f"Java does not run: {error}") from error
    said = re.search(r'version "(\d+)', answer.stderr + answer.stdout)
    if said is None:
        raise ToolMissing(f"Java does not tell its version: {java}")
    return int(said[1])
