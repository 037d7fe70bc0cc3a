# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A files job as the service runs it: a real ledger and folder, a cluster that says what the test says."""

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fieldpost_receiver.jobs.files.ownership_tags import bind_topic, ledger_id
from fieldpost_receiver.jobs.files.running_job import FilesTopic, RunningFilesJob
from fieldpost_receiver.jobs.job import BatchFailure, JobServices
from fieldpost_receiver.kafka.cluster_offsets import Topic
from fieldpost_receiver.kafka.cluster_watch import ClusterWatch
from fieldpost_receiver.kafka.clusters import Cluster
from fieldpost_receiver.kafka.group_offsets import GroupOffsets
from fieldpost_receiver.kafka.status_producer import StatusProducer
from fieldpost_receiver.spark.run_batch import BatchFailed, Task
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.folder.staging_area import StagingArea
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import Event, Notice, Received, ReceiverState, decode_status
from support.receiver.rig import CHUNK, Rig, Sent, noise, rig_at
from support.waiting import wait_until

IN_TIME_S = 20.0
MIB = 1024**2
AMPLE = 1_000 * MIB  # the rig keeps 1 MiB free
QUIET_S = 5.0
BUSY_S = 0.25
FULL = BatchFailure.of(StorageError("write", errno.ENOSPC))
SMALL = Sent(1, "a.bin", noise(2 * CHUNK))


@dataclass
class Watch:
    """The topic of the rig; as if the brokers were silent for so many seconds."""

    rig: Rig
    silent_s: float = 0.0
    why: FieldpostError | None = None
    topic_id: str = "topic-1"
    removed: list[str] = field(default_factory=list)

    def marks(self, _topic: str) -> Mapping[int, int]:
        return self.rig.topic.ends()

    def firsts(self, _topic: str) -> Mapping[int, int]:
        return dict.fromkeys(self.rig.topic.ends(), 0)

    def ends(self, _topic: str) -> Mapping[int, int]:
        return self.rig.topic.ends()

    def silence(self, _topic: str) -> tuple[float, FieldpostError | None]:
        return self.silent_s, self.why

    def describe(self, _topic: str) -> Topic:
        return Topic(self.topic_id, (0, 1))

    def remove(self, topic: str) -> None:
        self.removed.append(topic)


class Producer:
    """Takes messages and acknowledges them at the next poll, unless the broker is away."""

    def __init__(self) -> None:
        self.is_away = False
        self.said: list[Event] = []
        self._reports: list[Callable[[None, None], None]] = []

    def list_topics(self, topic: str, timeout: float) -> object:
        assert timeout
        return SimpleNamespace(topics={topic: SimpleNamespace(partitions=[0, 1])})

    def produce(self, _topic: str, value: bytes, key: bytes | None, partition: int, on_delivery: Any) -> None:  # noqa: ANN401 - the library's
        assert partition in ({0, 1} if key is None else {-1})
        self.said.append(decode_status(key, value).event)
        self._reports.append(on_delivery)

    def poll(self, _seconds: float) -> None:
        if not self.is_away:
            reports, self._reports = self._reports, []
            for report in reports:
                report(None, None)

    def flush(self, seconds: float) -> None:
        self.poll(seconds)

    def notices(self) -> list[ReceiverState]:
        return [event.state for event in self.said if isinstance(event, Notice)]


@dataclass
class Producers:
    """A cluster's producer, which is never replaced here."""

    one: Producer = field(default_factory=Producer)

    def current(self) -> Producer:
        return self.one

    def log_errors(self) -> None:
        pass

    def delivered(self) -> None:
        pass


@dataclass
class Groups:
    """Notes how far a job says it has read."""

    put_last: dict[str, object] = field(default_factory=dict)

    def put(self, job: str, **told: object) -> None:
        self.put_last = {"job": job, **told}


class Here:
    """Runs tasks in this process."""

    slots = 2

    def run_tasks(self, task: Task, shares: Sequence[object], *, job: str) -> list[bytes]:
        assert job == "files"
        return [piece for share in shares for piece in task([share])]


