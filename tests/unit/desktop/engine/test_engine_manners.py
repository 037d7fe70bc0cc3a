# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Small promises of the engine that the command line found broken."""

import threading
from pathlib import Path

from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.runtime.worker_threads import WorkerRole, WorkerThreads
from fieldpost_desktop.engine.sources.expand import NotAdded, expand
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from support.engine.core import Rig


def test_the_core_rests_while_a_try_that_is_due_is_under_way(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    now_ns = rig.clock.now_ns()
    rig.core.holds.put(Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, now_ns - NS_PER_S))
    assert rig.core.rest_s(1.0) == 1.0
    rig.core.holds.put(Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, now_ns + NS_PER_S // 4))
    assert rig.core.rest_s(1.0) == 0.25
    rig.close()


def test_a_file_that_vanishes_while_its_folder_is_walked_does_no_harm(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(b"x")
    found = expand([str(tmp_path)])
    first = next(found)
    (tmp_path / "b").unlink()
    gone, last = found
    assert (first.path.rpartition("/")[2], last.path.rpartition("/")[2]) == ("a", "c")
    assert isinstance(gone, NotAdded)
    assert gone.code is Code.FILE_GONE


def test_a_worker_that_hangs_keeps_no_program_alive() -> None:
    begun, release, woken = threading.Event(), threading.Event(), threading.Event()

    def hang() -> str:
        begun.set()
        release.wait(20)
        return "done"

    workers = WorkerThreads(woken.set)
    future = workers.submit(WorkerRole.CONNECTING, hang)
    assert begun.wait(20)
    threads = [thread for thread in threading.enumerate() if thread.name == "fieldpost-connecting"]
    assert [thread.daemon for thread in threads] == [True]
    workers.close()
    release.set()
    assert future.result(20) == "done"
    assert woken.wait(20)
    threads[0].join(20)
    assert not threads[0].is_alive()
