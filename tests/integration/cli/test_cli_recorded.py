# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The commands print about a data folder of 0.1 what 0.1 printed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from support.recorded import UPLOADER, said_by_0_1, uploader_of_0_1

PROGRAM: Final = Path(sys.executable).with_name("fieldpost")
COMMANDS: Final = {
    "status.txt": ["status"],
    "status.json": ["status", "--json"],
    "history.txt": ["history"],
    "history.jsonl": ["history", "--json"],
    "folders.txt": ["watch", "--list"],
    "profile.txt": ["profile", "show"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_0_1_printed(tmp_path: Path, name: str) -> None:
    data = uploader_of_0_1(tmp_path)
    command = [str(PROGRAM), "--data-dir", str(data), *COMMANDS[name]]
    done = subprocess.run(command, env=os.environ | {"TZ": "UTC"}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, said_by_0_1(UPLOADER / name, tmp_path))
