# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random moments while a large file is sent: the result is identical, and little is sent twice."""

import logging
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # has no types

from brokers import Topics
from office.checker import compare
from office.office import Office
from uploader_kit import running_office
from waiting import wait_until

LOG = logging.getLogger(__name__)
FIELDPOST = Path(sys.executable).with_name("fieldpost")
CLIENT = "van-7"
WINDOW = 32 * 1024 * 1024
PIECE = 16 * 1024 * 1024
MEMORY = 150 * 1024 * 1024


class Sends:
    """`fieldpost send` as a process that is killed and started again."""

    def __init__(self, topics: Topics, data: Path, profile: Path) -> None:
        profile.write_text(
            f'{{"version": 1, "id": "kills", "name": "the office", "bootstrap_servers": "{topics.bootstrap_servers}",'
            f' "files_topic": "{topics.files}", "status_topic": "{topics.status}", "client": "{CLIENT}"}}',
            encoding="utf-8",
        )
        self._command = [str(FIELDPOST), "--data-dir", str(data), "--profile", str(profile)]
        self.largest_rss = 0

    def start(self, *paths: Path) -> "subprocess.Popen[bytes]":
        """A process group of its own, so that all of it can be killed."""
        return subprocess.Popen(
            [*self._command, "send", *map(str, paths)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | {"FIELDPOST_BANDWIDTH_LIMIT": os.environ.get("KILLS_BANDWIDTH", "40MB")},
        )

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        if process.poll() is None:
            self.largest_rss = max(self.largest_rss, psutil.Process(process.pid).memory_info().rss)
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def kill_often(sends: Sends, office: Office, path: Path, kills: int, rng: random.Random) -> int:
    """Kill so many times, each after some more parts have arrived; the number of kills that hit a living process."""
    hits = 0
    for _ in range(kills):
        process = sends.start(path)
        goal = office.seen.bytes_received() + rng.randrange(1, max(2, path.stat().st_size // (2 * kills)))
        deadline = time.monotonic() + 30
        while office.seen.bytes_received() < goal and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)  # wait_until would fail when the file is finished before the goal
        hits += process.poll() is None
        sends.kill(process)
    return hits


def test_a_file_survives_kill_9_at_random_moments(topics: Topics, tmp_path: Path) -> None:
    size = int(os.environ.get("KILLS_SIZE", "100000000"))
    kills = int(os.environ.get("KILLS", "6"))
    path = tmp_path / "survey.bin"
    noise = random.Random(9)  # noqa: S311 - reproducible test data
    with path.open("wb") as file:
        for start in range(0, size, PIECE):
            file.write(noise.randbytes(min(PIECE, size - start)))
    sends = Sends(topics, tmp_path / "data", tmp_path / "p.fieldpost")
    with running_office(topics, tmp_path / "out") as office:
        hits = kill_often(sends, office, path, kills, random.Random(9))  # noqa: S311 - reproducible
        last = sends.start(path)
        wait_until(lambda: last.poll() is not None, 110, "the last run to end")
        assert last.returncode == 0
        assert hits > 0
        assert office.violations == []
        sent_again = office.seen.bytes_received() - size
        rss = sends.largest_rss / 1e6
        LOG.info("%d kills, %d hit; %.1f MB sent again; RSS up to %.0f MB", kills, hits, sent_again / 1e6, rss)
    assert compare({"survey.bin": path}, tmp_path / "out", CLIENT) == []
    assert sent_again <= hits * WINDOW
    assert sends.largest_rss < MEMORY
