# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Topics that go, or come back as others, while the receiver runs; and a task that is told why nothing comes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import KafkaError

from fieldpost_receiver.jobs.files.ingest import partition_reader
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ownership_tags import bind_topic
from fieldpost_receiver.jobs.files.topic_guard import TopicGuard
from fieldpost_receiver.kafka.cluster_offsets import Topic
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings

KAFKA = KafkaSettings.parse({"bootstrap_servers": "127.0.0.1:1", "files_topic": "files", "status_topic": "status"})


class Topics:
    """What the broker would say."""

    def __init__(self) -> None:
        self.ids: dict[str, str] = {"files": "one", "status": "two"}
        self.answers = True

    def describe(self, topic: str) -> Topic | FieldpostError:
        if not self.answers:
            return FieldpostError(Code.NO_CONNECTION, "no answer")
        return Topic(self.ids[topic], (0, 1)) if topic in self.ids else FieldpostError(Code.NO_TOPIC, topic)


@pytest.fixture
def topics() -> Topics:
    return Topics()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def guard(topics: Topics, clock: FakeClock, tmp_path: Path) -> Iterator[TopicGuard]:
    store = LedgerStore.open(tmp_path / "ledger.db")
    bind_topic(store, "one")
    yield TopicGuard(topics, KAFKA, store=store, clock=clock)
    store.close()


def test_a_files_topic_created_again_is_noticed_at_the_next_check(guard: TopicGuard, topics: Topics) -> None:
    guard.check()
    topics.ids["files"] = "three"
    with pytest.raises(FieldpostError) as caught:
        guard.check()
    assert caught.value.code is Code.LEDGER_FOREIGN


def test_a_status_topic_created_again_is_as_good_as_the_old_one(guard: TopicGuard, topics: Topics) -> None:
    topics.ids["status"] = "three"
    guard.check()


@pytest.mark.parametrize("gone", ["files", "status"])
def test_a_missing_topic_is_named_unless_it_comes_back_in_time(
    guard: TopicGuard, topics: Topics, clock: FakeClock, gone: str
) -> None:
    known = topics.ids.pop(gone)
    guard.check()
    clock.advance(14)
    topics.ids[gone] = known
    guard.check()
    del topics.ids[gone]
    clock.advance(14)
    guard.check()
    clock.advance(15)
    with pytest.raises(FieldpostError, match=f"{gone} is not there any more") as caught:
        guard.check()
    assert caught.value.code is Code.NO_TOPIC


def test_a_broker_that_does_not_answer_says_nothing_about_its_topics(
    guard: TopicGuard, topics: Topics, clock: FakeClock
) -> None:
    topics.answers = False
    for _ in range(10):
        guard.check()
        clock.advance(60)


@pytest.mark.parametrize(
    ("error", "at_once", "soon"),
    [
        (KafkaError._AUTHENTICATION, True, True),
        (KafkaError._SSL, False, True),
        (KafkaError._TRANSPORT, False, False),
    ],
)
def test_a_task_gives_up_early_where_waiting_does_not_help(error: int, at_once: bool, soon: bool) -> None:
    for silence, expected in ((0.1, at_once), (5.0, soon)):
        try:
            partition_reader._give_up_early([KafkaError(error)], silence)
        except FieldpostError:
            assert expected
        else:
            assert not expected
