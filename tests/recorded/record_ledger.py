# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# mypy: ignore-errors
"""Record the state folder and destination of a receiver 0.1, and what 0.1 says about them. Runs with the code of 0.1.

Everything is done by the receiver of 0.1 on its test rig: real ledger, real disk, lists for the topics.
"""

import json
import os
import subprocess
import sys
import tempfile
import zlib
from base64 import b64encode
from pathlib import Path

import pytest
from dump_sql import FOLDER, dump_sql
from fieldpost_receiver.belonging import bind_checkpoint, bind_topic
from fieldpost_receiver.ranges import Range
from receiver_rig import CHUNK, PARTITIONS, Rig, Sent, pack, rig_at

from fieldpost_shared.clock import NS_PER_S, FakeClock
from fieldpost_shared.protocol.messages import Record

NOW_NS = 1_750_000_000 * NS_PER_S  # June 2025, as in the recorded journal
TOPIC_ID = "Zm9yIHRlc3RzIG9ubHkuLg"
COMMANDS = {
    "status.json": ["status", "--json"],
    "files.txt": ["files"],
    "files.csv": ["files", "--csv"],
}


class Died(BaseException):
    """Stands for kill -9."""


class DieAt:
    """Dies whenever the armed point is reached."""

    armed = ""

    def reach(self, point: str) -> None:
        if point == self.armed:
            raise Died


def text(number: int, size: int) -> bytes:
    """Bytes that a test makes again, and that take little room in a recording."""
    return (f"Fieldpost {number} ".encode() * (size // 12 + 2))[:size]


def sent(number: int, path: str, size: int) -> Sent:
    return Sent(number, path, text(number, size))


SMALL = [sent(10 + number, f"small {number}.txt", 100 + number) for number in range(3)]
PUBLISHED = sent(1, "sub/published ü.bin", CHUNK + 5)
AGAIN = Sent(2, "sub/published ü.bin", PUBLISHED.content)  # the same bytes once more: a duplicate
BESIDE = sent(3, "SUB/Published ü.bin", 300)  # other bytes under the same name: renamed
WRONG = sent(4, "wrong.bin", CHUNK)  # its `end` tells another hash
LARGE = sent(5, "large.bin", 9 * CHUNK)  # above max_file_size
DROPPED = sent(6, "dropped.bin", 2 * CHUNK)  # cancelled half-way
OPEN = [sent(20, "receiving.bin", 3 * CHUNK), sent(21, "asked again.bin", 3 * CHUNK)]
INTENT = sent(22, "intent.bin", CHUNK + 1)
SEALED = sent(23, "sealed.bin", CHUNK + 2)
COMPLETE = sent(24, "complete.bin", CHUNK + 3)
HELD = sent(25, "held.bin", 2 * CHUNK)
UNSAID = sent(7, "published, not told.txt", 77)  # its receipt waits in the outbox
DROPPED_LATER = sent(8, "dropped later.bin", 2 * CHUNK)
SETTINGS = {"max_file_size": "512KiB", "max_open_bytes": "4MiB"}


def live(rig: Rig, crash: DieAt) -> None:
    """Let the receiver of 0.1 take in files until there is one transfer in every state."""
    bind_checkpoint(rig.shop.store, rig.folder / "state" / "checkpoint")
    bind_topic(rig.shop.store, TOPIC_ID)
    rig.take(pack(*SMALL), PUBLISHED.chunks(), PUBLISHED.end())
    rig.clock.advance(60)
    rig.take(AGAIN.chunks(), AGAIN.end(), BESIDE.chunks(), BESIDE.end())
    rig.take(WRONG.chunks(), WRONG.end(digest="00" * 32), LARGE.chunk(0), DROPPED.chunk(0))
    rig.take(DROPPED.cancel(), None, None)
    rig.clock.advance(60)
    rig.take(OPEN[0].chunk(0), OPEN[0].chunk(2), OPEN[1].chunk(1), OPEN[1].end())  # a `missing` is said
    rig.topic.send(pack(UNSAID), DROPPED_LATER.chunk(0))
    rig.batch()
    rig.publish()
    rig.topic.send(DROPPED_LATER.cancel(), INTENT.chunks(), INTENT.end())
    rig.batch()
    crash.armed = "after_intent"
    try:
        rig.publish()
    except Died:
        crash.armed = ""
    rig.topic.send(SEALED.chunks(), SEALED.end())
    rig.batch()
    take_in_without_sealing(rig, *COMPLETE.chunks(), COMPLETE.end())
    rig.shop.batch._parts.admission.free_bytes = 0  # nothing more goes in now
    take_in_without_sealing(rig, HELD.chunk(0))
    rig.shop.store.set_meta("paused", "the destination has too little room")  # PAUSED_KEY


def take_in_without_sealing(rig: Rig, *records: Record) -> None:
    rig.topic.send(*records)
    ends = rig.topic.ends()
    skip = frozenset(rig.shop.transfers.not_to_write(1_000))
    rig.shop.batch.apply(rig._read([Range(one, rig.checkpoint[one], ends[one], skip) for one in range(PARTITIONS)]))
    rig.checkpoint = ends


def tree(folder: Path, *names: str) -> list[dict[str, object]]:
    """Return what lies in these folders, without the databases."""
    kept = []
    for path in (one for name in names for one in [folder / name, *sorted((folder / name).rglob("*"))]):
        about = path.stat()
        if ".db" not in path.name:
            bytes_ = None if path.is_dir() else b64encode(zlib.compress(path.read_bytes(), 9)).decode()
            name = path.relative_to(folder).as_posix()
            kept.append({"name": name, "mode": about.st_mode & 0o777, "mtime_ns": about.st_mtime_ns, "zlib": bytes_})
    return kept


def answers(folder: Path) -> dict[str, str]:
    """Return what the commands of 0.1 print."""
    program = "import sys; from fieldpost_receiver.cli import main; sys.exit(main())"
    said = {}
    for name, command in COMMANDS.items():
        arguments = [sys.executable, "-c", program, *command, "--config", str(folder / "receiver.toml")]
        done = subprocess.run(arguments, env=os.environ | {"TZ": "UTC"}, capture_output=True, text=True, check=True)
        said[name] = done.stdout.replace(str(folder), FOLDER)
    return said


def record(out: Path) -> None:
    """Live the life in a folder that is thrown away, and write what is kept of it."""
    crash = DieAt()
    with tempfile.TemporaryDirectory() as base, pytest.MonkeyPatch.context() as patch:
        folder = Path(base).resolve()
        patch.setattr("receiver_rig.FakeClock", lambda: FakeClock(NOW_NS))
        with rig_at(folder, patch, crash, **SETTINGS) as rig:
            live(rig, crash)
        config = folder / "receiver.toml"
        config.write_text(config.read_text(encoding="utf-8").replace("none:1", "127.0.0.1:1"), encoding="utf-8")
        out.mkdir(parents=True, exist_ok=True)
        for name, text_ in answers(folder).items():
            (out / name).write_text(text_, encoding="utf-8")
        (out / "ledger.sql").write_text(dump_sql(folder / "state" / "ledger.db", folder), encoding="utf-8")
        folders = json.dumps(tree(folder, "state", "destination"), indent=1, ensure_ascii=False) + "\n"
        (out / "folders.json").write_text(folders, encoding="utf-8")
        (out / "receiver.toml").write_bytes(config.read_bytes())


if __name__ == "__main__":
    record(Path(sys.argv[1]) / "receiver")
