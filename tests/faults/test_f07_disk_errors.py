# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F07: a disk turns read-only, or a right is lost, under the running receiver and the running uploader."""

from collections.abc import Callable
from pathlib import Path

from faults.bookkeeping import Case
from faults.scene import MB, Scene
from faults.small_disk import small_disk
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_receiver.runtime.exit_codes import STORAGE
from fieldpost_receiver.runtime.instance_lock import locked
from support.brokers import Topics
from support.processes.cli import without_privileges

PATIENCE_S = 180.0  # a busy machine


def ends_with_a_failure_of_storage(scene: Scene) -> None:
    """Exit 74 in words, nothing said to be received that is not there, and no lock left behind."""
    receiver = scene.receiver
    assert receiver.process is not None
    assert receiver.process.wait(PATIENCE_S) == STORAGE, receiver.log.read_text(encoding="utf-8")[-3_000:]
    told = [event for event in receiver.events() if event["level"] == "error"]
    assert told[-1]["code"] == "storage_failed"


def test_f07_a_disk_that_refuses_ends_with_74_and_all_is_right_after_mending(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    office = tmp_path / "office"
    with small_disk(office / "destination", "80m") as files:
        scene = Scene(case, secure_topics, tmp_path, min_free_space="8MB")
        scene.receiver.preexec = without_privileges
        staging = scene.receiver.destination / ".fieldpost" / "staging"
        faults: list[tuple[Callable[[], None], Callable[[], None]]] = [
            (files.set_read_only, files.set_writable),
            (lambda: staging.chmod(0), lambda: staging.chmod(0o700)),
            (lambda: scene.receiver.state.chmod(0), lambda: scene.receiver.state.chmod(0o700)),
        ]
        with scene.judged():
            van = scene.van()
            scene.receiver.start()
            for number, (harm, mend) in enumerate(case.size(faults[:1], faults)):
                harm()
                case.fault()
                van.load(f"{number}.bin", 3 * MB)
                van.send()
                ends_with_a_failure_of_storage(scene)
                mend()
                with locked(scene.receiver.state):
                    assert f"van-7/in/{number}.bin" not in scene.receiver.files()
                scene.receiver.start()
                van.finish(PATIENCE_S)


def test_f07_an_uploader_without_its_files_or_its_journal_says_so_and_loses_nothing(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    van = scene.van()
    van.cli.preexec = without_privileges
    with small_disk(van.cli.data_dir, "4m") as disk, scene.judged():
        scene.receiver.start()
        van.load("first.bin", 2 * MB)
        van.send()
        van.finish(PATIENCE_S)
        disk.set_read_only()
        case.fault()
        van.load("second.bin", 2 * MB)
        refused = van.send().wait().check(Exit.NOT_SET_UP)
        assert "data_dir" in refused.err
        disk.set_writable()

        secret = van.inbox / "second.bin"
        secret.chmod(0)
        case.fault()
        van.send()
        asked = van.sendings[-1].wait().check(Exit.NEEDS_YOU)
        assert "This file may not be read." in asked.out + asked.err
        secret.chmod(0o600)
        van.cli.run("retry").check(Exit.DONE)
        van.send()
        van.finish(PATIENCE_S)
