# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The metrics that come from the ledger, and the line that the service manager shows."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support.receiver.rig import CHUNK, Rig, Sent, noise, rig_at

OFFSETS_BEHIND = 3


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch, max_file_size="1MiB") as one:
        yield one


def value(rig: Rig, name: str, /, **labels: str) -> float | None:
    return rig.job.metrics._all.registry.get_sample_value(f"fieldpost_{name}", {"job_name": "files"} | labels)


def measure(rig: Rig, ends: Mapping[int, int] | None) -> None:
    free_bytes = rig.job.staged.free_bytes()
    rig.job.ledger_metrics.measure(ends, state=rig.space.state, free_bytes=free_bytes)


def test_refused_messages_and_rejected_files_are_counted_once_by_their_code(rig: Rig) -> None:
    assert value(rig, "quarantined_messages_total", reason="bad_text") == 0, "Prometheus sees the first one only so"
    too_large = Sent(1, "large.bin", noise(2 * 1024 * 1024))
    rig.take(None, None, too_large.chunk(0))
    measure(rig, rig.topic.ends())
    measure(rig, rig.topic.ends())
    assert value(rig, "quarantined_messages_total", reason="bad_text") == 2
    assert value(rig, "rejected_transfers_total", code="too_large") == 1


def test_what_the_ledger_knew_before_the_start_is_not_counted(rig: Rig) -> None:
    rig.take(None)
    rig.reopen()
    measure(rig, rig.topic.ends())
    assert value(rig, "quarantined_messages_total", reason="bad_text") == 0


def test_chunks_that_senders_are_asked_for_are_counted_by_their_reason(rig: Rig) -> None:
    file = Sent(1, "holes.bin", noise(5 * CHUNK))
    rig.take(file.chunk(0), file.chunk(4), file.end())
    measure(rig, rig.topic.ends())
    assert value(rig, "missing_chunks_total", reason="never_arrived") == 3
    assert value(rig, "open_transfers", state="receiving") == 1


def test_lag_counts_unread_messages_and_stays_while_ends_are_unknown(rig: Rig) -> None:
    rig.take(Sent(1, "a.bin", noise(CHUNK)).chunks())
    ends = rig.topic.ends()
    measure(rig, ends | {0: ends[0] + OFFSETS_BEHIND})
    measure(rig, None)
    assert value(rig, "lag_messages") == OFFSETS_BEHIND
    assert value(rig, "free_bytes") == pytest.approx(rig.job.staged.free_bytes(), rel=0.1)


def test_the_summary_counts_files(rig: Rig) -> None:
    whole, half = Sent(1, "whole.bin", noise(CHUNK)), Sent(2, "half.bin", noise(2 * CHUNK))
    rig.take(whole.chunks(), whole.end(), half.chunk(0))
    assert rig.job.ledger_metrics.summary("").strip() == "1 under way, 1 published."
