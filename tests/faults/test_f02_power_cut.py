# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F02: a power cut takes the last pages of the journal's log, or damages them: it opens, and only their parts go again.

Every commit is synced before anybody acts on it, so an honest disk loses less than is cut off here.
"""

import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.model_world import World
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.protocol.messages import Chunk, decode
from oracle import at_any_time
from support.engine.core import CHUNK

LOG_HEADER: Final = 32  # bytes; SQLite writes it once, long before
SIZES: Final = {"large.bin": 24 * CHUNK, "middle.bin": 9 * CHUNK + 1, "small.txt": 700, "empty": 0}


def parts_sent(world: World) -> Counter[tuple[str, int]]:
    """How often each part went into the topic."""
    records = (record for partition in world.topic.partitions for record in partition if record is not None)
    messages = (decode(record.key, record.headers, record.value) for record in records)
    return Counter((one.facts.path, one.index) for one in messages if isinstance(one, Chunk))


def spoil(log: Path, random: Random) -> None:
    """Some of the last pages never reached the disk, or reached it as something else."""
    size = log.stat().st_size
    if size <= LOG_HEADER:
        return
    since = random.randrange(LOG_HEADER, size)
    content = bytearray(log.read_bytes())
    if random.random() < 0.5:
        content = content[:since]
    else:
        content[since:] = random.choice([random.randbytes(size - since), bytes(size - since)])
    log.write_bytes(content)


def cut_the_power(world: World, random: Random) -> None:
    """The disk as it is in mid-run, with its last pages spoilt, is what the next start finds."""
    folder, log = world.sender.folder, "journal.db-wal"
    found = folder / "found"
    found.mkdir()
    for name in ("journal.db", log):
        shutil.copyfile(folder / name, found / name)
    spoil(found / log, random)
    world.sender.close()
    for name in ("journal.db", log, "journal.db-shm"):
        (folder / name).unlink(missing_ok=True)
    for name in ("journal.db", log):
        (found / name).rename(folder / name)
    found.rmdir()
    world.sender.open()
    world.heard = len(world.sender.status_topic)


def all_are_begun(world: World) -> bool:
    return all(row.transfer is not None for row in world.rows())


@pytest.mark.logs_warnings  # a receipt comes for a file whose hash the journal has forgotten
def test_f02_a_journal_without_its_last_pages_sends_again_only_what_they_told(case: Case, tmp_path: Path) -> None:
    for number in range(case.size(10, 200)):
        patch = pytest.MonkeyPatch()
        folder = tmp_path / str(number)
        folder.mkdir()
        world = World(folder, patch)
        try:
            one_power_cut(case, world)
        finally:
            world.close()
            patch.undo()
            shutil.rmtree(folder)


def one_power_cut(case: Case, world: World) -> None:
    world.sender.add(*(world.write(name, size) for name, size in SIZES.items()))
    for _ in range(30):
        world.send(2, 4)
        if all_are_begun(world):
            break
    assert all_are_begun(world)
    world.sender.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = len(world.sender.store.rows("SELECT 1 FROM chunks"))
    for _ in range(case.random.randrange(1, 10)):
        world.send(1, case.random.randrange(1, 6))
        if case.random.random() < 0.5:
            world.everybody_works()
    untold = sum(parts_sent(world).values()) - kept
    cut_the_power(world, case.random)
    case.fault()
    assert len(world.rows()) == len(SIZES), "what was queued is on the disk"
    case.demand(at_any_time(world.evidence()))
    world.let_run()
    case.moved(sum(SIZES.values()))
    assert sum(count - 1 for count in parts_sent(world).values()) <= untold
    assert [row.state for row in world.rows()] == [FileState.CONFIRMED] * len(SIZES)
    case.demand(world.final_violations())
