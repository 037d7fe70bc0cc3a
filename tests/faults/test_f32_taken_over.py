# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F32: a state folder of 0.1 is taken over, an older copy of the ledger is put back, a second receiver wants to use it.

With an older ledger the oracle cannot judge: that ledger calls duplicates what the newer one published. Files and
receipts are compared here by themselves.
"""

import json
import shutil
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final
from uuid import uuid4

from faults.bookkeeping import Case
from faults.scene import MB, Scene, Van
from faults.test_f25_retention import ends
from fieldpost_receiver.jobs.files.job_dir import JobDir
from oracle.evidence import file_digest
from support.brokers import Topics
from support.waiting import wait_until

PATIENCE_S: Final = 90.0
TAKEN_OVER: Final = "the checkpoint of Fieldpost 0.1 was removed"
FINISHED: Final = frozenset({"published", "rejected", "cancelled"})
BATCH: Final = 6  # the last one that 0.1 planned; it died before it had read it


def stamps(scene: Scene) -> dict[str, tuple[int, int, int]]:
    """Whatever was touched differs in one of them."""
    found = {name: path.stat() for name, path in scene.receiver.files().items()}
    return {name: (stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns) for name, stat in found.items()}


def send_some(scene: Scene, name: str) -> Van:
    van = scene.van(name)
    van.load("parts.bin", 3 * MB)
    van.load("small.txt", 5_000)
    van.send()
    return van


def receive(scene: Scene, van: Van) -> None:
    """What was there is left as it is, what is new arrives."""
    before = stamps(scene)
    scene.receiver.start()
    van.finish()
    assert stamps(scene).items() >= before.items()


def processed(scene: Scene) -> dict[int, int]:
    """How far the ledger has read each partition."""
    return {row["partition"]: row["next_offset"] for row in scene.receiver.rows("SELECT * FROM processed")}


# a state folder of 0.1


def test_f32_a_state_folder_of_0_1_is_taken_over_and_no_message_is_passed_over(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    """Its checkpoint names a batch that was never read: who believed it would pass over what is in it."""
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        receive(scene, send_some(scene, "first"))
        assert_a_second_one_is_refused(scene)
        for number in range(case.size(1, 4)):
            assert scene.receiver.stop() == 0
            van = send_some(scene, f"meanwhile-{number}")
            van.wait_sent(2)
            leave_a_checkpoint(scene)
            case.fault()
            receive(scene, van)
            assert not JobDir(scene.receiver.state).old_checkpoint.exists()
            assert times_told(scene) == number + 1
        assert scene.receiver.stop() == 0
        receive(scene, send_some(scene, "later"))
        assert times_told(scene) == case.size(1, 4), "a second start has nothing to say"


def leave_a_checkpoint(scene: Scene) -> None:
    """As 0.1 left it: all that is in the topic is planned, and only what the ledger knows was read."""
    known, planned = processed(scene), ends(scene.topics)
    assert sum(planned.values()) > sum(known.values())
    ledger_id, folder = uuid4().hex, JobDir(scene.receiver.state).old_checkpoint
    with closing(sqlite3.connect(JobDir(scene.receiver.state).ledger)) as connection, connection:
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('ledger_id', ?)", (ledger_id,))
    for name in ("offsets", "commits"):
        (folder / name).mkdir(parents=True)
    for number, offsets in ((BATCH - 1, known), (BATCH, planned)):
        (folder / "offsets" / str(number)).write_text(offsets_of_0_1(offsets), encoding="utf-8")
    (folder / "commits" / str(BATCH - 1)).write_text('v1\n{"nextBatchWatermarkMs":0}', encoding="utf-8")
    (folder / "metadata").write_text(json.dumps({"id": str(uuid4())}), encoding="utf-8")
    (folder / "fieldpost-ledger-id").write_text(ledger_id, encoding="ascii")


def offsets_of_0_1(offsets: dict[int, int]) -> str:
    batch = json.dumps({"batchWatermarkMs": 0, "batchTimestampMs": 0, "conf": {}})
    return "\n".join(["v1", batch, json.dumps({"v": 1, "p": offsets})])


def times_told(scene: Scene) -> int:
    return sum(TAKEN_OVER in event["message"] for event in scene.receiver.events())


def assert_a_second_one_is_refused(scene: Scene) -> None:
    done = scene.receiver.command("run")
    assert done.returncode == 75
    assert "another receiver uses" in done.stderr
    assert "Traceback" not in done.stderr
    scene.case.fault()


# an older ledger


def test_f32_an_older_ledger_reads_again_and_changes_or_doubles_no_file(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with ExitStack() as stack:
        stack.callback(scene.close)
        receive(scene, send_some(scene, "first"))
        for number in range(case.size(1, 4)):
            assert scene.receiver.stop() == 0
            older = copy_of_ledger(scene, tmp_path / f"older-{number}")
            receive(scene, send_some(scene, f"forgotten-{number}"))
            far = processed(scene)
            assert scene.receiver.stop() == 0
            put_back(scene, older)
            assert sum(processed(scene).values()) < sum(far.values())
            case.fault()
            before = stamps(scene)
            receive(scene, send_some(scene, f"after-{number}"))
            wait_until_read_again(scene, far)
            assert stamps(scene).items() >= before.items()
            assert_whole_and_single(scene)
            assert_no_false_receipt(scene)


def copy_of_ledger(scene: Scene, folder: Path) -> Path:
    """All its files, while nobody uses it."""
    folder.mkdir()
    for path in ledger_files(scene):
        shutil.copy2(path, folder)
    return folder


def put_back(scene: Scene, folder: Path) -> None:
    for path in ledger_files(scene):
        path.unlink()
    for path in folder.iterdir():
        shutil.copy2(path, scene.receiver.state)


def ledger_files(scene: Scene) -> list[Path]:
    ledger = JobDir(scene.receiver.state).ledger
    return list(ledger.parent.glob(f"{ledger.name}*"))


def wait_until_read_again(scene: Scene, far: dict[int, int]) -> None:
    """Up to these offsets; everything in it is judged, and every letter about it has left."""

    def is_done() -> bool:
        now = processed(scene)
        read = all(now.get(partition, 0) >= offset for partition, offset in far.items())
        return read and scene.receiver.states().keys() <= FINISHED and not scene.receiver.rows("SELECT 1 FROM outbox")

    wait_until(is_done, PATIENCE_S, f"everything to be read again up to {far}")


def assert_whole_and_single(scene: Scene) -> None:
    arrived = {name: file_digest(path) for name, path in scene.receiver.files().items()}
    assert arrived == {f"{one.client}/{one.path}": next(iter(one.versions)) for one in scene.sources}


def assert_no_false_receipt(scene: Scene) -> None:
    """Each names bytes that were sent and are there."""
    sent = {pair for source in scene.sources for pair in source.versions.items()}
    said = {(one.fields["sha256"], one.fields["size"]) for one in scene.evidence().said if one.kind == "received"}
    assert said == sent
