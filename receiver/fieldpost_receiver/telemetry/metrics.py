# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Metrics for Prometheus: counts, lag, space and times, of each job under its name.

Labels have few values, and none that a sender chooses. The job's is `job_name`, because Prometheus itself sets `job`.
"""

from enum import StrEnum
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Enum, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import choose_encoder

from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import MissingReason, ReceiverState
from fieldpost_shared.version import __version__

_NAMESPACE: Final = "fieldpost"
_JOB: Final = "job_name"
_PUBLISH_BUCKETS: Final = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1800, 3600)  # 1 TiB takes an hour
_BATCH_BUCKETS: Final = (0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120)


class QueryState(StrEnum):
    """How a job's batches are. The name in the metrics is older than batches without a streaming query."""

    STARTING = "starting"
    RUNNING = "running"
    RESTARTING = "restarting"  # it failed, and starts again after a pause
    PAUSED = "paused"
    STOPPED = "stopped"
    FAILED = "failed"  # a person has to mend something


class Metrics:
    """The collectors of all jobs, in a registry of their own. Every method may be called from any thread."""

    def __init__(self, receiver: str) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("receiver", "Which receiver this is.", namespace=_NAMESPACE, registry=self.registry).info(
            {"name": receiver, "version": __version__}
        )
        self._reading()
        self._publishing()
        self._state()

    def _reading(self) -> None:
        self.rows = self._counter("rows", "Rows that tasks reported: messages and members of packs.")
        self.chunks = self._counter("chunks", "Chunks that were new and are synced to disk.")
        self.bytes_staged = self._counter("staged_bytes", "Bytes of those chunks.")
        self.batch_seconds = self._histogram("batch_seconds", "Duration of a batch.", _BATCH_BUCKETS)
        self.lag_messages = self._gauge("lag_messages", "Messages in the files topic that were not read yet.")
        self.lag_bytes = self._gauge("lag_bytes", "The same in bytes, estimated.")
        self.missing = self._counter("missing_chunks", "Chunks that senders were asked for again.", "reason")
        self.quarantined = self._counter("quarantined_messages", "Messages that were not taken.", "reason")

    def _publishing(self) -> None:
        self.files = self._counter("published_files", "Files with a receipt.", "duplicate")
        self.bytes = self._counter("published_bytes", "Bytes of published files, without duplicates.")
        self.rejected = self._counter("rejected_transfers", "Transfers that were rejected.", "code")
        self.publish_seconds = self._histogram(
            "publish_seconds", "From complete to published: read back, rename, sync.", _PUBLISH_BUCKETS
        )

    def _state(self) -> None:
        self.free = self._gauge("free_bytes", "Free space at the destination.")
        self.open = self._gauge("open_transfers", "Transfers that are not finished.", "state")
        self.restarts = self._counter("query_restarts", "How often a batch or the job failed and was tried again.")
        self.query = self._enum("query_state", "How the batches of the job are.", list(QueryState))
        self.receiver_state = self._enum("receiver_state", "What senders are told.", list(ReceiverState))

    def page(self, accept: str = "") -> tuple[bytes, str]:
        """Return the response to Prometheus and its content type, in the newest format that it accepts."""
        encode, content_type = choose_encoder(accept)
        return encode(self.registry), content_type

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(name, help_text, (*labels, _JOB), namespace=_NAMESPACE, registry=self.registry)

    def _gauge(self, name: str, help_text: str, *labels: str) -> Gauge:
        return Gauge(name, help_text, (*labels, _JOB), namespace=_NAMESPACE, registry=self.registry)

    def _histogram(self, name: str, help_text: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(name, help_text, (_JOB,), namespace=_NAMESPACE, buckets=buckets, registry=self.registry)

    def _enum(self, name: str, help_text: str, states: list[str]) -> Enum:
        return Enum(name, help_text, (_JOB,), namespace=_NAMESPACE, states=states, registry=self.registry)


class JobMetrics:
    """The metrics of one job. Series begin at 0, which lets Prometheus see the first event."""

    def __init__(self, all_jobs: Metrics, job: str) -> None:
        self._all = all_jobs
        self._job = job
        for one in (all_jobs.rows, all_jobs.chunks, all_jobs.bytes_staged, all_jobs.lag_messages, all_jobs.lag_bytes):
            one.labels(job)
        for one in (all_jobs.bytes, all_jobs.free, all_jobs.restarts):
            one.labels(job)
        for histogram in (all_jobs.batch_seconds, all_jobs.publish_seconds):
            histogram.labels(job)
        for reason in MissingReason:
            all_jobs.missing.labels(reason, job)
        self.query(QueryState.STARTING)

    def batch(self, *, rows: int, chunks: int, size: int, seconds: float) -> None:
        """Count a batch; `size` are the bytes of its new chunks."""
        self._all.rows.labels(self._job).inc(rows)
        self._all.chunks.labels(self._job).inc(chunks)
        self._all.bytes_staged.labels(self._job).inc(size)
        self._all.batch_seconds.labels(self._job).observe(seconds)

    def lag(self, *, messages: int, size: int) -> None:
        """Set how many messages and bytes are not read yet."""
        self._all.lag_messages.labels(self._job).set(messages)
        self._all.lag_bytes.labels(self._job).set(size)

    def missing(self, reason: MissingReason, chunks: int) -> None:
        """Count chunks that were requested from a sender."""
        self._all.missing.labels(reason, self._job).inc(chunks)

    def quarantined(self, reason: Code, messages: int = 1) -> None:
        """Count messages that went into quarantine."""
        self._all.quarantined.labels(reason, self._job).inc(messages)

    def published(self, *, size: int, seconds: float, duplicate: bool = False) -> None:
        """Count a file that got its receipt."""
        self._all.files.labels("yes" if duplicate else "no", self._job).inc()
        self._all.bytes.labels(self._job).inc(0 if duplicate else size)
        self._all.publish_seconds.labels(self._job).observe(seconds)

    def rejected(self, code: Code, transfers: int = 1) -> None:
        """Count transfers that ended without a receipt."""
        self._all.rejected.labels(code, self._job).inc(transfers)

    def free_space(self, size: int) -> None:
        """Set the free space of the destination."""
        self._all.free.labels(self._job).set(size)

    def open_transfers(self, state: StrEnum, transfers: int) -> None:
        """Set how many unfinished transfers are in a state of the ledger."""
        self._all.open.labels(state, self._job).set(transfers)

    def query(self, state: QueryState) -> None:
        """Set how the batches are."""
        self._all.query.labels(self._job).state(state)

    def restarted(self) -> None:
        """Count a batch or a job that failed and is tried again."""
        self._all.restarts.labels(self._job).inc()

    def receiver(self, state: ReceiverState) -> None:
        """Set the state that the newest notice says."""
        self._all.receiver_state.labels(self._job).state(state)
