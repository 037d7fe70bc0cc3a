# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Archive Spark's Java classes, so that a JVM maps them instead of unpacking and checking each at every start.

The command `prepare` creates the archive once for each version of Java and Spark. It only shortens the start: without
an archive, or with one that does not fit, the JVM loads the classes as usual.
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

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_receiver.spark.java import java_program
from fieldpost_receiver.spark.session import open_session, spark_errors
from fieldpost_receiver.spark.warm_up import run_batches
from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

FOLDER: Final = "spark-classes"
_BATCHES: Final = 2  # the second one has a path of its own
_HERE: Final = "local[2]"  # the executors of a cluster have JVMs of their own


def archive_in(state: Path, spark: SparkSettings) -> Path | None:
    """Return the archive's path for this Java and Spark; None without Java, or if the JVM cannot be given the path."""
    java = java_program()
    if java is None or os.pathsep in str(state):  # the JVM would read two paths
        return None
    return state / FOLDER / f"{_fingerprint(Path(java), spark.java_options)}.jsa"


def options_for(state: Path, spark: SparkSettings) -> str:
    """Return the JVM's options; "" without an archive."""
    archive = archive_in(state, spark)
    return f'"-XX:SharedArchiveFile={archive}"' if archive is not None and archive.exists() else ""


def make(spark: SparkSettings, archive: Path) -> None:
    """Write the archive and remove those that no longer fit. Start Spark in this process, and end it.

    Raises:
        FieldpostError: Spark's Java process did not write it.
        StorageError: the state folder cannot be written.
    """
    with storing("use the state folder"):
        archive.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=archive.parent))
    try:
        unfinished = folder / "archive"
        with spark_errors():
            _run_spark(replace(spark, master=_HERE), folder, f'"-XX:ArchiveClassesAtExit={unfinished}"')
        if not unfinished.exists():
            raise FieldpostError(Code.UNEXPECTED, f"Java wrote no archive of its classes to {unfinished}")
        with storing("use the state folder"):
            with unfinished.open("rb") as file:  # Java makes it read-only, so `whole_file` could not sync it
                os.fsync(file.fileno())
            unfinished.rename(archive)
            for other in archive.parent.glob("*.jsa"):
                if other != archive:
                    other.unlink()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run_spark(spark: SparkSettings, folder: Path, options: str) -> None:
    session = open_session(spark, folder / "scratch", archive_options=options)
    run_batches(session, [], _BATCHES)
    java: subprocess.Popen[bytes] = SparkContext._gateway.proc  # type: ignore[union-attr]  # noqa: SLF001 - no other way
    session.stop()
    assert java.stdin is not None  # noqa: S101 - Spark opened it so that the JVM ends with this process
    java.stdin.close()  # so the JVM ends now, and writes the archive
    java.wait()


def _fingerprint(java: Path, options: str) -> str:
    """Return a hash of what the archive must fit. The JVM checks more, but prints warnings."""
    jars = sorted((Path(pyspark.__file__).parent / "jars").iterdir())
    known = [options, *(f"{path} {path.stat().st_mtime_ns}" for path in (java.resolve(), *jars))]
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]
