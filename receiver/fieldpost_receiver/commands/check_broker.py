# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Check the brokers: connection, settings of both topics, permissions on them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # re-exported without saying so

from fieldpost_receiver.commands.findings import Finding, Outcome, failed, passed, warning
from fieldpost_receiver.commands.job_choice import suffix_of
from fieldpost_receiver.commands.output import failure_text
from fieldpost_receiver.config.settings import JobConfig, ReceiverConfig
from fieldpost_receiver.kafka.acls import READS_FILES, RECEIVER, WRITES_STATUS, grant_command, operation_name
from fieldpost_receiver.kafka.broker import Broker, TopicFacts
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, TEMPORARY, exit_of
from fieldpost_shared.chunks import KIB, chunk_size_for
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.quantities import duration_text

_ENOUGH: Final = 3  # brokers: with so many, a single copy is a risk by choice
_OVERHEAD: Final = 2 * KIB  # key, headers with the longest path, and the batch around them
_DAY_MS: Final = 86_400_000
_FOR_EVER: Final = -1


def check_brokers(config: ReceiverConfig, clock: Clock) -> Iterator[Finding]:
    """Check the brokers and topics of each job."""
    for job in config.jobs:
        suffix = suffix_of(config, job)
        for finding in check_broker(job, clock):
            yield finding.about(suffix)
    yield from _shared_names(config)


def _shared_names(config: ReceiverConfig) -> Iterator[Finding]:
    """Tell jobs that answer under one name in one status topic: their notices are about different topics."""
    for number, job in enumerate(config.jobs):
        for other in config.jobs[:number]:
            same_name = job.receiver.name == other.receiver.name
            same_topic = (job.kafka.servers, job.kafka.status_topic) == (other.kafka.servers, other.kafka.status_topic)
            if same_name and same_topic:
                words = f"jobs {other.name} and {job.name} both answer as {job.receiver.name} in one status topic"
                yield warning("names", words, "Give each job a name, or a status_topic of its own.")


def check_broker(job: JobConfig, clock: Clock) -> Iterator[Finding]:
    """Connect, then check both topics; skip them without a connection."""
    kafka = job.kafka
    try:
        broker = Broker(kafka, clock)
        count = broker.brokers()
    except FieldpostError as error:
        yield _failure("broker", error, kafka)
        for topic in ("files topic", "status topic"):
            yield Finding(topic, Outcome.SKIPPED, "not looked at")
        return
    yield passed("broker", f"{kafka.bootstrap_servers} answers; {count} broker{'s'[: count != 1]}")
    yield from _topic(_Required("files topic", kafka.files_topic, READS_FILES), broker, kafka, count)
    yield from _topic(_Required("status topic", kafka.status_topic, WRITES_STATUS), broker, kafka, count)


@dataclass(frozen=True, slots=True)
class _Required:
    """A topic and the operations that the receiver needs on it."""

    check: str
    name: str
    operations: tuple[AclOperation, ...]


def _topic(required: _Required, broker: Broker, kafka: KafkaSettings, brokers: int) -> Iterator[Finding]:
    check, name, operations = required.check, required.name, required.operations
    grant = grant_command(kafka, kafka.security.username or RECEIVER, name, operations)
    try:
        facts = broker.topic(name)
        if facts is None:
            yield failed(check, f"{name} is not there", "Run: fieldpost-receiver topics create", CONFIGURATION)
            return
        settings = broker.settings_of(name)
    except FieldpostError as error:
        if error.code is Code.MAY_NOT_SEND:
            yield failed(check, f"{name}: no right to describe it", grant, CONFIGURATION)
        else:
            yield _failure(check, error, kafka)
        return
    yield passed(check, _shape(facts, settings))
    if missing := facts.lacks(*operations):
        named = ", ".join(operation_name(operation) for operation in missing)
        yield failed(check, f"{name}: no right to {named}", grant, CONFIGURATION)
    yield from _copies(check, facts, settings or {}, brokers)
    yield from _keeping(check, name, settings or {})


def _shape(facts: TopicFacts, settings: dict[str, str] | None) -> str:
    detail = f"{facts.name}: {facts.partitions} partitions, {facts.replicas} cop{'ies' if facts.replicas != 1 else 'y'}"
    if settings is None:
        return f"{detail}; its settings may not be read"
    kept = int(settings.get("retention.ms", _FOR_EVER))
    return (
        f"{detail} ({settings.get('min.insync.replicas', '?')} in sync at least), messages up to"
        f" {settings.get('max.message.bytes', '?')} bytes, kept"
        f" {'for ever' if kept == _FOR_EVER else duration_text(kept / 1000)}"
    )


def _copies(check: str, facts: TopicFacts, settings: dict[str, str], brokers: int) -> Iterator[Finding]:
    in_sync = int(settings.get("min.insync.replicas", 1))
    if facts.leaderless:
        detail = f"{facts.name}: {facts.leaderless} partitions have no leader now"
        yield failed(check, detail, "Start the brokers that are down.", TEMPORARY)
    if in_sync > facts.replicas:
        detail = f"{facts.name}: wants {in_sync} copies in sync and has {facts.replicas}: nothing can be sent"
        yield failed(check, detail, f"Set min.insync.replicas to {facts.replicas}.", CONFIGURATION)
    elif facts.replicas == 1 and brokers >= _ENOUGH:
        detail = f"{facts.name}: one copy only; it is lost with its broker"
        yield warning(check, detail, "Give it 3 copies and min.insync.replicas=2.")
    elif facts.replicas >= _ENOUGH and settings and in_sync < _ENOUGH - 1:
        detail = f"{facts.name}: one copy in sync is enough to confirm; it can be lost"
        yield warning(check, detail, "Set min.insync.replicas=2.")


def _keeping(check: str, name: str, settings: dict[str, str]) -> Iterator[Finding]:
    if "compact" in settings.get("cleanup.policy", ""):
        detail = f"{name}: is compacted, which drops messages that are needed"
        yield failed(check, detail, "Set cleanup.policy=delete.", CONFIGURATION)
    if 0 <= int(settings.get("retention.ms", _FOR_EVER)) < _DAY_MS:
        detail = f"{name}: keeps messages less than a day; a pause of the receiver would lose some"
        yield warning(check, detail, "Set retention.ms to some days.")
    limit = settings.get("max.message.bytes", "")
    if check == "files topic" and limit.isdecimal():
        try:
            chunk_size_for(int(limit), _OVERHEAD, None)
        except FieldpostError as error:
            yield failed(check, f"{name}: {error.detail}", "Set max.message.bytes=1048588.", CONFIGURATION)


def _failure(check: str, error: FieldpostError, kafka: KafkaSettings) -> Finding:
    exit_code = exit_of(error)
    settings = exit_code == CONFIGURATION
    advice = "Check the settings in [kafka]." if settings else "Check kafka.bootstrap_servers and the network."
    return failed(check, failure_text(error, kafka.bootstrap_servers), advice, exit_code)
