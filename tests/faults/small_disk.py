# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A disk of a few MB for F06 and F07: filled, emptied, enlarged and made read-only while programs use it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from fieldpost_receiver.storage.folder.working_folder import WORKING_FOLDER

_FILLER: Final = "filler"
_BLOCK: Final = 4096
_STEP: Final = 1024 * 1024


class SmallDisk:
    """A tmpfs at `place`."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def fill(self, leave: int = 0) -> None:
        """Nothing but these bytes is left, although others write and delete meanwhile."""
        with self._filler.open("ab", buffering=0) as file:
            step = _STEP
            while step >= _BLOCK:
                if self._free() - leave < step:
                    step //= 4
                    continue
                with suppress(OSError):  # somebody else was faster
                    file.write(bytes(step))

    def free(self) -> None:
        """Somebody made room."""
        self._filler.unlink(missing_ok=True)

    def enlarge(self, size: str) -> None:
        """Somebody added a disk."""
        self._remount(f"size={size}")

    def set_read_only(self) -> None:
        """As the kernel does after an error."""
        self._remount("ro")

    def set_writable(self) -> None:
        self._remount("rw")

    @property
    def _filler(self) -> Path:
        """In the receiver's own folder, where there is one: any other name in a destination is somebody's file."""
        own = self.place / WORKING_FOLDER
        return (own if own.exists() else self.place) / _FILLER

    def _free(self) -> int:
        found = os.statvfs(self.place)
        return found.f_bavail * found.f_frsize

    def _remount(self, option: str) -> None:
        # Files that are open for writing keep a plain remount from becoming read-only; they do not survive a bad disk.
        subprocess.run(["mount", "-o", f"remount,{option}", self.place], check=True, capture_output=True)


@contextmanager
def small_disk(place: Path, size: str, *options: str) -> Iterator[SmallDisk]:
    """Mounted for the time of the `with` statement; without the right to do so the test is skipped."""
    place.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", ",".join([f"size={size}", "mode=700", *options]), "tmpfs", str(place)]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("this account may not mount a tmpfs")
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "-l", place], check=True)
