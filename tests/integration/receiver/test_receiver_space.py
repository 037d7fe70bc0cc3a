# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A small disk under the destination: nothing crashes, nobody is harmed, and everything goes on when there is room."""

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from brokers import Topics
from fieldpost_desktop.engine.holds import HoldKind
from fieldpost_desktop.engine.states import FileState
from receiver_process import Receiver
from uploader_kit import CLIENT, kafka_settings, running_engine
from waiting import wait_until

MB = 1_000_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "office" / "destination"
    place.mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=80m", "tmpfs", place], check=False)
    if mounted.returncode != 0:
        pytest.skip("this account may not mount a tmpfs")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def make(folder: Path, name: str, size: int) -> str:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(random.Random(name).randbytes(size))  # noqa: S311 - reproducible test data
    return str(folder / name)


@pytest.mark.timeout(300)
def test_a_file_without_room_waits_small_ones_arrive_and_a_full_disk_pauses(
    topics: Topics, tmp_path: Path, small_disk: Path
) -> None:
    with (
        Receiver(topics, tmp_path / "office", min_free_space="20MB") as receiver,
        running_engine(tmp_path / "data", kafka_settings(topics)) as up,
    ):
        up.wait_confirmed(up.engine.add([make(tmp_path / "in", "first.bin", 30 * MB)]), 1, 60)
        large = up.engine.add([make(tmp_path / "in", "large.bin", 40 * MB)])
        wait_until(lambda: receiver.states().get("held"), 60, "the large file to be held")
        up.wait_confirmed(up.engine.add([make(tmp_path / "in", "small.bin", 2 * MB)]), 1, 60)
        assert up.rows(large)[0].state is FileState.SENT

        (small_disk / CLIENT / "first.bin").unlink()
        up.wait_confirmed(large, 1, 90)

        (small_disk / "filler").write_bytes(b"x" * (80 * 1024 * 1024 - 42 * MB - 3 * MB))
        wait_until(lambda: up.engine.core.holds.get(HoldKind.RECEIVER_FULL), 30, "the sender to hear of it")
        waiting = up.engine.add([make(tmp_path / "in", "waiting.bin", 5 * MB)])
        wait_until(lambda: up.rows(waiting), 10, "it to be queued")
        (small_disk / "filler").unlink()
        up.wait_confirmed(waiting, 1, 60)
        assert receiver.process is not None
        assert receiver.process.poll() is None, "it never crashed"