class World:
    """A running job and what surrounds it; `free` is the free space of its destination."""

    def __init__(self, rig: Rig, patch: pytest.MonkeyPatch) -> None:
        self.rig = rig
        self.free = AMPLE
        patch.setattr(StagingArea, "free_bytes", lambda _area: self.free)
        bind_topic(rig.job.store, "topic-1")
        self.watch, self.producers, self.groups = Watch(rig), Producers(), Groups()
        self.now = 0.0
        self.open()

    def open(self, *, once: bool = False) -> None:
        watch = cast("ClusterWatch", self.watch)
        cluster = Cluster(watch, cast("StatusProducer", self.producers), cast("GroupOffsets", self.groups))
        services = JobServices(
            cluster=cluster,
            metrics=self.rig.job.metrics,
            clock=self.rig.clock,
            crash=self.rig.crash,
            wake=lambda: None,
            once=once,
        )
        topic = FilesTopic(watch, self.rig.config.kafka.files_topic)
        self.job = RunningFilesJob(self.rig.job, topic, services)

    @property
    def producer(self) -> Producer:
        return self.producers.one

    def step(self, later_s: float = 2.0) -> float:
        """A round some time after the last one; what it says about the next."""
        self.now += later_s
        self.rig.clock.advance(later_s)
        return self.job.step(self.now)

    def read(self) -> None:
        """Batches, as the scheduler gives them."""
        while self.job.due():
            self.job.run_batch(Here(), stopping=lambda: False)

    def settle(self) -> None:
        """Rounds until one finds nothing to do."""
        wait_until(lambda: self.step() == QUIET_S, IN_TIME_S, "a quiet round")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        yield World(rig, monkeypatch)


def judged(world: World, failure: BatchFailure) -> FieldpostError:
    with pytest.raises(FieldpostError) as caught:
        world.job.judge(failure)
    return caught.value


def in_a_task(code: Code, number: int, detail: str) -> BatchFailure:
    """A failure as its text comes out of Spark."""
    return BatchFailure.of(BatchFailed(f"aborted: [fieldpost-failure code={code} errno={number} detail={detail}]"))


# failed batches


@pytest.mark.parametrize("failure", [FULL, in_a_task(Code.RECEIVER_FULL, errno.ENOSPC, "write: ENOSPC")])
def test_a_full_disk_pauses_reading_until_there_is_ample_space(world: World, failure: BatchFailure) -> None:
    world.free = MIB - 1
    world.step()
    assert (world.job.waits, world.job.due()) == (False, True), "it is low, and only new files wait"
    world.job.judge(failure)
    world.step()
    assert (world.job.waits, world.job.due()) == (True, False)
    assert world.job.reasons == ["Storage is full; nothing is read until there is room."]
    world.free = AMPLE
    world.step()
    assert (world.job.waits, world.job.due()) == (False, True)
    assert world.job.reasons == []


@pytest.mark.parametrize(
    "failure",
    [
        BatchFailure.of(StorageError("write", errno.EDQUOT)),
        BatchFailure.of(StorageError("write", errno.EIO)),
        in_a_task(Code.RECEIVER_FULL, errno.EDQUOT, "write: EDQUOT"),
        in_a_task(Code.STORAGE_FAILED, errno.EIO, "write: EIO"),
    ],
)
def test_a_quota_or_a_broken_disk_ends_the_job(world: World, failure: BatchFailure) -> None:
    error = judged(world, failure)
    assert error.code is Code.STORAGE_FAILED
    assert "a task could not write: write: E" in error.detail


@pytest.mark.parametrize(
    "failure",
    [BatchFailure.of(FieldpostError(Code.LEDGER_DAMAGED, "x")), in_a_task(Code.LEDGER_DAMAGED, 0, "x")],
)
def test_a_damaged_ledger_ends_the_job(world: World, failure: BatchFailure) -> None:
    assert judged(world, failure).code is Code.LEDGER_DAMAGED


