# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a full disk or a kill leaves in Spark's checkpoint."""

from pathlib import Path

from fieldpost_receiver.spark.streaming_query import remove_unfinished

UNFINISHED = (
    ".metadata.c8585349-a1bd-4f79-a551-2eb6d5dae533.tmp",
    "offsets/.0.7015dc03-bf3d-4ac6-bde1-92856a1c787f.tmp",
    "offsets/..0.7015dc03-bf3d-4ac6-bde1-92856a1c787f.tmp.crc",
    "commits/.4.b6fc0cce-432a-4cac-804b-5157270ff12e.tmp",
)
WHOLE = (
    "fieldpost-ledger-id",
    "metadata",
    ".metadata.crc",
    "offsets/0",
    "offsets/.0.crc",
    "commits/0",
    "commits/.0.crc",
)


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_spark_could_not_finish_is_removed_and_nothing_else(tmp_path: Path) -> None:
    for name in (*UNFINISHED, *WHOLE):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    remove_unfinished(tmp_path)
    assert files_in(tmp_path) == set(WHOLE)


def test_a_missing_checkpoint_needs_no_clean_up(tmp_path: Path) -> None:
    remove_unfinished(tmp_path / "none")
    assert not (tmp_path / "none").exists()
