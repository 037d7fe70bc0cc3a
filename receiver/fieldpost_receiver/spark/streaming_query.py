# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A streaming query that hands each micro-batch to the driver as one Arrow table."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from fieldpost_receiver.spark.task_failure import marking_failures
from fieldpost_receiver.storage.errors import storing

# Spark gives such a name to what it writes to the checkpoint until it is whole; the checksum lies beside it.
_UNFINISHED: Final = re.compile(r"\.{1,2}.+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp(\.crc)?")


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What a query reads and when."""

    name: str
    source: str  # the format's name, registered with the session
    options: Mapping[str, str]
    checkpoint: Path
    trigger_ms: int
    once: bool = False  # end when everything that is there now was read


def start_query(session: SparkSession, plan: QueryPlan, take: Callable[[pa.Table, int], None]) -> StreamingQuery:
    """Start the query; `take` gets each micro-batch on the driver, in order, and again after a failure.

    Raises:
        StorageError: the checkpoint could not be cleaned up.
    """
    remove_unfinished(plan.checkpoint)

    def take_batch(frame: DataFrame, number: int) -> None:
        table = frame.toArrow()  # the one action: a second would read the source again
        with marking_failures():
            take(table, number)

    frame = session.readStream.format(plan.source).options(**plan.options).load()
    writer = frame.writeStream.queryName(plan.name).option("checkpointLocation", str(plan.checkpoint))
    writer = writer.foreachBatch(take_batch)
    if plan.once:
        return writer.trigger(availableNow=True).start()
    return writer.trigger(processingTime=f"{plan.trigger_ms} milliseconds").start()


def remove_unfinished(checkpoint: Path) -> None:
    """Remove files that Spark could not finish, on a full disk or when it was killed. No query may run meanwhile.

    Spark itself leaves them there, and never begins its first batch beside any file at all.
    """
    with storing("clean up the checkpoint"):
        for path in list(checkpoint.rglob("*")):
            if _UNFINISHED.fullmatch(path.name):
                path.unlink(missing_ok=True)


def failure_of(query: StreamingQuery) -> str:
    """Return why a query ended; "" if it did not fail."""
    try:
        error = query.exception()
    except PySparkException as failed:
        return str(failed)
    return "" if error is None else str(error)
