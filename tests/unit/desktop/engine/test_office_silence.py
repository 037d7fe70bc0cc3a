# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Whether the office is still there: its silence is shown after minutes, not hours."""

from pathlib import Path

from support.engine.core import Rig


def test_an_office_that_gives_no_sign_of_life_for_minutes_is_called_silent(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.until(lambda: rig.connector.links)
    rig.hear([rig.office.notice()])
    rig.pass_time(170)
    assert not rig.core.overall().office_silent
    rig.pass_time(30)
    assert rig.core.overall().office_silent
    rig.hear([rig.office.notice()])
    rig.pass_time(10)
    assert not rig.core.overall().office_silent
    rig.close()
