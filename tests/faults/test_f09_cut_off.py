# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F09: the van or the office is cut off from the broker, for seconds or for a day, and comes back."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.outages import last, wait_for_more
from faults.scene import MB, Scene
from faults.toxiproxy import Toxiproxy
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.runtime.retry import LONGEST_S
from fieldpost_shared.codes import Code
from support.brokers import Topics
from support.engine.core import CHUNK, Rig

DAY_S: Final = 24 * 3600
MOST_PARTS: Final = 4  # of a batch
LOOK_S: Final = 0.01
SHORT_S: Final = 0.05  # every batch takes longer: Spark's job, a new consumer, a sync


@contextmanager
def batches_counted(scene: Scene) -> Iterator[list[int]]:
    """Messages of each batch: only its end moves the ledger's progress, which is looked at many times a batch.

    Two looks that a busy machine held too far apart do not count: there may be two batches between them.
    """
    sizes: list[int] = []
    over = threading.Event()

    def look() -> None:
        before, known = time.monotonic(), messages_read(scene)
        while not over.wait(LOOK_S):
            began, found = time.monotonic(), messages_read(scene)
            if found > known and time.monotonic() - before < SHORT_S:
                sizes.append(found - known)
            before, known = began, found

    looking = threading.Thread(target=look, name="batch-counter")
    looking.start()
    try:
        yield sizes
    finally:
        over.set()
        looking.join()


def messages_read(scene: Scene) -> int:
    return int(scene.receiver.rows("SELECT coalesce(sum(next_offset), 0) AS n FROM processed")[0]["n"])


def test_f09_an_end_that_is_cut_off_goes_on_and_a_backlog_is_read_in_bounded_batches(
    case: Case, rough_topics: Topics, toxiproxy: Toxiproxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDPOST_SPARK_MAX_BATCH_BYTES", str(MOST_PARTS * MB))
    doors, seconds = rough_topics.cluster.door, case.size(5, 30)
    to_van, to_office = toxiproxy.line(doors("VAN")), toxiproxy.line(doors("OFFICE"))
    scene = Scene(case, rough_topics, tmp_path, kafka={"bootstrap_servers": to_office.address})
    with scene.judged():
        scene.receiver.start()
        process = scene.receiver.process
        van = scene.van(bootstrap_servers=to_van.address)
        van.load("a.bin", case.size(45, 200) * MB)
        van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "3MB"})
        cuts = [to_van.silent, to_office.cut, *case.size([], [to_van.cut, to_office.silent])]
        with batches_counted(scene) as sizes:
            for cut in cuts:
                wait_for_more(scene)
                with cut():
                    case.fault()
                    last(seconds)
            wait_for_more(scene, 2 * MOST_PARTS)
        assert max(sizes) == MOST_PARTS, "a backlog, in batches that are full and no larger"
        van.finish(180)
        assert scene.receiver.process is process
        assert {row.generation for row in van.cli.rows()} == {1}


def test_f09_a_van_that_is_offline_for_a_day_tries_seldom_and_then_sends_the_rest(case: Case, tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    content = case.random.randbytes(30 * CHUNK)
    (row,) = rig.add(rig.file("a.bin", content))
    rig.link_holding_after(5)
    case.fault()
    rig.link.errors = rig.connector.fail = Code.NO_CONNECTION
    before = rig.connector.tries
    rig.pass_time(DAY_S, tick=30)
    tries = rig.connector.tries - before
    assert DAY_S / LONGEST_S <= tries <= 4 * DAY_S / LONGEST_S
    assert rig.row(row).state is FileState.QUEUED, "offline needs nobody"
    sent = len(rig.topic.records)
    rig.connector.fail = None
    rig.pass_time(LONGEST_S + 10)
    rig.until_confirmed(row)
    assert rig.office.published == {"a.bin": content}
    assert rig.row(row).generation == 1
    assert len(rig.topic.records) <= 30 + sent + 1
    rig.close()
