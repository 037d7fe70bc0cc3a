# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is measured: each function is one scenario and gives the runs of every contender in it."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Final

from bench.contender import PARTITIONS, Fieldpost, Line, fieldpost_on, line, receiver_on, sender_on
from bench.leftovers import clear
from bench.measuring import GIB, MIB, Run, Watch, in_turn, watched
from bench.references import Copy, Plain, Reference, rsync_daemon, tus_server
from bench.sources import noise, renamed, small_files, text, zeros
from bench.worker import Worker
from devkafka.cluster import Cluster
from devkafka.roles import Role
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.chunks import DEFAULT_CHUNK_SIZE
from support.processes.receiver import Receiver

OURS: Final = "Fieldpost"
PLAIN: Final = "plain Kafka"
_MB: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """One table of the report; the first contender is compared with the others."""

    name: str
    title: str
    runs: Mapping[str, Sequence[Run]]
    unit: str = "MiB/s"
    remarks: Sequence[str] = ()
    latencies: Sequence[float] = ()
    idle: Mapping[str, float] = field(default_factory=dict)  # % of a core, of each end


@dataclass(frozen=True, slots=True)
class Bench:
    """Where everything happens: one broker, one folder, and the references that there are."""

    cluster: Cluster
    folder: Path
    rounds: int
    absent: Mapping[str, str]

    @contextmanager
    def way(self, name: str, *, partitions: int = PARTITIONS, secure: bool = False, limit: int = 0) -> Iterator[Line]:
        """Topics and a folder for both ends, which is out of the way afterwards."""
        folder = self.folder / name
        folder.mkdir()
        with line(self.cluster, folder, partitions=partitions, secure=secure, limit=limit) as way:
            yield way
        clear(folder)

    def plain(self, source: Path, size: int) -> Run:
        """On topics of its own, which are thrown away."""
        with line(self.cluster, self.folder) as way:
            return Plain(way, self.folder).move(source, size, 1)

    @contextmanager
    def others(self, *, whole: bool) -> Iterator[dict[str, Reference]]:
        """rsync, tus and cp."""
        with ExitStack() as stack:
            found: dict[str, Reference] = {}
            if "rsync" not in self.absent:
                found["rsync"] = stack.enter_context(rsync_daemon(_fresh(self.folder, "rsync")))
            if "tus" not in self.absent and whole:
                found["tus"] = stack.enter_context(tus_server(_fresh(self.folder, "tus")))
            found["cp + SHA-256"] = Copy(self.folder)
            yield found


def single(bench: Bench, size: int, *, with_others: bool) -> Scenario:
    """One file of noise on a running system, from the drop to the receipt."""
    source = noise(bench.folder / f"single-{size}" / "file.bin", size)
    with bench.way(f"way-single-{size}") as way, fieldpost_on(way) as both, bench.others(whole=True) as others:
        contenders: dict[str, Callable[[int], Run]] = {
            OURS: lambda number: both.send([renamed(source, number)], size),
            PLAIN: lambda _: bench.plain(source, size),
        }
        if with_others:
            contenders |= {name: _mover(other, source, size, 1) for name, other in others.items()}
        runs = in_turn(contenders, bench.rounds)
    clear(source.parent)
    return Scenario(f"single-{_words(size)}", f"One file of {_words(size)}, drop to receipt", runs)


def many(bench: Bench, count: int, size: int, rounds: int, *, whole: bool) -> Scenario:
    """A folder of files, from the drop to the last receipt."""
    folders = [small_files(bench.folder / f"many-{count}-{number}", count, size) for number in range(rounds)]
    total = count * size
    with bench.way(f"way-many-{count}") as way, fieldpost_on(way) as both, bench.others(whole=whole) as others:
        contenders: dict[str, Callable[[int], Run]] = {
            OURS: lambda number: both.send([folders[number]], total, count),
            **{name: _mover(other, folders[0], total, count) for name, other in others.items()},
        }
        runs = in_turn(contenders, rounds)
    return Scenario(
        f"files-{count}x{size}", f"{count:,} files of {_words(size)}, drop to the last receipt", runs, "files/s"
    )


