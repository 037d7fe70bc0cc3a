# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A disk on which a file of 64 GiB fits: btrfs in a file, with compression, where this account may mount one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from support.waiting import wait_until

_IMAGE: Final = 200 * 1024**3  # without blocks; it takes what is written
_PROGRAM: Final = "mkfs.btrfs"
_END_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class RoomyDisk:
    """A folder to work in; zeros take no room there if it compresses."""

    folder: Path
    compresses: bool
    room: int


@contextmanager
def roomy_disk(folder: Path) -> Iterator[RoomyDisk]:
    """The folder itself where nothing better can be had."""
    room = shutil.disk_usage(folder).free
    image, mount = folder / "disk.img", folder / "roomy"
    if os.geteuid() != 0 or shutil.which(_PROGRAM) is None:
        yield RoomyDisk(folder, compresses=False, room=room)
        return
    with image.open("wb") as file:
        file.truncate(_IMAGE)
    mount.mkdir()
    subprocess.run([_PROGRAM, "--quiet", str(image)], check=True, capture_output=True)
    options = "loop,compress=zstd:1,discard=async"
    mounted = subprocess.run(["mount", "-o", options, image, mount], check=False, capture_output=True)
    if mounted.returncode != 0:
        yield RoomyDisk(folder, compresses=False, room=room)
        return
    try:
        yield RoomyDisk(mount, compresses=True, room=room)
    finally:
        # The last of Spark's processes may still be ending.
        wait_until(
            lambda: subprocess.run(["umount", mount], check=False).returncode == 0, _END_S, "the disk to be idle"
        )
        image.unlink()
