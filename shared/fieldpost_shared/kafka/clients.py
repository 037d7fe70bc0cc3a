# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What librdkafka is told, one function for each kind of client. The only place that opens secrets.

Give the result to `Producer`, `Consumer` or `AdminClient` at once; it holds passwords, so it is never logged or kept.
Callbacks are added by the caller, and `logger=`: without one, librdkafka writes to stderr.
"""

import sys
from typing import Final

from fieldpost_shared.kafka.preflight import preflight
from fieldpost_shared.kafka.security import SaslMechanism, Security
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.secret import Secret

Config = dict[str, str | int | float | bool]

WINDOW_BYTES: Final = 32 * 1024 * 1024  # what the uploader has on its way at most (its engine counts)
STATISTICS_MS: Final = (
    2000  # the window follows what the link moved in 2 s; a stall (120 s) is seen by the same figures
)

# A consumer must name a group although ours only assign: no client joins, commits or fetches offsets under this name.
# Without rights on it one harmless GROUP_AUTHORIZATION_FAILED arrives; DESCRIBE on the group stops even that.
GROUP_ID: Final = "fieldpost-assign-only"

_BATCH_OVERHEAD: Final = 64  # the broker's limit counts the batch: 61 bytes and the record, rounded up
_MESSAGE_RANGE: Final = (1000, 1_000_000_000)  # what librdkafka takes as message.max.bytes
_SYSLOG_WARNING: Final = 4


def uploader_producer(settings: KafkaSettings, *, message_limit: int) -> Config:
    """The sender's producer. `message_limit` is the topic's `max.message.bytes`."""
    smallest, largest = _MESSAGE_RANGE
    return {
        **_producer(settings),
        # The refusal of a part that is too large then comes from produce(), before a byte has travelled. It bounds
        # batches too, so several small messages together never exceed the limit; batch.size stays at its default.
        "message.max.bytes": min(max(message_limit - _BATCH_OVERHEAD, smallest), largest),
        # 1 MB at 12 KB/s takes 82 s. With the default of 60 s it was sent again for ever; 300 s is the maximum.
        "socket.timeout.ms": 300_000,
        # Twice the window: the engine's window holds back, this only bounds memory should it err.
        "queue.buffering.max.kbytes": 2 * WINDOW_BYTES // 1024,
        "statistics.interval.ms": STATISTICS_MS,
        # Chunks that gain by it are compressed already (zstd); the others would only cost time.
        "compression.type": "none",
        # Routers forget quiet connections without a word (often after 5 min): the next file would wait for the
        # socket time-out. A planned close raises no error, and a new connection costs well under a second.
        "connections.max.idle.ms": 240_000,
    }


def status_producer(settings: KafkaSettings) -> Config:
    """The receiver's producer of receipts, notices and all else that goes back."""
    return {
        **_producer(settings),
        # Senders compute their partition as crc32(client) % P: said here, not left to a default.
        "partitioner": "consistent_random",
        # Status messages are small. During an outage notices meet a full queue instead of piling up.
        "queue.buffering.max.kbytes": 16 * 1024,
    }


