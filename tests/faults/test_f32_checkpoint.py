# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F32: the checkpoint is lost, an older copy is put back, a second receiver wants to use it."""

import shutil
from pathlib import Path

from faults.bookkeeping import Case
from faults.scene import MB, Scene
from support.brokers import Topics


def stamps(scene: Scene) -> dict[str, tuple[int, int, int]]:
    """Whatever was touched differs in one of them."""
    found = {name: path.stat() for name, path in scene.receiver.files().items()}
    return {name: (stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns) for name, stat in found.items()}


def send_some(scene: Scene, name: str) -> None:
    van = scene.van(name)
    van.load("parts.bin", 3 * MB)
    van.load("small.txt", 5_000)
    van.send()


def receive(scene: Scene, name: str) -> None:
    """What was there is left as it is, what is new arrives."""
    before = stamps(scene)
    send_some(scene, name)
    scene.receiver.start()
    scene.van(name).finish()
    assert stamps(scene).items() >= before.items()


def test_f32_a_lost_or_older_checkpoint_changes_no_file_and_takes_no_second_user(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    checkpoint, older = scene.receiver.state / "checkpoint", tmp_path / "older"
    with scene.judged():
        receive(scene, "first")
        assert_a_second_one_is_refused(scene)
        for number in range(case.size(1, 4)):
            assert scene.receiver.stop() == 0
            shutil.copytree(checkpoint, older)
            shutil.rmtree(checkpoint)
            case.fault()
            receive(scene, f"lost-{number}")
            scene.receiver.kill()
            shutil.rmtree(checkpoint)
            older.rename(checkpoint)
            case.fault()
            receive(scene, f"older-{number}")


def assert_a_second_one_is_refused(scene: Scene) -> None:
    done = scene.receiver.command("run")
    assert done.returncode == 75
    assert "another receiver uses" in done.stderr
    assert "Traceback" not in done.stderr
    scene.case.fault()
