# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What kind of place a watched folder is: whether it may be watched at all, and how often it is looked at."""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldpost_shared.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How a folder is looked after."""

    scan_s: float  # between two scans
    settle_s: float  # how long a file must not have changed
    observed: bool  # whether the system is asked to tell of changes


LOCAL: Final = Rhythm(scan_s=30, settle_s=5, observed=True)
REMOVABLE: Final = Rhythm(scan_s=30, settle_s=5, observed=False)  # an observer would keep it from being ejected
NETWORK: Final = Rhythm(scan_s=60, settle_s=15, observed=False)  # its events are not to be relied on


# Folders shared by a virtual machine's host count too: their changes raise no events either.
_NETWORK_TYPES: Final = frozenset(
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "davfs",
        "glusterfs",
        "virtiofs",
        "vboxsf",
        "prl_fs",
        "fuse.sshfs",
        "fuse.davfs",
        "fuse.davfs2",
        "fuse.rclone",
        "fuse.glusterfs",
        "fuse.gvfsd-fuse",
        "fuse.vmhgfs-fuse",
    ]
)

if sys.platform == "win32":
    import ctypes

    _REMOVABLE_DRIVE: Final = 2
    _REMOTE_DRIVE: Final = 4

    def rhythm_of(path: str) -> Rhythm:
        """How to look after a folder: UNC paths and mapped drives lie on the network."""
        anchor = Path(path).anchor
        kind = _REMOTE_DRIVE if anchor.startswith("\\\\") else ctypes.windll.kernel32.GetDriveTypeW(anchor)
        return {_REMOVABLE_DRIVE: REMOVABLE, _REMOTE_DRIVE: NETWORK}.get(kind, LOCAL)

else:
    _MOUNTS: Final = Path("/proc/self/mountinfo")

    def rhythm_of(path: str) -> Rhythm:
        """How to look after a folder, by the type of its file system where the system tells it."""
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return LOCAL  # not Linux
        return NETWORK if _type_of(path, mounts) in _NETWORK_TYPES else LOCAL


def _type_of(path: str, mounts: str) -> str:
    """The file system type of the innermost mount; of several at one place the last one covers the others."""
    innermost, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        place = _unescape(before.split(" ")[4])
        if len(place) >= innermost and Path(path).is_relative_to(place):
            innermost, kind = len(place), after.split(" ", 1)[0]
    return kind


def _unescape(place: str) -> str:
    for char in " \t\n\\":
        place = place.replace(f"\\{ord(char):03o}", char)
    return place


def check_folder(path: Path, watched: Iterable[str], data_dir: Path) -> str:
    """The path to store for a folder that a person chose.

    Raises:
        SettingsError: it cannot be watched; the words say why.
    """
    if not path.is_dir():
        raise SettingsError("folder", f"{path} is no folder")
    chosen = _real(path)
    problem = (
        _whole_drive_or_home(chosen)
        or _data_folder(chosen, _real(data_dir))
        or next(filter(None, (_overlap(chosen, Path(one)) for one in watched)), "")
    )
    if problem:
        raise SettingsError("folder", f"{path} {problem}")
    return os.path.abspath(path)  # noqa: PTH100 - Path.absolute() keeps `..`, resolve() would show a mapped drive as a server


def _real(path: Path) -> Path:
    return Path(os.path.normcase(path.resolve()))


def _whole_drive_or_home(chosen: Path) -> str:
    if chosen == Path(chosen.anchor):
        return "is a whole drive; choose a folder on it"
    home = _real(Path.home())
    if chosen == home:
        return "is your home folder; choose a folder in it"
    return "holds your home folder; choose a smaller one" if home.is_relative_to(chosen) else ""


def _data_folder(chosen: Path, data: Path) -> str:
    if chosen.is_relative_to(data) or data.is_relative_to(chosen):
        return "holds Fieldpost's own data, or lies in it; choose another folder"
    return ""


def _overlap(chosen: Path, watched: Path) -> str:
    other = _real(watched)
    if chosen == other:
        return "is watched already"
    if chosen.is_relative_to(other):
        return f"lies in {watched}, which is watched already"
    return f"holds {watched}, which is watched already" if other.is_relative_to(chosen) else ""
