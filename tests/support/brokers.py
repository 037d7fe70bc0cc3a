# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Fixtures that give a test a real Kafka: a shared one with topics of its own, or a broker of its own.

broker, secure_broker   one node for the whole run, started when the first test asks for it
topics, secure_topics   a fresh pair of topics on it; 4 partitions, or as many as
                        `@pytest.mark.parametrize("topics", [8], indirect=True)` says
own_broker              a function that starts a broker for this test alone: `own_broker(nodes=3)`
module_broker           the same for all tests of a module
rough_broker            a secure one for the whole run that fault tests may kill and freeze; they leave it running.
                        Its DOORS are listeners behind proxies, which faults/toxiproxy.py starts
rough_topics            a fresh pair of topics on it

A test that uses one of them carries the marker `broker` by itself.
"""

import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import pytest

from devkafka.cluster import Cluster
from devkafka.roles import Role

PARTITIONS: Final = 4
DOORS: Final = ("OFFICE", "VAN", "VAN2", "VAN3", "VAN4")
_FIXTURES: Final = frozenset({"broker", "secure_broker", "own_broker", "module_broker", "rough_broker"})


@dataclass(frozen=True, slots=True)
class Topics:
    """A pair of topics that belongs to one test."""

    cluster: Cluster
    files: str
    status: str
    partitions: int

    @property
    def bootstrap_servers(self) -> str:
        return self.cluster.bootstrap_servers

    def grant(self, role: Role) -> None:
        """This end's least rights."""
        self.cluster.grant(role, role, files=self.files, status=self.status)


class StartBroker(Protocol):
    """What `own_broker` and `module_broker` are: starts a cluster that ends with the test or module."""

    def __call__(
        self, *, nodes: int = 1, secure: bool = False, settings: Mapping[str, str] | None = None
    ) -> Cluster: ...


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and _FIXTURES.intersection(item.fixturenames):
            item.add_marker(pytest.mark.broker)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with _running(tmp_path_factory.mktemp("broker")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def secure_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with _running(tmp_path_factory.mktemp("secure-broker"), secure=True) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def rough_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with _running(tmp_path_factory.mktemp("rough-broker"), secure=True, doors=DOORS) as cluster:
        yield cluster


@pytest.fixture
def topics(request: pytest.FixtureRequest, broker: Cluster) -> Iterator[Topics]:
    with _fresh_topics(broker, request) as pair:
        yield pair


@pytest.fixture
def secure_topics(request: pytest.FixtureRequest, secure_broker: Cluster) -> Iterator[Topics]:
    """The users `uploader` and `receiver` have their rights on these two, `stranger` has none."""
    with _fresh_topics(secure_broker, request) as pair, granted(pair):
        yield pair


@pytest.fixture
def rough_topics(request: pytest.FixtureRequest, rough_broker: Cluster) -> Iterator[Topics]:
    """With the same rights."""
    with _fresh_topics(rough_broker, request) as pair, granted(pair):
        yield pair


@pytest.fixture
def own_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartBroker]:
    with ExitStack() as stack:
        yield _starter(stack, tmp_path_factory)


@pytest.fixture(scope="module")
def module_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartBroker]:
    with ExitStack() as stack:
        yield _starter(stack, tmp_path_factory)


def _starter(stack: ExitStack, folders: pytest.TempPathFactory) -> StartBroker:
    def start(*, nodes: int = 1, secure: bool = False, settings: Mapping[str, str] | None = None) -> Cluster:
        folder = folders.mktemp("own-broker")
        return stack.enter_context(_running(folder, nodes=nodes, secure=secure, settings=settings))

    return start


@contextmanager
def _running(
    folder: Path,
    *,
    nodes: int = 1,
    secure: bool = False,
    settings: Mapping[str, str] | None = None,
    doors: Sequence[str] = (),
) -> Iterator[Cluster]:
    """A cluster whose data goes away with it: pytest keeps its folders, and the data is large."""
    with Cluster(folder, nodes=nodes, secure=secure, settings=settings, doors=doors) as cluster:
        yield cluster
    for data in folder.glob("node-*/data"):
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def _fresh_topics(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Topics]:
    partitions: int = getattr(request, "param", PARTITIONS)
    mark = uuid.uuid4().hex[:8]
    pair = Topics(cluster, f"files-{mark}", f"status-{mark}", partitions)
    cluster.create_topic(pair.files, partitions)
    cluster.create_topic(pair.status, partitions)
    yield pair
    cluster.delete_topic(pair.files, pair.status)


def lasting_topics(cluster: Cluster, partitions: int = PARTITIONS) -> Topics:
    """A pair with each end's least rights on it, for a broker that ends with the test."""
    pair = Topics(cluster, "files", "status", partitions)
    for topic in (pair.files, pair.status):
        cluster.create_topic(topic, partitions)
    for role in Role:
        pair.grant(role)
    return pair


@contextmanager
def granted(pair: Topics) -> Iterator[None]:
    """Each end's least rights on these two."""
    for role in Role:
        pair.grant(role)
    yield
    for role in Role:
        pair.cluster.revoke(role)
