# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from fieldpost_receiver.telemetry.metrics import JobMetrics, Metrics, QueryState
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import MissingReason, ReceiverState
from fieldpost_shared.version import __version__

JOB = "files"


@pytest.fixture
def service() -> Metrics:
    return Metrics("central")


@pytest.fixture
def metrics(service: Metrics) -> JobMetrics:
    return JobMetrics(service, JOB)


def value(metrics: JobMetrics, name: str, /, **labels: str) -> float | None:
    return metrics._all.registry.get_sample_value(f"fieldpost_{name}", {"job_name": JOB} | labels)


def test_batches_add_up(metrics: JobMetrics) -> None:
    metrics.batch(rows=10, chunks=8, size=8_000, seconds=0.6)
    metrics.batch(rows=1, chunks=0, size=0, seconds=0.4)
    assert value(metrics, "rows_total") == 11
    assert value(metrics, "chunks_total") == 8
    assert value(metrics, "staged_bytes_total") == 8_000
    assert value(metrics, "batch_seconds_count") == 2
    assert value(metrics, "batch_seconds_sum") == pytest.approx(1.0)
    assert value(metrics, "batch_seconds_bucket", le="0.5") == 1


def test_a_duplicate_counts_as_a_file_but_not_as_bytes(metrics: JobMetrics) -> None:
    metrics.published(size=100, seconds=2)
    metrics.published(size=100, seconds=0.02, duplicate=True)
    assert value(metrics, "published_files_total", duplicate="no") == 1
    assert value(metrics, "published_files_total", duplicate="yes") == 1
    assert value(metrics, "published_bytes_total") == 100
    assert value(metrics, "publish_seconds_count") == 2
    assert value(metrics, "publish_seconds_bucket", le="0.05") == 1


def test_failures_are_counted_by_their_codes(metrics: JobMetrics) -> None:
    assert value(metrics, "missing_chunks_total", reason="never_arrived") == 0
    metrics.missing(MissingReason.NEVER_ARRIVED, 7)
    metrics.quarantined(Code.DAMAGED)
    metrics.quarantined(Code.DAMAGED, 2)
    metrics.rejected(Code.TOO_LARGE)
    assert value(metrics, "missing_chunks_total", reason="never_arrived") == 7
    assert value(metrics, "quarantined_messages_total", reason="damaged") == 3
    assert value(metrics, "rejected_transfers_total", code="too_large") == 1


def test_the_present_state_replaces_the_former(metrics: JobMetrics) -> None:
    for messages in (5, 3):
        metrics.lag(messages=messages, size=messages * 10)
        metrics.free_space(messages * 100)
        metrics.open_transfers(ReceiverState.OK, messages)
    assert value(metrics, "lag_messages") == 3
    assert value(metrics, "lag_bytes") == 30
    assert value(metrics, "free_bytes") == 300
    assert value(metrics, "open_transfers", state="ok") == 3


def test_the_query_is_in_one_state_and_its_restarts_are_counted(metrics: JobMetrics) -> None:
    for state in (QueryState.RUNNING, QueryState.RESTARTING, QueryState.RUNNING):
        metrics.query(state)
    metrics.restarted()
    states = {state: value(metrics, "query_state", fieldpost_query_state=state) for state in QueryState}
    assert states == {state: float(state is QueryState.RUNNING) for state in QueryState}
    assert value(metrics, "query_restarts_total") == 1


def test_the_metric_shows_the_state_that_senders_are_told(metrics: JobMetrics) -> None:
    metrics.receiver(ReceiverState.LOW_SPACE)
    assert value(metrics, "receiver_state", fieldpost_receiver_state="low_space") == 1
    info = {"name": "central", "version": __version__}
    assert metrics._all.registry.get_sample_value("fieldpost_receiver_info", info) == 1


def test_the_page_is_what_prometheus_reads(service: Metrics, metrics: JobMetrics) -> None:
    metrics.published(size=1, seconds=1)
    body, content_type = service.page()
    assert content_type.startswith("text/plain; version=0.0.4")
    families = {family.name for family in text_string_to_metric_families(body.decode())}
    assert {"fieldpost_published_files", "fieldpost_lag_messages", "process_resident_memory_bytes"} <= families
    body, content_type = service.page("application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    assert body.endswith(b"# EOF\n")


def test_two_jobs_do_not_share_their_counts(service: Metrics, metrics: JobMetrics) -> None:
    other = JobMetrics(service, "other")
    other.rejected(Code.TOO_LARGE)
    assert value(metrics, "rejected_transfers_total", code="too_large") is None
    assert b"fieldpost" not in b"".join(family.name.encode() for family in REGISTRY.collect())
