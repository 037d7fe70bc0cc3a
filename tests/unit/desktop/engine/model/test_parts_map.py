# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.parts_map import PartsMap, PartState, parts_of
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.chunks import ChunkIndex
from support.engine.core import CHUNK, Rig
from support.gui.rows import file_row

P = PartState
ROW = file_row(FileState.SENDING, id=1, size=0, chunk_size=10)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    rig.close()


def parts(rig: Rig, row: FileRow) -> PartsMap:
    found = rig.core.commands.parts(row.id)
    assert found is not None
    return found


def stuck_at(rig: Rig, name: str, size: int, parts: int) -> FileRow:
    """A file whose first parts are acknowledged and whose next ones are on their way for ever."""
    rig.until(lambda: rig.connector.links)
    rig.link.take = parts
    (row,) = rig.add(rig.file(name, random.Random(1).randbytes(size)))  # noqa: S311 - reproducible test data
    rig.steps(10)
    rig.pass_time(1)
    return row


@given(st.integers(1, 60), st.data())
def test_every_part_is_shown_once_and_as_what_it_is(count: int, data: st.DataObject) -> None:
    indexes = st.sets(st.integers(0, count - 1).map(ChunkIndex))
    acknowledged, flying = data.draw(indexes), data.draw(indexes)
    asked = data.draw(st.integers(0, 2))
    have = ChunkSet(count)
    for index in acknowledged:
        have.add(index)
    found = parts_of(replace(ROW, size=count * 10, round=asked), have, flying)
    shown = {
        index: state
        for state, ranges in found.ranges.items()
        for first, last in ranges
        for index in range(first, last + 1)
    }
    assert sum(last - first + 1 for ranges in found.ranges.values() for first, last in ranges) == found.count == count
    missing = P.ASKED_AGAIN if asked else P.NOT_SENT
    expected = {index: P.IN_FLIGHT if index in flying else missing for index in range(count)}
    assert shown == expected | dict.fromkeys(acknowledged, P.ACKNOWLEDGED)
    for ranges in found.ranges.values():
        assert list(ranges) == sorted(ranges)
        assert all(later[0] > earlier[1] + 1 for earlier, later in pairwise(ranges))


def test_a_pixel_shows_its_worst_part() -> None:
    assert max(P.CONFIRMED, P.NOT_SENT) is P.NOT_SENT
    assert sorted(P) == [P.CONFIRMED, P.ACKNOWLEDGED, P.IN_FLIGHT, P.ASKED_AGAIN, P.NOT_SENT]


def test_the_parts_follow_a_file_on_its_way(rig: Rig) -> None:
    row = stuck_at(rig, "a.bin", 30 * CHUNK, 5)
    found = parts(rig, row)
    assert found.count == 30
    assert found.ranges[P.ACKNOWLEDGED] == ((0, 4),)
    ((first, last),) = found.ranges[P.IN_FLIGHT]
    assert first == 5
    assert found.ranges[P.NOT_SENT] == ((last + 1, 29),)
    rig.link.take = None
    rig.steps(100)
    assert parts(rig, row).ranges == {P.ACKNOWLEDGED: ((0, 29),)}
    rig.until_confirmed(row)
    assert parts(rig, row).ranges == {P.CONFIRMED: ((0, 29),)}


def test_parts_that_the_office_asked_for_are_shown_until_they_are_there(rig: Rig) -> None:
    rig.office.lose = {3, 4, 9}
    (row,) = rig.add(rig.file("a.bin", bytes(range(256)) * (12 * CHUNK // 256)))
    rig.steps(50)
    assert rig.row(row).state is FileState.SENT
    rig.core.commands.pause_all()
    rig.answer()
    assert parts(rig, row).ranges == {
        P.ACKNOWLEDGED: ((0, 2), (5, 8), (10, 11)),
        P.ASKED_AGAIN: ((3, 4), (9, 9)),
    }
    rig.core.commands.resume_all()
    rig.until_confirmed(row)


def test_a_restart_knows_the_acknowledged_chunks(rig: Rig) -> None:
    row = stuck_at(rig, "a.bin", 30 * CHUNK, 8)
    rig.reopen()
    assert parts(rig, row).ranges == {P.ACKNOWLEDGED: ((0, 7),), P.NOT_SENT: ((8, 29),)}


@pytest.mark.parametrize("data", [b"", b"small"])
def test_a_small_file_is_one_part(rig: Rig, data: bytes) -> None:
    (row,) = rig.add(rig.file("a.txt", data))
    assert parts(rig, row) == PartsMap(1, {P.NOT_SENT: ((0, 0),)})
    rig.steps(10)
    assert parts(rig, row) == PartsMap(1, {P.ACKNOWLEDGED: ((0, 0),)})
    rig.until_confirmed(row)
    assert parts(rig, row) == PartsMap(1, {P.CONFIRMED: ((0, 0),)})


def test_a_file_that_is_gone_has_no_parts(rig: Rig) -> None:
    assert rig.core.commands.parts(99) is None
