# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Spark's Java classes in an archive that a JVM maps, instead of unpacking and checking each at every start.

Made by `prepare`, once for each Java and each Spark. It changes how soon classes are there, and nothing else: without
it, or with one that the JVM finds not to fit, all is as before, only slower.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

import pyspark
from pyspark import SparkContext

from fieldpost_receiver.config.receiver_toml import SparkSettings
from fieldpost_receiver.spark.session import asking, java_program, open_session
from fieldpost_receiver.spark.warm_up import rehearse
from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

FOLDER: Final = "spark-classes"
_BATCHES: Final = 2  # the second one has a path of its own
_HERE: Final = "local[2]"  # the executors of a cluster have JVMs of their own


def archive_in(state: Path, spark: SparkSettings) -> Path | None:
    """Where the archive for today's Java and Spark lies, or would; None: there can be none, or there is no Java."""
    java = java_program()
    if java is None or os.pathsep in str(state):  # which separates two archives for the JVM
        return None
    return state / FOLDER / f"{_fingerprint(Path(java), spark.java_options)}.jsa"


def options_for(state: Path, spark: SparkSettings) -> str:
    """What the JVM is told; "" without an archive."""
    archive = archive_in(state, spark)
    return f'"-XX:SharedArchiveFile={archive}"' if archive is not None and archive.exists() else ""


def make(spark: SparkSettings, archive: Path) -> None:
    """Write the archive, in place of those that no longer fit. Starts Spark in this process, and ends it.

    Raises:
        FieldpostError: Spark's Java process did not write it.
        StorageError: the state folder cannot be written.
    """
    with storing("use the state folder"):
        archive.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=archive.parent))
    try:
        unfinished = folder / "archive"
        with asking():
            _rehearse(replace(spark, master=_HERE), folder, f'"-XX:ArchiveClassesAtExit={unfinished}"')
        if not unfinished.exists():
            raise FieldpostError(Code.UNEXPECTED, "Java wrote no archive of its classes")
        with storing("use the state folder"):
            with unfinished.open("rb") as file:  # Java makes it read-only, so `whole_file` could not sync it
                os.fsync(file.fileno())
            unfinished.rename(archive)
            for other in archive.parent.glob("*.jsa"):
                if other != archive:
                    other.unlink()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _rehearse(spark: SparkSettings, folder: Path, options: str) -> None:
    session = open_session(spark, folder / "scratch", options)
    rehearse(session, str(folder / "checkpoint"), _BATCHES)
    java: subprocess.Popen[bytes] = SparkContext._gateway.proc  # type: ignore[union-attr]  # noqa: SLF001 - no other way
    session.stop()
    assert java.stdin is not None  # noqa: S101 - Spark holds it open so that the JVM ends with us
    java.stdin.close()  # so it ends now, and writes the archive
    java.wait()


def _fingerprint(java: Path, options: str) -> str:
    """Of what the archive has to fit. The JVM looks closer, but with warnings."""
    jars = sorted((Path(pyspark.__file__).parent / "jars").iterdir())
    known = [options, *(f"{path} {path.stat().st_mtime_ns}" for path in (java.resolve(), *jars))]
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]
