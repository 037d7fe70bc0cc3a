# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Planning of micro-batches against what the ledger knows; Spark and Kafka are not asked."""

from contextlib import closing
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.ingest.spark_source import FilesReader, SourceOptions
from fieldpost_receiver.jobs.files.ledger.reading_state import ReadingState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.kafka.cluster_watch import TopicWatch
from fieldpost_receiver.spark.task_failure import MarkedFailure, TaskFailure, parse
from fieldpost_shared.codes import Code

FIRST = 4  # what lay before, retention took
Processed = dict[int, int]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FilesReader:
    monkeypatch.setattr(TopicWatch, "watermarks", lambda _self: {0: (FIRST, 20), 1: (0, 20)})
    options = SourceOptions(
        kafka={"bootstrap_servers": "none:1"},
        ledger=str(tmp_path / "ledger.db"),
        destination=str(tmp_path),
        max_batch_bytes=1,
        max_batch_rows=1,
        tasks=0,
    )
    return FilesReader(options)


def plan(reader: FilesReader, tmp_path: Path, processed: Processed, start: Processed) -> list[tuple[int, int, int]]:
    with closing(LedgerStore.open(tmp_path / "ledger.db")) as store:
        ReadingState(store).set_processed(processed)
    offsets = [{"v": 1, "p": {str(key): value for key, value in one.items()}} for one in (start, {0: 20, 1: 20})]
    found = [one for partition in reader.partitions(*offsets) for one in partition.ranges]
    return [(work.partition, work.start, work.end) for work in found]


@pytest.mark.parametrize(
    ("processed", "start"),
    [
        ({0: 9, 1: 7}, {0: 9, 1: 7}),
        ({0: 20, 1: 20}, {0: 9, 1: 7}),  # an older checkpoint, or a batch that Spark did not commit
        ({}, {0: FIRST, 1: 0}),  # the first batch of all
        ({0: 2}, {0: FIRST, 1: 0}),  # the checkpoint was lost, and what the ledger still lacked is deleted
    ],
)
def test_a_batch_begins_where_the_checkpoint_says(
    reader: FilesReader, tmp_path: Path, processed: Processed, start: Processed
) -> None:
    assert plan(reader, tmp_path, processed, start) == [(0, start[0], 20), (1, start[1], 20)]


def test_a_partition_that_is_new_is_read_from_its_beginning(reader: FilesReader, tmp_path: Path) -> None:
    assert plan(reader, tmp_path, {0: 9}, {0: 9}) == [(0, 9, 20), (1, 0, 20)]


@pytest.mark.parametrize("processed", [{0: 9, 1: 6}, {0: 8, 1: 7}, {0: 9}, {}])
def test_messages_that_an_older_ledger_does_not_know_are_never_skipped(
    reader: FilesReader, tmp_path: Path, processed: Processed
) -> None:
    with pytest.raises(MarkedFailure) as caught:
        plan(reader, tmp_path, processed, {0: 9, 1: 7})
    assert parse(str(caught.value)) == TaskFailure(Code.LEDGER_FOREIGN, "the ledger is older than the checkpoint")
