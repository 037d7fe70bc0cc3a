# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Spark's Java classes as an archive that a JVM maps instead of loading each: a receiver starts 3 s sooner.

Made once for each Java and each set of jars (half a minute), by a tiny query in a session like the receiver's own.
It changes how quickly classes are there and nothing else. The benchmarks do without: nobody else has it.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyspark
from pyspark import SparkContext
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from fieldpost_receiver.config import SparkSettings
from fieldpost_receiver.streaming import open_session

FOLDER: Final = Path(__file__).parents[1] / "build" / "spark-classes"
BATCHES: Final = 2  # the second one has a path of its own


@cache
def options_with_archive() -> str:
    """Java options for a receiver; makes the archive if there is none yet."""
    archive = FOLDER / f"{_fingerprint()}.jsa"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run in two processes
        if not archive.exists():
            for older in FOLDER.glob("*.jsa"):
                older.unlink()
            made = subprocess.run([sys.executable, __file__, archive], capture_output=True, text=True, check=False)
            assert archive.exists(), made.stdout + made.stderr
    return f"-XX:SharedArchiveFile={archive}"


def _fingerprint() -> str:
    """Of all that an archive has to fit."""
    java = subprocess.run(["java", "-version"], capture_output=True, check=True).stderr
    jars = [
        f"{jar.name} {jar.stat().st_mtime_ns}" for jar in sorted((Path(pyspark.__file__).parent / "jars").iterdir())
    ]
    return hashlib.sha256(java + "\n".join([pyspark.__file__, *jars]).encode()).hexdigest()[:16]


class _Counting(DataSourceStreamReader):
    def __init__(self) -> None:
        self._looks = 0

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802 - Spark's name
        return {"n": 0}

    def latestOffset(self) -> dict[str, Any]:  # type: ignore[override]  # noqa: N802 - the simple form
        self._looks += 1
        return {"n": self._looks}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:  # noqa: ARG002 - likewise
        return [InputPartition(0), InputPartition(1)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_arrays([pa.array([partition.value])], names=["id"])


class _Numbers(DataSource):
    @classmethod
    def name(cls) -> str:
        return "numbers"

    def schema(self) -> str:
        return "id long"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802, ARG002 - Spark's name
        return _Counting()


def _make(archive: Path, folder: Path) -> None:
    unfinished = archive.with_suffix(".new")
    options = f"-XX:ArchiveClassesAtExit={unfinished}"
    session = open_session(SparkSettings(master="local[2]", java_options=options), folder / "scratch")
    session.dataSource.register(_Numbers)
    taken: list[int] = []
    query = (
        session.readStream.format("numbers")
        .load()
        .writeStream.foreachBatch(lambda frame, _number: taken.append(frame.toArrow().num_rows))
        .option("checkpointLocation", str(folder / "checkpoint"))
        .start()
    )
    while len(taken) < BATCHES:
        query.awaitTermination(1)
    query.stop()
    process = SparkContext._gateway.proc  # type: ignore[union-attr]
    session.stop()
    process.stdin.close()  # then it ends by itself, and writes the archive
    process.wait()
    unfinished.rename(archive)


if __name__ == "__main__":
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    place = Path(tempfile.mkdtemp())
    _make(Path(sys.argv[1]), place)
    shutil.rmtree(place, ignore_errors=True)
