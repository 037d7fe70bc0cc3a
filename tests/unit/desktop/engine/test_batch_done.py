# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The 3 of "3 of 8 files": what is done of what is under way."""

from pathlib import Path

from support.engine.core import Rig


def test_files_count_as_done_until_there_is_nothing_left_to_do(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    (old,) = rig.add(rig.file("old", b"x" * 100_000))
    rig.until_confirmed(old)
    assert rig.core.overall().done == 0, "of the batch before nothing is said any more"
    (new,) = rig.add(rig.file("new", b"y" * 100_000))
    (moved,) = rig.add(rig.file("moved", b"z" * 100_000))
    assert rig.core.overall().done == 0
    rig.core.commands.pause([moved.id])
    rig.until_confirmed(new)
    assert rig.core.overall().done == 1
    rig.core.commands.resume([moved.id])
    rig.until_confirmed(moved)
    assert rig.core.overall().done == 0
    rig.close()
