# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F33: the ledger is damaged, cut short, gone, or older than the files.

After a rebuild the oracle cannot judge: the new ledger calls duplicates what the old one published. Files and receipts
are compared here by themselves.
"""

import os
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.scene import MB, Scene
from faults.test_f32_taken_over import (
    assert_no_false_receipt,
    assert_whole_and_single,
    processed,
    stamps,
    wait_until_read_again,
)
from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.brokers import Topics
from support.receiver.rig import CHUNK, Rig, Sent, noise, pack, rig_at

PAGE: Final = 4096
Damage = Callable[[Path, Random], None]


def cut_to_nothing(ledger: Path, _random: Random) -> None:
    os.truncate(ledger, 0)


def cut_short(ledger: Path, random: Random) -> None:
    os.truncate(ledger, random.randrange(1, ledger.stat().st_size))


def flip_bits(ledger: Path, random: Random) -> None:
    data = bytearray(ledger.read_bytes())
    for _ in range(random.randrange(1, 40)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    ledger.write_bytes(data)


def flip_bits_of_a_state(ledger: Path, random: Random) -> None:
    """SQLite sees nothing wrong in it."""
    data = ledger.read_bytes()
    for state in (b"published", b"sealed", b"complete"):
        data = data.replace(state, bytes([state[0] ^ 1 << random.randrange(3)]) + state[1:], 1)
    ledger.write_bytes(data)


def flip_a_bit_of_an_id(ledger: Path, random: Random) -> None:
    """In a row or in an index: the ledger then finds a transfer one way and not the other."""
    data = bytearray(ledger.read_bytes())
    place = random.choice([found.start() for found in re.finditer(rb"[0-9a-f]{32}", data)])
    data[place + random.randrange(32)] ^= 1 << random.randrange(8)
    ledger.write_bytes(data)


def fill_a_page(ledger: Path, random: Random) -> None:
    overwrite(ledger, random.randrange(ledger.stat().st_size // PAGE), random)


def fill_the_first_page_of(table: str) -> Damage:
    """One that is read at every start."""

    def damage(ledger: Path, random: Random) -> None:
        with closing(sqlite3.connect(ledger)) as connection:
            found = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        overwrite(ledger, found[0] - 1, random)

    return damage


def overwrite(ledger: Path, page: int, random: Random) -> None:
    with ledger.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(random.randbytes(PAGE))


def remove(ledger: Path, _random: Random) -> None:
    ledger.unlink()


SEEN_AT_ONCE: Final[tuple[Damage, ...]] = (cut_to_nothing, cut_short, fill_the_first_page_of("meta"), remove)
ANY: Final[tuple[Damage, ...]] = (cut_short, flip_bits, flip_bits_of_a_state, flip_a_bit_of_an_id, fill_a_page)


# real processes


def test_f33_a_damaged_ledger_is_refused_a_rebuilt_or_older_one_doubles_nothing(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with ExitStack() as stack:
        stack.callback(scene.close)
        receive(scene, "first")
        assert scene.receiver.stop() == 0
        for damage in SEEN_AT_ONCE:
            assert_refused(scene, damage)
        fill_the_first_page_of("meta")(ledger_of(scene), case.random)
        assert scene.receiver.command("rebuild", "--yes").returncode == 0
        receive(scene, "after-rebuilding")
        scene.receiver.kill()
        assert_an_older_ledger_reads_again(scene)


def ledger_of(scene: Scene) -> Path:
    return JobDir(scene.receiver.state).ledger


def receive(scene: Scene, name: str) -> None:
    """A new van is served, and everything else is as it was."""
    van = scene.van(name)
    van.load("parts.bin", 3 * MB)
    van.load("small.txt", 5_000)
    van.send()
    scene.receiver.start()
    van.finish()
    assert_whole_and_single(scene)


def receipts(scene: Scene) -> Counter[str]:
    return Counter(said.transfer for said in scene.evidence().said if said.kind == "received")


def assert_refused(scene: Scene, damage: Damage) -> None:
    """78 with one line of the log, and nothing is said or changed. The ledger is whole again afterwards."""
    ledger, whole = ledger_of(scene), ledger_of(scene).read_bytes()
    said = receipts(scene)
    damage(ledger, scene.case.random)
    scene.case.fault()
    assert_ends_with_78(scene)
    for left in ledger.parent.glob(f"{ledger.name}-*"):  # of the damaged one
        left.unlink()
    ledger.write_bytes(whole)
    assert receipts(scene) == said
    assert_whole_and_single(scene)


def assert_ends_with_78(scene: Scene) -> None:
    known = len(scene.receiver.events())
    assert scene.receiver.run_until_it_ends(180) == 78
    (error,) = [event for event in scene.receiver.events()[known:] if event["level"] == "error"]
    assert error["code"] == Code.LEDGER_DAMAGED


def assert_an_older_ledger_reads_again(scene: Scene) -> None:
    """The daily copy is put back: what came since is read again and recognised, and what comes now arrives."""
    ledger, far = ledger_of(scene), processed(scene)
    for path in ledger.parent.glob(f"{ledger.name}*"):
        if not path.name.endswith(".old"):
            path.unlink()
    shutil.copy(JobDir(ledger.parent).ledger_copy, ledger)
    scene.case.fault()
    assert sum(processed(scene).values()) < sum(far.values())
    before = stamps(scene)
    receive(scene, "after-restoring")
    wait_until_read_again(scene, far)
    assert stamps(scene).items() >= before.items()
    assert_whole_and_single(scene)
    assert_no_false_receipt(scene)


# in process: many edits


def test_f33_damaged_bytes_of_a_ledger_end_in_words_or_give_no_false_receipt(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: Counter[str] = Counter()
    for number in range(case.size(20, 150)):
        ends[edited(tmp_path / str(number), monkeypatch, case)] += 1
    case.told(f"ends: {dict(ends)}")
    assert ends.keys() <= {Code.LEDGER_DAMAGED, Code.STORAGE_FAILED, "went on"}


def edited(folder: Path, monkeypatch: pytest.MonkeyPatch, case: Case) -> str:
    """How a receiver ends whose ledger was edited while it was away. The rig judges each receipt as it is sent."""
    done, open_one = Sent(1, "done.bin", noise(3 * CHUNK)), Sent(2, "open.bin", noise(4 * CHUNK))
    packed = [Sent(10 + number, f"small-{number}", noise(100 + number)) for number in range(30)]
    folder.mkdir()
    with rig_at(folder / "rig", monkeypatch) as rig:
        rig.take(done.chunks(), done.end(), pack(*packed), open_one.chunk(0))
        rig.topic.send(open_one.chunks(), open_one.end())
        rig.batch()
        ledger = rig.state.ledger
        rig.job.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        case.random.choice(ANY)(ledger, case.random)
        case.fault()
        return how_it_ends(rig)


def how_it_ends(rig: Rig) -> str:
    before = set(rig.tree().values())
    try:
        rig.reopen()
        rig.settle()
        rig.job.maintenance.step()
        rig.job.transfers.counts()
    except FieldpostError as error:
        return error.code
    finally:
        assert before <= set(rig.tree().values()), "what was published stays"
    return "went on"
