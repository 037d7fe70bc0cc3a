# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F04: the uploader, the receiver's driver, its JVM, its workers or the broker freeze (SIGSTOP) and wake up."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types

from faults.bookkeeping import Case
from faults.outages import frozen, last, wait_under_way
from faults.scene import MB, Scene
from fieldpost_receiver.runtime.exit_codes import TEMPORARY
from support.brokers import Topics
from support.processes.receiver import Receiver
from support.samples import make


@contextmanager
def asleep(members: list[psutil.Process]) -> Iterator[None]:
    assert members
    for member in members:
        with suppress(psutil.NoSuchProcess):  # a worker that was not needed any more
            member.suspend()
    try:
        yield
    finally:
        for member in members:
            with suppress(psutil.NoSuchProcess):
                member.resume()


def workers(receiver: Receiver) -> list[psutil.Process]:
    """Spark's Python processes: the planner, the daemon and what it forked."""
    return [member for name, member in receiver.helpers() if name != "java"]


def assert_refused(receiver: Receiver) -> None:
    """A second receiver on the same state must not take over from one that only sleeps."""
    second = receiver.command("run")
    assert second.returncode == TEMPORARY, second.stderr
    assert "another receiver uses" in second.stderr


def test_f04_whoever_freezes_wakes_up_and_goes_on(case: Case, rough_topics: Topics, tmp_path: Path) -> None:
    scene = Scene(case, rough_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        receiver, process, van = scene.receiver, scene.receiver.process, scene.van()
        faults = {
            "uploader": lambda: asleep([psutil.Process(van.sendings[-1].pid)]),
            "driver": lambda: asleep(receiver.family()[:1]),
            "JVM": lambda: asleep([receiver.jvm()]),
            "workers": lambda: asleep(workers(receiver)),
            "broker": lambda: frozen(rough_topics.cluster),
        }
        for name in case.random.sample(sorted(faults), len(faults)):
            for file, size in (("large.bin", case.size(5, 40) * MB), ("small.txt", 5_000)):
                van.known(make(van.cli.folder / name, file, size, case.random.randrange(2**32)))
            van.send(name, env={"FIELDPOST_BANDWIDTH_LIMIT": "3MB"})
            wait_under_way(van)
            with faults[name]():
                case.fault()
                if name == "driver":
                    assert_refused(receiver)
                last(case.size(3, 20))
            van.finish(120)
        assert receiver.process is process
        assert process is not None
        assert process.poll() is None, "nobody had to start it again"
        assert {row.generation for row in van.cli.rows()} == {1}, "no file began anew"
