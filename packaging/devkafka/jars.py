# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Brings the broker's jars to build/kafka, once for each version of pom.xml."""

import fcntl
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from devkafka.errors import JarsFailed
from devkafka.java import maven

PROJECT: Final = Path(__file__).resolve().parents[2]
POM: Final = Path(__file__).with_name("pom.xml")
_TRIES: Final = 2  # registries hiccup
_PATIENCE_S: Final = 600  # 44 MB over a slow line
_LAST_LINES: Final = 15


def libs_folder(root: Path = PROJECT) -> Path:
    """Where the jars of this pom.xml lie, once they have been fetched."""
    digest = hashlib.sha256(POM.read_bytes()).hexdigest()[:12]
    return root / "build" / "kafka" / digest / "libs"


def ensure_jars(root: Path = PROJECT) -> Path:
    """The folder with the jars. Asks Maven only if it is not there; safe when two processes come at once."""
    libs = libs_folder(root)
    if libs.is_dir():  # the name appears by a rename when all jars are in it, so it needs no other stamp
        return libs
    libs.parent.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(libs.parent / "lock"):
        if not libs.is_dir():
            _fetch(libs)
    return libs


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """A lock that the system opens again when its holder dies."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fetch(libs: Path) -> None:
    arriving = Path(tempfile.mkdtemp(prefix="arriving-", dir=libs.parent))
    try:
        _copy_with_maven(arriving)
        arriving.rename(libs)
    finally:
        shutil.rmtree(arriving, ignore_errors=True)


def _copy_with_maven(folder: Path) -> None:
    command = [maven(), "-q", "-B", "-f", str(POM), "dependency:copy-dependencies"]
    command += [f"-DoutputDirectory={folder}", "-DincludeScope=runtime"]
    said = ""
    for _ in range(_TRIES):
        try:
            run = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                timeout=_PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            said = f"no end after {_PATIENCE_S} s"
            continue
        if run.returncode == 0:
            return
        said = "\n".join(run.stdout.splitlines()[-_LAST_LINES:])
    raise JarsFailed(f"Maven could not bring Kafka's jars, tried {_TRIES} times. Its last words:\n{said}")