def latency(bench: Bench, rounds: int) -> Scenario:
    """One file of 1 MB on an idle system."""
    with bench.way("way-latency") as way, fieldpost_on(way) as both:
        sources = [noise(way.folder / f"one-{number}.bin", _MB) for number in range(rounds)]
        runs = [both.send([source], _MB) for source in sources]
        idle = _idle(both)
    seconds = sorted(run.seconds for run in runs)
    title = "One file of 1 MB on an idle system, drop to receipt"
    remarks = [f"{end} with nothing to do: {percent:.1f} % of a core" for end, percent in idle.items()]
    return Scenario("latency", title, {OURS: runs}, "s", remarks, seconds, idle)


def _idle(both: Fieldpost, seconds: float = 15.0) -> dict[str, float]:
    """What both ends cost while nothing happens."""
    found = {}
    for end, pids in {"uploader": [sender.pid for sender in both.senders], "receiver": [both.pid]}.items():
        with Watch({end: pids}) as watch:
            time.sleep(seconds)
        found[end] = round(watch.cpu_s / seconds * 100, 2)
    return found


def backlog(bench: Bench, size: int, rounds: int) -> Scenario:
    """A file waits in the topic; the receiver is started, or the plain consumer."""
    source = noise(bench.folder / f"backlog-{size}" / "file.bin", size)
    runs: dict[str, list[Run]] = {OURS: [], "after the first rows": [], "plain consumer": []}
    for number in range(rounds):
        with bench.way(f"way-backlog-{size}-{number}") as way, sender_on(way) as sender:
            sender.ask(paths=[str(renamed(source, number))], files=1, until=FileState.SENT)
            os.sync()
            with receiver_on(way) as receiver:
                ours, after = _drained(receiver, size)
            runs[OURS].append(ours)
            runs["after the first rows"].append(after)
        with line(bench.cluster, bench.folder) as plain:
            runs["plain consumer"].append(_drain_plainly(plain, source, size))
        print(
            f"    backlog, round {number + 1}: {', '.join(f'{name} {_[-1].seconds:.1f} s' for name, _ in runs.items())}"
        )
    clear(source.parent)
    title = f"A backlog of {_words(size)}, from the start of reading (or of the consumer) to the verified file"
    limit = median(run.rate for run in runs["plain consumer"])
    remark = f"from its first rows on: {median(run.rate for run in runs['after the first rows']) / limit:.2f}"
    return Scenario(f"backlog-{_words(size)}", title, runs, remarks=[f"against the plain consumer {remark}"])


def _drained(receiver: Receiver, size: int) -> tuple[Run, Run]:
    assert receiver.process is not None
    begun = next(event["ts"] for event in receiver.events() if str(event["message"]).startswith("reading "))
    sql = "SELECT first_ns, ended_ns FROM transfers WHERE state = 'published'"
    with watched({"receiver": [receiver.process.pid]}, size) as done:
        while not (rows := receiver.rows(sql)):
            time.sleep(0.05)
    started, ended = datetime.fromisoformat(begun).timestamp(), rows[0]["ended_ns"] / 1e9
    run = done[0]
    whole = Run(ended - started, size, 1, run.cpu_s, run.rss, run.timeline)
    return whole, Run(ended - rows[0]["first_ns"] / 1e9, size)


def _drain_plainly(way: Line, source: Path, size: int) -> Run:
    target, partitions = way.folder / "plain.bin", way.topics.partitions
    kafka = way.kafka(Role.UPLOADER)
    with Worker("plain", kafka=kafka, partitions=partitions) as worker:
        worker.ask(do="produce", path=str(source))
        os.sync()
        with watched({"consumer": [worker.pid]}, size) as done:
            worker.ask(do="consume", path=str(target), size=size)
    target.unlink()
    return done[0]


