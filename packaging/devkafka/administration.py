# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What can be asked of a running cluster through its plaintext listener: topics, settings, rights, quotas."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from confluent_kafka import TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # re-exported without saying so
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    PartitionMetadata,
    ResourcePatternType,
    ResourceType,
)

from devkafka.errors import DevKafkaError
from devkafka.java import java_command
from devkafka.polling import poll_until
from devkafka.roles import RIGHTS, Role

ANSWER_S: Final = 20.0
_QUOTA_S: Final = 60.0  # a JVM that starts, asks and ends: 4 s
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Administration(ABC):
    """Each call returns when its effect can be seen, and opens its own client: an old one may cling to a dead node."""

    @property
    @abstractmethod
    def bootstrap_servers(self) -> str:
        """Addresses of the plaintext listeners."""

    @abstractmethod
    def libs(self) -> Path:
        """The folder with the broker's jars."""

    def admin(self) -> AdminClient:
        """A new client with all rights."""
        return AdminClient({"bootstrap.servers": self.bootstrap_servers, "log_level": 0})

    def create_topic(self, name: str, partitions: int = 1, config: Mapping[str, str] = _NOTHING) -> None:
        """With as many copies as the cluster has nodes."""
        admin = self.admin()
        _results(admin.create_topics([NewTopic(name, num_partitions=partitions, config=dict(config))]))
        self._wait_for_leaders(admin, name, partitions)

    def delete_topic(self, *names: str) -> None:
        admin = self.admin()  # a name keeps it alive: a client that is collected drops its answers
        _results(admin.delete_topics(list(names), operation_timeout=ANSWER_S))

    def grow(self, topic: str, partitions: int) -> None:
        """To so many partitions in all."""
        admin = self.admin()
        _results(admin.create_partitions([NewPartitions(topic, partitions)]))
        self._wait_for_leaders(admin, topic, partitions)

    def partitions(self, topic: str) -> dict[int, PartitionMetadata]:
        """Leader, copies and copies in sync of each partition, none if there is no such topic."""
        return _partitions(self.admin(), topic)

    def wait_in_sync(self, topic: str, seconds: float = 60.0) -> None:
        """Wait until every copy of every partition has caught up, for example after a restart."""
        admin = self.admin()

        def in_sync() -> bool:
            found = _partitions(admin, topic).values()
            return bool(found) and all(set(part.isrs) == set(part.replicas) for part in found)

        poll_until(in_sync, seconds, f"all copies of {topic} to be in sync")

    def alter_config(self, topic: str, config: Mapping[str, str]) -> None:
        """Change settings of a topic, for example {"max.message.bytes": "2000000"}."""
        admin = self.admin()
        entries = [
            ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET) for name, value in config.items()
        ]
        resource = ConfigResource(ResourceType.TOPIC, topic)
        _results(
            admin.incremental_alter_configs([ConfigResource(ResourceType.TOPIC, topic, incremental_configs=entries)])
        )

        def changed() -> bool:
            now = _results(admin.describe_configs([resource]))[0]
            return all(now[name].value == value for name, value in config.items())

        poll_until(changed, ANSWER_S, f"the new settings of {topic}")

    def delete_records(self, topic: str, partition: int, before: int) -> None:
        """Drop what lies before an offset, as retention does."""
        admin = self.admin()
        _results(admin.delete_records([TopicPartition(topic, partition, before)]))

    def grant(self, user: str, role: Role, *, files: str, status: str) -> None:
        """The least rights that an uploader or a receiver needs on its two topics."""
        rights = RIGHTS[role]
        self.allow(user, files, *rights.files)
        self.allow(user, status, *rights.status)

    def allow(self, user: str, topic: str, *operations: AclOperation) -> None:
        admin = self.admin()
        wanted = [
            AclBinding(
                ResourceType.TOPIC,
                topic,
                ResourcePatternType.LITERAL,
                f"User:{user}",
                "*",
                operation,
                AclPermissionType.ALLOW,
            )
            for operation in operations
        ]
        _results(admin.create_acls(wanted))
        poll_until(lambda: set(wanted) <= _rights_of(admin, user), ANSWER_S, f"the new rights of {user}")

    def revoke(self, user: str) -> None:
        """Take all rights from a user."""
        admin = self.admin()
        _results(admin.delete_acls([_all_rights(user)]))
        poll_until(lambda: not _rights_of(admin, user), ANSWER_S, f"{user} to lose all rights")

    def set_quota(self, client_id: str, producer_byte_rate: int | None) -> None:
        """Let producers of this client id send so many bytes a second; None: as many as they like. Takes seconds."""
        setting = "producer_byte_rate"
        change = ["--delete-config", setting]
        if producer_byte_rate is not None:
            change = ["--add-config", f"{setting}={producer_byte_rate}"]
        command = java_command(self.libs(), "-Xmx128m", "-Dlog4j2.level=OFF")
        command += ["kafka.admin.ConfigCommand", "--bootstrap-server", self.bootstrap_servers, "--alter", *change]
        command += ["--entity-type", "clients", "--entity-name", client_id]
        run = subprocess.run(command, capture_output=True, text=True, timeout=_QUOTA_S, check=False)
        if run.returncode != 0:
            raise DevKafkaError(f"The quota of {client_id} could not be set.\n{run.stdout}{run.stderr}")

    def _wait_for_leaders(self, admin: AdminClient, topic: str, partitions: int) -> None:
        def led() -> bool:
            found = _partitions(admin, topic)
            return len(found) == partitions and all(part.leader >= 0 for part in found.values())

        poll_until(led, ANSWER_S, f"leaders for the {partitions} partitions of {topic}")


def _results(futures: Mapping[Any, "Future[Any]"] | Sequence["Future[Any]"]) -> list[Any]:
    """Wait for all answers; raises KafkaException if one is a refusal."""
    waiting = futures.values() if isinstance(futures, Mapping) else futures
    return [future.result(ANSWER_S) for future in waiting]


def _partitions(admin: AdminClient, topic: str) -> dict[int, PartitionMetadata]:
    found: dict[int, PartitionMetadata] = admin.list_topics(topic, timeout=ANSWER_S).topics[topic].partitions
    return found


def _all_rights(user: str) -> AclBindingFilter:
    return AclBindingFilter(
        ResourceType.ANY,
        None,  # type: ignore[arg-type]  # any name; the stub of the filter is that of a binding
        ResourcePatternType.ANY,
        f"User:{user}",
        None,  # type: ignore[arg-type]  # any host
        AclOperation.ANY,
        AclPermissionType.ANY,
    )


def _rights_of(admin: AdminClient, user: str) -> set[AclBinding]:
    return set(admin.describe_acls(_all_rights(user)).result(ANSWER_S))