@pytest.mark.parametrize(
    "failure",
    [BatchFailure("cancelled"), in_a_task(Code.NO_CONNECTION, 0, "away"), in_a_task(Code.SIGN_IN_REFUSED, 0, "no")],
)
def test_any_other_failure_is_tried_again_and_leaves_nothing_behind(world: World, failure: BatchFailure) -> None:
    before = set(world.rig.config.receiver.state_dir.iterdir())
    world.job.judge(failure)
    assert set(world.rig.config.receiver.state_dir.iterdir()) == before
    world.step()
    assert world.job.due()


def test_a_failure_that_hides_a_broken_state_disk_ends_the_job(world: World) -> None:
    (world.rig.config.receiver.state_dir / "trial").mkdir()  # in the way of the file that is tried
    with pytest.raises(StorageError, match="write in the state folder"):
        world.job.judge(BatchFailure("a text of Java in some language"))


# when a batch is due


def test_a_batch_is_due_when_there_is_something_to_read(world: World) -> None:
    assert world.job.due(), "what the last run left is cleared up first"
    world.read()
    assert not world.job.due()
    world.rig.topic.send(SMALL.chunk(0))
    assert world.job.due()


@pytest.mark.parametrize("free", [0, MIB // 4 - 1])
def test_no_batch_is_due_while_there_is_no_room(world: World, free: int) -> None:
    world.free = free
    world.step()
    assert world.job.waits
    assert not world.job.due()
    world.free = AMPLE
    world.step()
    assert world.job.due()


def test_too_little_room_is_known_before_the_first_round(world: World) -> None:
    world.free = 0
    world.open()
    assert world.job.waits
    assert not world.job.due()


def test_batches_go_on_while_only_new_files_wait_for_room(world: World) -> None:
    world.free = MIB - 1
    world.step()
    assert world.job.due()
    assert world.job.reasons == ["Storage is nearly full; new files wait."]


def test_no_batch_is_due_while_the_job_is_being_stopped(world: World) -> None:
    world.job.stop_reading()
    assert not world.job.due()
    world.job.finish()
    assert set(world.producer.notices()) == {ReceiverState.STOPPING}
    assert not world.rig.job.reading.paused(), "the next start finds no pause that nobody ends"


def test_a_run_with_once_does_not_wait_for_room(world: World) -> None:
    world.free = 0
    world.open(once=True)
    world.step()
    assert not world.job.waits
    assert not world.job.due()


# rounds


def test_a_quiet_job_has_long_rounds(world: World) -> None:
    world.read()
    assert world.step() == QUIET_S
    assert world.step() == QUIET_S


def test_a_quiet_round_ends_when_the_next_notice_is_due(world: World) -> None:
    world.read()
    world.step()
    assert world.step(58.0) == pytest.approx(2.0)


def test_a_job_has_short_rounds_while_a_transfer_is_open(world: World) -> None:
    world.rig.topic.send(SMALL.chunk(0))
    world.read()
    assert [world.step(), world.step()] == [BUSY_S, BUSY_S]
    world.rig.topic.send(SMALL.chunk(1), SMALL.end())
    world.read()
    world.settle()
    assert world.rig.tree() == {"van-7/a.bin": SMALL.content}
    assert any(isinstance(event, Received) for event in world.producer.said)


def test_a_batch_ends_the_quiet_at_once(world: World) -> None:
    world.read()
    assert world.step() == QUIET_S
    world.rig.topic.send(SMALL.chunk(0))
    world.read()
    assert world.step(0.01) == BUSY_S


def test_rounds_are_short_while_an_answer_waits_for_the_broker(world: World) -> None:
    world.read()
    world.producer.is_away = True
    world.rig.topic.send(SMALL.chunks(), SMALL.end())
    world.read()
    wait_until(lambda: (world.step(), world.rig.job.quiet)[1], IN_TIME_S, "the file to be published")
    assert [world.step(), world.step()] == [BUSY_S, BUSY_S]
    world.producer.is_away = False
    world.settle()


def test_rounds_are_short_while_there_is_no_room(world: World) -> None:
    world.read()
    world.free = 0
    assert [world.step(), world.step()] == [BUSY_S, BUSY_S]


def test_how_far_a_job_has_read_is_told_to_its_group(world: World) -> None:
    world.rig.topic.send(SMALL.chunks(), SMALL.end())
    world.read()
    world.step()
    assert world.groups.put_last == {
        "job": "files",
        "topic": world.rig.config.kafka.files_topic,
        "owner": ledger_id(world.rig.job.store),
        "processed": world.rig.topic.ends(),
    }


# what others are told


def test_senders_are_told_of_a_change_at_once_and_of_none_every_minute(world: World) -> None:
    world.step()
    assert world.producer.notices() == [ReceiverState.OK] * 2, "one for each partition"
    world.free = 0
    world.step()
    world.step()
    assert world.producer.notices()[2:] == [ReceiverState.PAUSED] * 2
    world.step(60.0)
    assert world.producer.notices()[4:] == [ReceiverState.PAUSED] * 2


@pytest.mark.parametrize(("seconds", "told"), [(0.0, False), (59.9, False), (60.0, True), (3600.0, True)])
def test_brokers_that_are_silent_for_a_minute_are_a_reason(world: World, seconds: float, told: bool) -> None:
    world.watch.silent_s, world.watch.why = seconds, FieldpostError(Code.NO_CONNECTION, "no answer")
    reason = f"the brokers have told nothing for {seconds:.0f} s: no_connection: no answer"
    assert world.job.reasons == ([reason] if told else [])


def test_all_reasons_are_told_together(world: World) -> None:
    world.free = 0
    world.step()
    world.watch.silent_s, world.watch.why = 61.0, FieldpostError(Code.NO_CONNECTION, "no answer")
    assert [reason.split(";")[0].split(" for ")[0] for reason in world.job.reasons] == [
        "Storage is full",
        "the brokers have told nothing",
    ]


def test_a_topic_that_was_made_anew_ends_the_job(world: World) -> None:
    world.step()
    world.watch.topic_id = "topic-2"
    with pytest.raises(FieldpostError) as caught:
        world.step(60.0)
    assert caught.value.code is Code.LEDGER_FOREIGN


def test_a_topic_is_not_judged_while_its_brokers_are_silent(world: World) -> None:
    world.watch.topic_id = "topic-2"
    world.watch.silent_s, world.watch.why = 61.0, FieldpostError(Code.NO_CONNECTION, "no answer")
    world.step()


# the end


def test_a_run_with_once_is_finished_when_all_is_published_and_confirmed(world: World) -> None:
    world.rig.topic.send(SMALL.chunks(), SMALL.end())
    world.open(once=True)
    assert not world.job.finished
    world.read()
    assert not world.job.finished, "it is read, but not published"
    wait_until(lambda: (world.step(), world.job.finished)[1], IN_TIME_S, "the end")
    assert any(isinstance(event, Received) for event in world.producer.said)
    assert world.rig.tree() == {"van-7/a.bin": SMALL.content}


def test_the_last_replies_are_sent_before_the_end(world: World) -> None:
    world.rig.topic.send(SMALL.chunks(), SMALL.end())
    world.read()
    world.rig.publish()
    world.job.stop_reading()
    world.job.finish()
    assert any(isinstance(event, Received) for event in world.producer.said)
    assert not world.rig.job.outbox.waiting()


def test_a_closed_job_is_not_watched_any_more(world: World) -> None:
    world.job.close()
    world.rig._is_open = False
    assert world.watch.removed == [world.rig.config.kafka.files_topic]


def test_the_line_for_people_can_be_asked_for_when_the_ledger_is_closed(world: World) -> None:
    world.read()
    world.step()
    world.rig.close()
    assert world.job.summary.strip() == "0 under way, 0 published."
