# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Temporary folders lie in memory where there is room: journals, ledgers and brokers wait for their disk all the time.

Nothing that is tested depends on it. PYTEST_DEBUG_TEMPROOT or --basetemp choose another place, such as a real disk.
"""

import os
from pathlib import Path
from typing import Final

import pytest

_ROOT: Final = "PYTEST_DEBUG_TEMPROOT"  # pytest's own
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - pytest makes a folder in it that is ours alone
_ENOUGH: Final = 8 * 1024**3  # a whole run keeps up to 2 GiB at a time


def pytest_configure(config: pytest.Config) -> None:
    """Choose the place before the first temporary folder is made; processes that run tests get theirs inside of it."""
    is_chosen = config.option.basetemp is not None or _ROOT in os.environ
    if not is_chosen and not config.getoption("--faults-long") and _has_room():  # long runs move more than fits
        os.environ[_ROOT] = str(_MEMORY)


def _has_room() -> bool:
    try:
        disk = os.statvfs(_MEMORY)
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return False
    return os.access(_MEMORY, os.W_OK) and min(disk.f_bavail * disk.f_frsize, available) >= _ENOUGH
