# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import logging
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.job_dir import JobDir
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


def test_a_checkpoint_of_0_1_is_removed_and_that_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    (tmp_path / "checkpoint/offsets").mkdir(parents=True)
    (tmp_path / "checkpoint/offsets/7").write_text("{}")
    (tmp_path / "ledger.db").write_text("kept")
    for _ in range(2):
        JobDir(tmp_path).remove_old_checkpoint()
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.db"]
    assert [record.message for record in caplog.records] == [
        "the checkpoint of Fieldpost 0.1 was removed: reading goes on where the ledger says"
    ]


@pytest.mark.parametrize("left", ["nothing", "an empty file"])
def test_no_new_ledger_begins_beside_the_copy_of_one_that_is_lost(tmp_path: Path, left: str) -> None:
    state = JobDir(tmp_path)
    if left == "an empty file":
        state.ledger.touch()
    state.check_ledger()  # the first start of all
    state.ledger_copy.write_bytes(b"copy")
    with pytest.raises(FieldpostError) as caught:
        state.check_ledger()
    assert caught.value.code is Code.LEDGER_DAMAGED
    state.ledger.write_bytes(b"ledger")
    state.check_ledger()


def test_a_link_in_place_of_the_old_checkpoint_goes_and_its_target_stays(tmp_path: Path) -> None:
    target, state = tmp_path / "elsewhere", tmp_path / "state"
    target.mkdir()
    state.mkdir()
    (state / "checkpoint").symlink_to(target)
    JobDir(state).remove_old_checkpoint()
    assert list(state.iterdir()) == []
    assert target.is_dir()
