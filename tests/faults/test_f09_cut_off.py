# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F09: the van or the office is cut off from the broker, for seconds or for a day, and comes back."""

import json
from itertools import pairwise
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
MOST_PARTS: Final = 4  # of a micro-batch


def parts_of_batches(scene: Scene) -> list[int]:
    """Messages of each micro-batch, as Spark has planned them in its checkpoint."""
    offsets = [
        sum(json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["p"].values())
        for path in sorted(
            (path for path in scene.receiver.state.glob("checkpoint/offsets/*") if path.name.isdigit()),
            key=lambda path: int(path.name),
        )
    ]
    return [after - before for before, after in pairwise(offsets)]


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
        for cut in cuts:
            wait_for_more(scene)
            with cut():
                case.fault()
                last(seconds)
        wait_for_more(scene, 2 * MOST_PARTS)
        assert max(parts_of_batches(scene)) <= MOST_PARTS
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
