# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Many senders, many files, one large file: both programs as people start them, over a real broker.

Small by default. At full size, with figures (`-s` shows them):
    RECEIVER_CLIENTS=20 RECEIVER_SMALL_FILES=10000 RECEIVER_BIG_SIZE=8589934592 RECEIVER_TIMEOUT=3600 \\
        pytest -s tests/integration/receiver/test_receiver_scale.py
"""

import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from support.brokers import Topics
from support.engine.uploader import kafka_settings, running_engine
from support.processes.cli import Cli, Ended, Running, write_profile
from support.processes.receiver import Receiver
from support.samples import digest, make
from support.waiting import wait_until

CLIENTS = int(os.environ.get("RECEIVER_CLIENTS", "3"))
SMALL_FILES = int(os.environ.get("RECEIVER_SMALL_FILES", "300"))
BIG_SIZE = int(os.environ.get("RECEIVER_BIG_SIZE", "150000000"))
TIMEOUT_S = int(os.environ.get("RECEIVER_TIMEOUT", "240"))
MIXED_SIZES = [0, 1, 1_000, 60_000, 245_761, 983_040, 983_041, 4_000_000, 11_000_000]
MB, MIB, GIB = 10**6, 2**20, 2**30
UPLOADER_MB, WORKER_MB, JVM_MB = 150, 256, 700  # what each may take, whatever the size of the file
SAMPLE_S = 0.25
pytestmark = [
    pytest.mark.timeout(TIMEOUT_S),
    pytest.mark.parametrize("topics", [8], indirect=True),  # as many as `topics create` makes
]


class Van:
    """A sender with a folder of its own."""

    def __init__(self, topics: Topics, folder: Path, name: str) -> None:
        folder.mkdir(parents=True)
        self.name = name
        self.cli = Cli(folder, ("--profile", str(write_profile(folder / "office.fieldpost", topics, client=None))))
        self.sources: dict[str, Path] = {}

    def load(self, name: str, size: int, seed: int) -> None:
        self.sources[f"in/{name}"] = make(self.cli.folder / "in", name, size, seed)

    def send(self) -> Running:
        return self.cli.start("send", "--json", "--client", self.name, "in")

    def close(self) -> None:
        self.cli.end()

    def assert_confirmed(self, ended: Ended, hashes: Mapping[str, str]) -> None:
        """Every file once, with the hash of its source in its receipt."""
        ended.check(Exit.DONE)
        assert len(ended.objects) == len(hashes)
        assert {one["path"]: one["sha256"] for one in ended.objects} == hashes
        assert {(one["state"], one["receiver"]) for one in ended.objects} == {(FileState.CONFIRMED, "central")}

    def hashes(self) -> dict[str, str]:
        return {name: digest(path) for name, path in self.sources.items()}


def assert_arrived(receiver: Receiver, expected: Mapping[str, str]) -> None:
    """These files, byte for byte, and nothing else; nothing is left over in the working folders."""
    assert {name: digest(path) for name, path in receiver.files().items()} == expected
    working = [path for path in (receiver.destination / ".fieldpost").rglob("*") if path.is_file()]
    assert not [path.name for path in working if path.suffix in {".part", ".sealed"}]
    assert receiver.states() == {"published": len(expected)}


class Peaks:
    """The most memory that each kind of process took; sampled beside the test."""

    def __init__(self, receiver: Receiver, sender: psutil.Process) -> None:
        self._receiver = receiver
        self._sender = sender
        self._over = threading.Event()
        self.mb = {"java": 0, "python": 0, "sender": 0}

    @contextmanager
    def sampled(self) -> Iterator["Peaks"]:
        thread = threading.Thread(target=self._sample)
        thread.start()
        try:
            yield self
        finally:
            self._over.set()
            thread.join()

    def _sample(self) -> None:
        while not self._over.wait(SAMPLE_S):
            for name, rss in self._receiver.rss().items():
                self._note("java" if name.startswith("java") else "python", rss)
            with suppress(psutil.NoSuchProcess):
                self._note("sender", self._sender.memory_info().rss)

    def _note(self, kind: str, rss: int) -> None:
        self.mb[kind] = max(self.mb[kind], rss // MB)


def told(what: str) -> None:
    load = os.getloadavg()
    sys.stdout.write(f"\n{what}; load {load[0]:.1f} {load[1]:.1f} {load[2]:.1f} on {os.cpu_count()} cores\n")


def test_many_senders_at_once_get_each_their_own_receipts(topics: Topics, tmp_path: Path) -> None:
    vans = [Van(topics, tmp_path / f"van-{number}", f"van-{number}") for number in range(CLIENTS)]
    for number, van in enumerate(vans):
        for place, size in enumerate(MIXED_SIZES):  # the same names everywhere, other bytes
            van.load(f"{place}/{size}.bin", size, 100 * number + place)
    expected = {f"{van.name}/{name}": sha256 for van in vans for name, sha256 in van.hashes().items()}
    with ExitStack() as stack:
        for van in vans:
            stack.enter_context(closing(van))
        receiver = stack.enter_context(Receiver(topics, tmp_path / "office"))
        began = time.monotonic()
        sending = [van.send() for van in vans]
        ended = [one.wait(TIMEOUT_S) for one in sending]
        seconds = time.monotonic() - began
        for van, end in zip(vans, ended, strict=True):
            van.assert_confirmed(end, van.hashes())
        wait_until(lambda: receiver.states() == {"published": len(expected)}, 10, "the ledger to say the same")
        assert_arrived(receiver, expected)
        assert receiver.stop() == 0
    size = sum(MIXED_SIZES) * CLIENTS
    told(
        f"{CLIENTS} senders, {len(expected)} files, {size / MIB:.0f} MiB: {seconds:.1f} s,"
        f" {size / MIB / seconds:.0f} MiB/s"
    )


def test_many_small_files_of_one_sender_arrive_each_once(topics: Topics, tmp_path: Path) -> None:
    with (
        closing(Van(topics, tmp_path / "van", "van-7")) as van,
        Receiver(topics, tmp_path / "office") as receiver,
    ):
        for number in range(SMALL_FILES):
            van.load(f"{number // 1000}/{number}.txt", 1_000, number)
        began, cpu = time.monotonic(), receiver.cpu()
        ended = van.send().wait(TIMEOUT_S)
        seconds, spent = time.monotonic() - began, receiver.cpu() - cpu
        hashes = van.hashes()
        van.assert_confirmed(ended, hashes)
        assert_arrived(receiver, {f"{van.name}/{name}": sha256 for name, sha256 in hashes.items()})
    told(
        f"{SMALL_FILES} files of 1 KB, from the sender's start to its end: {seconds:.1f} s,"
        f" {SMALL_FILES / seconds:.0f} files/s, receiver {spent:.1f} CPU-s"
    )


def test_a_large_file_arrives_unaltered_in_constant_memory(topics: Topics, tmp_path: Path) -> None:
    with (
        closing(Van(topics, tmp_path / "van", "van-7")) as van,
        Receiver(topics, tmp_path / "office") as receiver,
    ):
        van.load("big.bin", BIG_SIZE, 1)
        began, cpu = time.monotonic(), receiver.cpu()
        sending = van.send()
        with Peaks(receiver, psutil.Process(sending.process.pid)).sampled() as peaks:
            ended = sending.wait(TIMEOUT_S)
        seconds, spent = time.monotonic() - began, receiver.cpu() - cpu
        hashes = van.hashes()
        van.assert_confirmed(ended, hashes)
        assert_arrived(receiver, {f"{van.name}/{name}": sha256 for name, sha256 in hashes.items()})
    told(
        f"{BIG_SIZE / MIB:.0f} MiB in one file: {seconds:.1f} s, {BIG_SIZE / MIB / seconds:.0f} MiB/s, receiver"
        f" {spent / (BIG_SIZE / GIB):.1f} CPU-s/GiB; at most JVM {peaks.mb['java']} MB, Python {peaks.mb['python']} MB,"
        f" sender {peaks.mb['sender']} MB"
    )
    assert 0 < peaks.mb["java"] < JVM_MB
    assert 0 < peaks.mb["python"] < WORKER_MB
    assert 0 < peaks.mb["sender"] < UPLOADER_MB


def test_a_start_is_quick_and_removes_files_of_a_killed_receiver(topics: Topics, tmp_path: Path) -> None:
    source = make(tmp_path / "in", "a.bin", MB)
    receiver = Receiver(topics, tmp_path / "office")
    with closing(receiver), running_engine(tmp_path / "data", kafka_settings(topics)) as up:
        receiver.start()
        first, left = receiver.started_in, sorted((receiver.state / "spark").iterdir())
        receiver.kill()
        batch = up.engine.add(DroppedFiles.of([str(source)]))
        wait_until(lambda: [row for row in up.rows(batch) if row.state is FileState.SENT], 30, "it to be sent")
        began = time.monotonic()
        receiver.start()
        up.wait_confirmed(batch, 1, 60)
        told(
            f"reads after {first:.1f} s, again after {receiver.started_in:.1f} s; a file that waited is confirmed"
            f" {time.monotonic() - began:.1f} s after its start"
        )
        assert left, "Spark puts its own files where the next start finds them"
        assert not [path for path in left if path.exists()]
        assert receiver.stop() == 0
