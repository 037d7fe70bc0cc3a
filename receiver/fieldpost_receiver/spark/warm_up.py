# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Make Spark do once what every batch needs: start the workers and load a job's modules in them."""

import importlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from pyspark.sql import SparkSession

from fieldpost_receiver.spark.run_batch import BatchFailed, run_tasks
from fieldpost_shared.errors import FieldpostError

_NAME = "warm-up"


def load_modules(modules: Sequence[str], shares: Iterable[object]) -> Iterator[bytes]:
    """Import modules in the worker, which Spark keeps for the batches; yield nothing. Runs as a task."""
    for _ in shares:
        for module in modules:
            importlib.import_module(module)
    return iter(())


def run_batches(session: SparkSession, modules: Sequence[str], batches: int) -> None:
    """Run batches like a job's, one task in each slot."""
    for _ in range(batches):
        slots = range(session.sparkContext.defaultParallelism)
        run_tasks(session, partial(load_modules, modules), list(slots), job=_NAME)


def warm_up(session: SparkSession, modules: Sequence[str]) -> threading.Thread:
    """Do so once, in a thread that is returned, while another one plans. An error also happens in the first batch."""

    def run() -> None:
        with suppress(BatchFailed, FieldpostError):
            run_batches(session, modules, 1)

    thread = threading.Thread(target=run, name=_NAME, daemon=True)
    thread.start()
    return thread
