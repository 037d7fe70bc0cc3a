# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Metrics for Prometheus: counts, lag, space and times. Labels have few values, and none that a sender chooses."""

from enum import StrEnum
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Enum, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import choose_encoder

from fieldpost_shared.codes import Code
from fieldpost_shared.protocol.status import MissingReason, ReceiverState
from fieldpost_shared.version import __version__

_NAMESPACE: Final = "fieldpost"
_PUBLISH_BUCKETS: Final = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1800, 3600)  # 1 TiB takes an hour
_BATCH_BUCKETS: Final = (0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120)


class QueryState(StrEnum):
    """How a job's batches are. The name in the metrics is older than batches without a streaming query."""

    STARTING = "starting"
    RUNNING = "running"
    RESTARTING = "restarting"  # it failed, and starts again after a pause
    STOPPED = "stopped"


class Metrics:
    """All collectors, in a registry of their own. Every method may be called from any thread."""

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
        self._rows = self._counter("rows", "Rows that tasks reported: messages and members of packs.")
        self._chunks = self._counter("chunks", "Chunks that were new and are synced to disk.")
        self._bytes_staged = self._counter("staged_bytes", "Bytes of those chunks.")
        self._batch_seconds = self._histogram("batch_seconds", "Duration of a batch.", _BATCH_BUCKETS)
        self._lag_messages = self._gauge("lag_messages", "Messages in the files topic that were not read yet.")
        self._lag_bytes = self._gauge("lag_bytes", "The same in bytes, estimated.")
        self._missing = self._counter("missing_chunks", "Chunks that senders were asked for again.", "reason")
        for reason in MissingReason:  # a series that begins at 0 lets Prometheus see the first one
            self._missing.labels(reason)
        self._quarantined = self._counter("quarantined_messages", "Messages that were not taken.", "reason")

    def _publishing(self) -> None:
        self._files = self._counter("published_files", "Files with a receipt.", "duplicate")
        self._bytes = self._counter("published_bytes", "Bytes of published files, without duplicates.")
        self._rejected = self._counter("rejected_transfers", "Transfers that were rejected.", "code")
        self._publish_seconds = self._histogram(
            "publish_seconds", "From complete to published: read back, rename, sync.", _PUBLISH_BUCKETS
        )

    def _state(self) -> None:
        self._free = self._gauge("free_bytes", "Free space at the destination.")
        self._open = self._gauge("open_transfers", "Transfers that are not finished.", "state")
        self._restarts = self._counter("query_restarts", "How often a batch failed and was tried again.")
        self._query: Enum = Enum(
            "query_state",
            "How the batches of the job are.",
            namespace=_NAMESPACE,
            states=list(QueryState),
            registry=self.registry,
        )
        self._receiver_state: Enum = Enum(
            "receiver_state",
            "What senders are told.",
            namespace=_NAMESPACE,
            states=list(ReceiverState),
            registry=self.registry,
        )

    def batch(self, *, rows: int, chunks: int, size: int, seconds: float) -> None:
        """Count a batch; `size` are the bytes of its new chunks."""
        self._rows.inc(rows)
        self._chunks.inc(chunks)
        self._bytes_staged.inc(size)
        self._batch_seconds.observe(seconds)

    def lag(self, *, messages: int, size: int) -> None:
        """Set how many messages and bytes are not read yet."""
        self._lag_messages.set(messages)
        self._lag_bytes.set(size)

    def missing(self, reason: MissingReason, chunks: int) -> None:
        """Count chunks that were requested from a sender."""
        self._missing.labels(reason).inc(chunks)

    def quarantined(self, reason: Code, messages: int = 1) -> None:
        """Count messages that went into quarantine."""
        self._quarantined.labels(reason).inc(messages)

    def published(self, *, size: int, seconds: float, duplicate: bool = False) -> None:
        """Count a file that got its receipt."""
        self._files.labels("yes" if duplicate else "no").inc()
        self._bytes.inc(0 if duplicate else size)
        self._publish_seconds.observe(seconds)

    def rejected(self, code: Code, transfers: int = 1) -> None:
        """Count transfers that ended without a receipt."""
        self._rejected.labels(code).inc(transfers)

    def free_space(self, size: int) -> None:
        """Set the free space of the destination."""
        self._free.set(size)

    def open_transfers(self, state: StrEnum, transfers: int) -> None:
        """Set how many unfinished transfers are in a state of the ledger."""
        self._open.labels(state).set(transfers)

    def query(self, state: QueryState) -> None:
        """Set how the batches are."""
        if state is QueryState.RESTARTING:
            self._restarts.inc()
        self._query.state(state)

    def receiver(self, state: ReceiverState) -> None:
        """Set the state that the newest notice says."""
        self._receiver_state.state(state)

    def page(self, accept: str = "") -> tuple[bytes, str]:
        """Return the response to Prometheus and its content type, in the newest format that it accepts."""
        encode, content_type = choose_encoder(accept)
        return encode(self.registry), content_type

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(name, help_text, labels, namespace=_NAMESPACE, registry=self.registry)

    def _gauge(self, name: str, help_text: str, *labels: str) -> Gauge:
        return Gauge(name, help_text, labels, namespace=_NAMESPACE, registry=self.registry)

    def _histogram(self, name: str, help_text: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(name, help_text, namespace=_NAMESPACE, buckets=buckets, registry=self.registry)