def task_consumer(settings: KafkaSettings, partitions: int = 1) -> Config:
    """The consumer of one Spark task, which reads a range of each of so many partitions and closes."""
    return {
        **_consumer(settings),
        # Lost offsets must surface as an error (they become `missing: expired`), never be jumped over.
        "auto.offset.reset": "error",
        # The default halts a partition for 1 s whenever the small queue below is full: 112 instead of 449 MiB/s.
        "fetch.queue.backoff.ms": 5,
        # 4 chunks a request, 16 in all queues: keeps a worker near 200 MB at full speed. Both are for a partition.
        "fetch.message.max.bytes": max(4 * 1024 * 1024 // partitions, 1024 * 1024),
        "queued.max.messages.kbytes": max(16 * 1024 // partitions, 1024),
    }


def status_consumer(settings: KafkaSettings) -> Config:
    """The sender's consumer of its own status partition, at an offset from its journal."""
    return {
        **_consumer(settings),
        # The journal's offset may be older than retention or than the topic. What was lost is asked for again by
        # `end`, so going on with the oldest is right; with `error` the partition would fall silent.
        "auto.offset.reset": "earliest",
        # At 12 KB/s an answer takes 11 s, far below the socket time-out of 60 s; 1 MB (the default) would not fit.
        "fetch.message.max.bytes": 128 * 1024,
        "queued.max.messages.kbytes": 1024,
        "fetch.queue.backoff.ms": 100,  # the queue above is small: not a second of waiting each time it is full
    }


def group_committer(settings: KafkaSettings, group: str) -> Config:
    """The client that commits the offsets of a group without joining it, so that others see how far a job has come."""
    return {**_common(settings), "group.id": group, "enable.auto.commit": False}


def admin(settings: KafkaSettings) -> Config:
    """The client that describes and creates topics."""
    return _common(settings)


def _producer(settings: KafkaSettings) -> Config:
    return {
        **_common(settings),
        # No duplicates and no gaps within a partition, however often the connection breaks; needs WRITE only.
        "enable.idempotence": True,
        "acks": "all",
        "max.in.flight.requests.per.connection": 5,  # the most that idempotence allows: long lines stay full
        # Off: how long to try is decided above, where the journal and the outbox are. Given up here, a message
        # would only be queued again behind later ones.
        "message.timeout.ms": 0,
        "linger.ms": 5,  # small messages share a batch; 5 ms go unnoticed
        # Default of producers is true: a mistyped topic would come into being with one partition.
        "allow.auto.create.topics": False,
    }


def _consumer(settings: KafkaSettings) -> Config:
    return {
        **_common(settings),
        "group.id": GROUP_ID,
        "enable.auto.commit": False,  # offsets live in the ledger or the journal
        "isolation.level": "read_committed",  # of producers with transactions: never what was aborted
        "check.crcs": True,
        "enable.partition.eof": True,  # markers and compaction leave gaps: the last message is no sign of the end
    }


def _common(settings: KafkaSettings) -> Config:
    preflight(settings)
    return {
        "bootstrap.servers": ",".join(settings.servers),
        "client.id": settings.client_id,
        **_security(settings.security),
        "socket.keepalive.enable": True,  # the system notices a dead peer even while we only wait
        "reconnect.backoff.ms": 250,
        "reconnect.backoff.max.ms": 5000,  # default 10 s: a laptop that is back online should not wait so long
        "log_level": _SYSLOG_WARNING,
    }


def _security(security: Security) -> Config:
    config: Config = {"security.protocol": security.protocol.value}
    if security.protocol.tls:
        config |= _tls(security)
    if security.protocol.sasl:
        config["sasl.mechanism"] = security.mechanism.value
        if security.mechanism is SaslMechanism.OAUTHBEARER:
            config |= _oauth(security)
        elif security.mechanism is SaslMechanism.GSSAPI:
            config |= _kerberos(security)
        else:
            config |= _given({"sasl.username": security.username, "sasl.password": security.password})
    return config


def _tls(security: Security) -> Config:
    # Nothing about trust given: the system's store. The broker's certificate and name are always checked.
    return _given(
        {
            "ssl.ca.location": security.ca_location,
            "ssl.ca.pem": security.ca_pem,
            "ssl.certificate.location": security.certificate_location,
            "ssl.certificate.pem": security.certificate_pem,
            "ssl.key.location": security.key_location,
            "ssl.key.pem": security.key_pem,
            "ssl.key.password": security.key_password,
        }
    )


def _oauth(security: Security) -> Config:
    return _given(
        {
            "sasl.oauthbearer.method": "oidc",  # librdkafka fetches and renews the token by itself
            "sasl.oauthbearer.token.endpoint.url": security.oauth_token_url,
            "sasl.oauthbearer.client.id": security.oauth_client_id,
            "sasl.oauthbearer.client.secret": security.oauth_client_secret,
            "sasl.oauthbearer.scope": security.oauth_scope,
        }
    )


def _kerberos(security: Security) -> Config:
    config = _given(
        {
            "sasl.kerberos.service.name": security.kerberos_service_name,
            "sasl.kerberos.principal": security.kerberos_principal,
            "sasl.kerberos.keytab": security.kerberos_keytab,
        }
    )
    if not security.kerberos_keytab and sys.platform != "win32":
        config["sasl.kerberos.min.time.before.relogin"] = 0  # no kinit: the ticket that is there serves
    return config


def _given(options: dict[str, str | Secret | None]) -> Config:
    """The options that were set, secrets opened."""
    return {name: value.reveal() if isinstance(value, Secret) else value for name, value in options.items() if value}
