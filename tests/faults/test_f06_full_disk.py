# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F06: a disk is full at one of its ends: the receiver's destination, its state folder, the uploader's journal.

`test_f07_disk_errors_in_process.py` has the single calls: pwrite, fsync, ledger, rename.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from faults.bookkeeping import Case
from faults.scene import MB, Scene, Van
from faults.small_disk import SmallDisk, small_disk
from fieldpost_desktop.commands.exit_codes import Exit
from support.brokers import Topics
from support.waiting import wait_until

PATIENCE_S = 180.0  # a busy machine
FULL_HERE = "This computer's disk is full."
NO_ROOM = "No space left on device"
NOTHING_IS_READ = "Storage is full"
FULL_THERE = "Storage at Head office is full."


@contextmanager
def office_on(case: Case, topics: Topics, folder: Path, **sizes: str) -> Iterator[tuple[Scene, dict[str, SmallDisk]]]:
    """A scene whose receiver has small disks below `destination` or `state`."""
    with ExitStack() as stack:
        disks = {name: stack.enter_context(small_disk(folder / "office" / name, size)) for name, size in sizes.items()}
        # A batch is written before the ledger judges its files: one must fit into the room that is kept free.
        scene = Scene(case, topics, folder, min_free_space="8MB", spark={"max_batch_bytes": "4MiB"})
        with scene.judged():
            scene.receiver.start()
            yield scene, disks


def under_way(scene: Scene) -> bool:
    """Whether parts of an unfinished file are at the office."""
    return bool(scene.receiver.rows("SELECT 1 FROM transfers WHERE have > 0 AND state = 'receiving'"))


def never_ended(scene: Scene) -> bool:
    return scene.receiver.process is not None and scene.receiver.process.poll() is None


def test_f06_a_full_destination_pauses_small_files_pass_and_all_arrive_later(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    with office_on(case, secure_topics, tmp_path, destination="24m") as (scene, disks):
        disk = disks["destination"]
        large, small = scene.van("van-large"), scene.van("van-small")
        large.load("larger-than-the-disk.bin", 26 * MB)
        large.send()
        wait_until(lambda: scene.receiver.states().get("held"), PATIENCE_S, "the large file to be held")
        for number in range(10):
            small.load(f"small-{number}.txt", 20_000)
        small.send()
        small.finish(PATIENCE_S)
        for round_ in range(case.size(1, 3)):
            small.load(f"hit-{round_}.bin", 4 * MB)
            sending = small.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "400KB"})
            wait_until(lambda: under_way(scene), PATIENCE_S, "parts of it to arrive")
            disk.fill(leave=case.random.choice([0, 8_192, 500_000]))
            case.fault()
            sending.running.says(FULL_THERE, PATIENCE_S)
            disk.free()
            small.finish(PATIENCE_S)
        disk.enlarge("60m")
        large.finish(PATIENCE_S)
        assert never_ended(scene)


def test_f06_a_full_state_folder_pauses_and_goes_on_later(case: Case, secure_topics: Topics, tmp_path: Path) -> None:
    with office_on(case, secure_topics, tmp_path, state="64m") as (scene, disks):
        disk, van = disks["state"], scene.van()
        for round_ in range(case.size(1, 4)):
            van.load(f"{round_}.bin", 12 * MB)
            sending = van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "4MB"})
            sending.running.says("Sending", 60)
            disk.fill(leave=case.random.choice([0, 4_096, 40_960]))
            case.fault()
            sending.running.says(FULL_THERE, PATIENCE_S)
            if round_ == 1:
                scene.receiver.kill()
                scene.receiver.launch()  # it starts on a full disk, too
                wait_until(lambda: NOTHING_IS_READ in last_words(scene), PATIENCE_S, "it to say so")
            disk.free()
            van.finish(PATIENCE_S)
        assert never_ended(scene)


@pytest.mark.parametrize("moment", ["Setting Spark log level", '"reading '], ids=["spark-starts", "batches-start"])
def test_f06_a_disk_full_before_the_first_batch_is_waited_for_and_all_is_read(
    case: Case, secure_topics: Topics, tmp_path: Path, moment: str
) -> None:
    """What could not be written to its end is in nobody's way."""
    with small_disk(tmp_path / "office" / "state", "64m") as disk:
        scene = Scene(case, secure_topics, tmp_path, min_free_space="8MB")
        with scene.judged():
            van = scene.van()
            van.load("first.bin", 3 * MB)
            van.send()
            scene.receiver.launch()
            wait_until(lambda: moment in scene.receiver.log.read_text(encoding="utf-8"), PATIENCE_S, moment)
            disk.fill()
            case.fault()
            wait_until(
                lambda: noticed(scene) or scene.receiver.files(), PATIENCE_S, "it to find no room, or to be faster"
            )
            disk.free()
            van.finish(PATIENCE_S)
            assert never_ended(scene)


def noticed(scene: Scene) -> bool:
    """Whether it has met the full disk: in a write of its own or of Spark's, or by its look at the free space."""
    log = scene.receiver.log.read_text(encoding="utf-8")  # all of it: a trace of Spark is longer than a few lines
    return any(words in log for words in (NO_ROOM, NOTHING_IS_READ))


def last_words(scene: Scene) -> str:
    return scene.receiver.log.read_text(encoding="utf-8")[-4_000:]


def fill_while_sending(van: Van, disk: SmallDisk, leave: int) -> None:
    sending = van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "1MB"})
    sending.running.says("Sending", 60)
    disk.fill(leave)
    ended = sending.wait(60).check(Exit.NEEDS_YOU)
    assert FULL_HERE in ended.err


def test_f06_a_full_journal_disk_is_told_in_words_and_sending_goes_on_later(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    van = scene.van()
    with small_disk(van.cli.data_dir, "16m") as disk, scene.judged():
        scene.receiver.start()
        for round_ in range(case.size(1, 4)):
            for number in range(40):
                van.load(f"{round_}-{number}.bin", 300_000)
            fill_while_sending(van, disk, case.random.choice([0, 4_096]))
            case.fault()
            refused = van.send().wait(60).check(Exit.NEEDS_YOU)  # while it is full nothing else can be said
            assert FULL_HERE in refused.err
            assert "damaged" not in refused.err
            case.fault()
            disk.free()
            van.resume(PATIENCE_S).check(Exit.DONE)