def clients(bench: Bench, count: int, size: int) -> Scenario:
    """So many uploaders at once, a file each."""
    source = noise(bench.folder / "clients" / "file.bin", size)
    with bench.way("way-clients") as way, fieldpost_on(way, clients=count) as both:
        run = both.send([source], count * size, count)
    title = f"{count} uploaders at once, {_words(size)} each"
    return Scenario(f"clients-{count}", title, {OURS: [run]})


def variants(bench: Bench, size: int) -> list[Scenario]:
    """The same file over other numbers of partitions, chunk sizes, contents and protections."""
    source = noise(bench.folder / "variants" / "file.bin", size)
    lines = text(bench.folder / "variants" / "lines.csv", size)
    partitions = {
        f"{number} partition{'s' * (number > 1)}": [_variant(bench, source, size, partitions=number)]
        for number in (1, 8, 32)
    }
    chunks = {
        f"chunks of {_words(chunk)}": [_variant(bench, source, size, chunk_size=chunk)]
        for chunk in (256 * 1024, DEFAULT_CHUNK_SIZE, 4 * MIB)
    }
    data = {"noise": [_variant(bench, source, size)], "lines of text": [_variant(bench, lines, size)]}
    protection = {
        "plaintext": [_variant(bench, source, size)],
        "SASL_SSL": [_variant(bench, source, size, secure=True)],
    }
    clear(source.parent)
    return [
        Scenario("partitions", f"One file of {_words(size)} over 1, 8 and 32 partitions", partitions),
        Scenario("chunks", f"One file of {_words(size)} in chunks of other sizes", chunks),
        Scenario("data", f"One file of {_words(size)}: noise, and text that compresses", data),
        Scenario("protection", f"One file of {_words(size)}: plaintext, and SASL_SSL with least rights", protection),
    ]


def _variant(
    bench: Bench,
    source: Path,
    size: int,
    *,
    partitions: int = 8,
    chunk_size: int = DEFAULT_CHUNK_SIZE,
    secure: bool = False,
) -> Run:
    os.sync()
    limit = chunk_size + 4096 if chunk_size > DEFAULT_CHUNK_SIZE else 0
    name = f"way-{partitions}-{chunk_size}-{secure}-{source.stem}-{time.monotonic_ns()}"
    with (
        bench.way(name, partitions=partitions, secure=secure, limit=limit) as way,
        fieldpost_on(way, chunk_size=chunk_size) as both,
    ):
        return both.send([source], size)


def growth(bench: Bench, sizes: Sequence[int], zeros_from: int) -> Scenario:
    """Whether cost and memory stay flat; files from `zeros_from` on have no content, so that they fit on the disk."""
    runs: dict[str, list[Run]] = {}
    for size in sizes:
        make = zeros if size >= zeros_from else noise
        with bench.way(f"way-growth-{size}") as way, fieldpost_on(way) as both:
            source = make(way.folder / "file.bin", size)
            os.sync()
            name = f"{_words(size)}{' of zeros' if make is zeros else ''}"
            runs[name] = [both.send([source], size)]
            source.unlink()
        print(f"    {name}: {runs[name][0].seconds:.0f} s, {runs[name][0].cpu_per_gib:.2f} CPU-s/GiB", flush=True)
    return Scenario("growth", "Cost and memory as the file grows", runs)


def _mover(reference: Reference, source: Path, size: int, files: int) -> Callable[[int], Run]:
    return lambda _: reference.move(source, size, files)


def _fresh(folder: Path, name: str) -> Path:
    path = folder / f"{name}-{time.monotonic_ns()}"
    path.mkdir()
    return path


def _words(size: int) -> str:
    for unit, value in (("GiB", GIB), ("MiB", MIB), ("MB", _MB), ("KiB", 1024)):
        if size >= value and size % value == 0:
            return f"{size // value} {unit}"
    return f"{size:,} bytes"
