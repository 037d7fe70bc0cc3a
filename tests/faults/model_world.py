# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Uploader, topic and receiver in one process, for the model: real journal, ledger and files; no time, Kafka or Spark.

Nothing happens by itself. Whoever drives it says who works, what is lost and who dies; the oracle may look at any time.
"""

import errno
import os
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final

import pytest

from faults.model_topic import SenderTopic, SharedTopic
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.receipts.apply import StatusBatch
from fieldpost_desktop.engine.sending import read_ahead
from fieldpost_receiver.jobs.files.ingest import task
from fieldpost_receiver.jobs.files.ingest.partition_reader import Range
from fieldpost_receiver.jobs.files.ingest.rows import Row, pack_rows, unpack_rows
from fieldpost_receiver.kafka import status_producer
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_receiver.storage.folder.staging_writer import FolderStagingWriter
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.ids import new_transfer_id
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status
from oracle import Evidence, Source, Surroundings, at_any_time, at_end, said_in
from oracle.evidence import file_digest
from oracle.violations import Violation
from support.engine import core
from support.receiver import rig as receiver_rig

PARTITIONS: Final = 3
PLENTY: Final = 10**12
LOW: Final = 800_000  # below the floor of 1 MiB: nothing new is taken in
CRITICAL: Final = 1_000  # nothing is read at all
_PAUSED: Final = frozenset({ReceiverState.PAUSED, ReceiverState.STOPPING})
_RESTING: Final = frozenset({FileState.CONFIRMED, FileState.CANCELLED})


class Died(BaseException):
    """Nobody may catch this: it stands for kill -9."""


class Bomb:
    """Dies at the k-th pass of a point from now on."""

    def __init__(self) -> None:
        self.point, self.left = "", 0

    def set(self, point: str, passes: int) -> None:
        self.point, self.left = point, passes

    def reach(self, point: str) -> None:
        if self.left and point == self.point:
            self.left -= 1
            if not self.left:
                raise Died


class World:
    """Both ends on a folder."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, policy: str = "keep-both") -> None:
        self.folder = folder
        self.topic = SharedTopic(PARTITIONS)
        self.free, self.writes_fail = PLENTY, False
        self.taken: list[tuple[str, str]] = []
        self.sources: dict[str, Source] = {}
        self.failed = False  # the last batch
        self.heard = 0  # of the status topic, by the uploader
        self.unheard: list[Status] = []  # said, and lost on the way
        self.deaths: list[str] = []
        self._number = 0
        entropy = Random(7)  # noqa: S311 - the same sequence must choose the same partitions again
        patch.setattr(read_ahead, "new_transfer_id", lambda now_ns: new_transfer_id(now_ns, entropy.randbytes))
        self.sender = self._make_sender(folder / "field")
        self.receiver = self._make_receiver(folder / "office", patch, policy)
        state = self.receiver.config.receiver.state_dir
        self.surroundings = Surroundings.look(folder / "office", self.receiver.destination, [state])

    def _make_sender(self, folder: Path) -> core.Rig:
        folder.mkdir()
        self.sender_bomb = Bomb()
        rig = core.Rig(folder, topic=SenderTopic(PARTITIONS, shared=self.topic), crash=self.sender_bomb)
        rig.config = replace(rig.config, chunk_size=2 * core.CHUNK)
        rig.reopen()
        return rig

    def _make_receiver(self, folder: Path, patch: pytest.MonkeyPatch, policy: str) -> receiver_rig.Rig:
        folder.mkdir()
        real = Disk.pwrite

        def pwrite(disk: Disk, file: int, data: memoryview, offset: int) -> int:
            if self.writes_fail:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(disk, file, data, offset)

        patch.setattr(Disk, "pwrite", pwrite)
        patch.setattr(Disk, "free_bytes", lambda _disk, _folder: self.free)
        patch.setattr(task, "Consumer", self.topic.consumer)
        patch.setattr(
            status_producer, "Producer", lambda _config, logger: receiver_rig.Producer(self._say) if logger else None
        )
        self.receiver_bomb = Bomb()
        rig = receiver_rig.Rig(folder, self.receiver_bomb, on_conflict=policy)
        rig.topic, rig.clock = self.topic, self.sender.clock
        rig.reopen()
        return rig

    def close(self) -> None:
        self.sender.close()
        self.receiver.close()

    # files

    def write(self, name: str, size: int) -> Path:
        """A source file with bytes of its own; or new bytes in an old one."""
        self._number += 1
        content = Random(self._number).randbytes(size)  # noqa: S311 - reproducible
        path = self.sender.file(name, content)
        mtime_ns = (1_700_000_000 + self._number) * NS_PER_S
        os.utime(path, ns=(mtime_ns, mtime_ns))
        self.sources.setdefault(name, Source(core.CLIENT, name)).had(content)
        return path

    def rows(self) -> list[FileRow]:
        return sorted(self.sender.core.files.history(most=10_000), key=lambda row: row.id)

    # the uploader

    def sender_works(self, what: Callable[[], object]) -> None:
        try:
            what()
        except Died:
            self.deaths.append(self.sender_bomb.point)
            self.sender_restarts()

    def sender_restarts(self) -> None:
        self.sender.reopen()
        self.heard = len(self.sender.status_topic)

    def send(self, steps: int, messages: int | None) -> None:
        """Some steps, in which the broker takes at most so many messages."""
        for link in self.sender.connector.links[-1:]:
            link.take = None if messages is None else len(self.sender.topic.records) + messages
        self.sender.steps(steps)

    def hear(self, most: int) -> None:
        """The uploader reads the next messages of the status topic."""
        upto = min(len(self.sender.status_topic), self.heard + most)
        unread, self.heard = self.sender.status_topic[self.heard : upto], upto
        self.sender.core.deliver(StatusBatch(0, upto, unread))
        self.sender.core.step()

    def lose_or_repeat_an_answer(self, pick: int, *, lose: bool) -> None:
        """One that the uploader has not read yet is never read, or an old one comes once more."""
        topic = self.sender.status_topic
        if lose and self.heard < len(topic):
            self.unheard.append(topic.pop(self.heard + pick % (len(topic) - self.heard)))
        elif topic and not lose:
            topic.append(topic[pick % len(topic)])

    # the receiver

    def receiver_works(self, what: Callable[[], object]) -> None:
        try:
            what()
        except Died:
            self.deaths.append(self.receiver_bomb.point)
            self.receiver.reopen()
        except StorageError as error:
            if not error.waits_for_space:
                raise
            self.receiver.space.ran_out()
            self.receiver.space.update()

    def batch(self, most: dict[int, int]) -> None:
        """A batch of at most so many messages of each partition, planned from the ledger, as after every failure."""
        rig = self.receiver
        rig.space.update()
        if rig.space.state in _PAUSED:
            return
        if self.failed:
            rig.job.sealing.sweep()
        self.failed = True
        rig.job.maintenance.begin_partitions(dict(enumerate(self.topic.low)))
        processed, skip = self.position, frozenset(rig.job.transfers.not_to_write(1_000))
        ends = {number: min(end, processed[number] + most.get(number, 0)) for number, end in self.topic.ends().items()}
        work = [Range(number, processed[number], end, skip) for number, end in ends.items() if end > processed[number]]
        if work:
            rig.job.take_batch(self._read(work))
        rig.job.sealing.seal()
        self.failed = False

    @property
    def position(self) -> dict[int, int]:
        """How far the receiver's ledger has read."""
        return self.receiver.job.reading.processed()

    def _read(self, work: list[Range]) -> list[Row]:
        config = self.receiver.config
        with FolderStagingWriter(config.receiver.destination) as staging:
            rows = list(task.run(config.kafka, work, staging, self.receiver.crash, self.receiver.clock))
        return unpack_rows(pack_rows(rows))

    def publish(self) -> None:
        pool = self.receiver.job.publishers
        pool.step()
        while not pool.idle:
            wait(pool._busy)
            pool.step()

    def answer(self) -> None:
        """The outbox, then what is said directly."""
        rig = self.receiver
        rig.sender.step()
        while not rig.sender.idle:
            rig.sender.step()
        for status in rig.job.replies.take_unconfirmed():
            self._say(status)

    def notice(self) -> None:
        job, space = self.receiver.job, self.receiver.space
        space.update()
        at = datetime.fromtimestamp(self.receiver.clock.now_ns() / NS_PER_S, UTC)
        notice = Notice(space.state, space.notice, job.reading.processed())
        self._say(Status(None, self.receiver.config.receiver.name, at, notice))

    def lose_position(self) -> None:
        """Everything is read again from the oldest record of each partition."""
        with self.receiver.job.store.transaction() as ledger:
            ledger.execute("DELETE FROM processed")
        self.receiver.reopen()

    def _say(self, status: Status) -> None:
        self.sender.status_topic.append(status)

    def office_takes(self, name: str) -> None:
        """Somebody at the office moves a file away."""
        path = self.receiver.destination / name
        self.taken.append((name, file_digest(path)))
        path.unlink()

    # the oracle

    def evidence(self) -> Evidence:
        return Evidence(
            list(self.sources.values()),
            self.receiver.destination,
            said_in([*self.sender.status_topic, *self.unheard]),
            self.receiver.config.receiver.state_dir / "ledger.db",
            {core.CLIENT: self.sender.folder / "journal.db"},
            self.surroundings,
            self.taken,
            frozenset(self.topic.bad),
        )

    def violations(self) -> list[Violation]:
        return at_any_time(self.evidence())

    def final_violations(self) -> list[Violation]:
        return at_end(self.evidence())

    # to the end

    def let_run(self, rounds: int = 900) -> None:
        """No more faults: everybody works until nobody waits."""
        self.sender_bomb.left = self.receiver_bomb.left = 0
        self.free, self.writes_fail, self.topic.unlucky = PLENTY, False, 0
        self.sender.core.commands.resume_all()
        self.sender.core.commands.resume([row.id for row in self.sender.core.files.in_state(FileState.PAUSED)])
        for number in range(rounds):
            if self._at_rest() and number > 3:
                return
            self.everybody_works()
            self.sender.clock.advance(1.0 if number < 30 else 30.0)

    def everybody_works(self) -> None:
        self.send(3, None)
        self.receiver_works(lambda: self.batch(dict.fromkeys(range(len(self.topic.partitions)), 1_000)))
        for work in (self.publish, self.receiver.job.maintenance.step, self.answer, self.notice):
            self.receiver_works(work)
        self.hear(1_000_000)

    def _at_rest(self) -> bool:
        files = self.sender.core.files
        open_rows = [row for row in self.rows() if row.state not in _RESTING]
        waiting = [row for row in open_rows if row.state is not FileState.ATTENTION or row.code == "receipt_absent"]
        return not waiting and not files.cancels() and self.topic.ends() == self.position
