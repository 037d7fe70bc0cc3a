# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What kind of folder is watched: whether it may be watched, how often it is scanned, what lies in it."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fieldpost_desktop.engine.journal.folders import Folder, Folders, Waiting
from fieldpost_desktop.engine.model.folder_rules import FolderRules
from fieldpost_desktop.engine.sources.filter import FileFilter
from fieldpost_desktop.engine.watching.walk import UnreadableFolders, walk
from fieldpost_shared.errors import SettingsError

TELL_EVERY: Final = 200  # files


@dataclass(frozen=True, slots=True)
class ScanPolicy:
    """How a folder is scanned."""

    scan_s: float  # between two scans
    settle_s: float  # how long a file must not have changed
    observed: bool  # whether the system tells of changes


LOCAL: Final = ScanPolicy(scan_s=30, settle_s=5, observed=True)
REMOVABLE: Final = ScanPolicy(scan_s=30, settle_s=5, observed=False)  # an observer would keep it from being ejected
NETWORK: Final = ScanPolicy(scan_s=60, settle_s=15, observed=False)  # its events are not to be relied on


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

    def scan_policy_of(path: str) -> ScanPolicy:
        """Return the policy for a folder: UNC paths and mapped drives lie on the network."""
        anchor = Path(path).anchor
        kind = _REMOTE_DRIVE if anchor.startswith("\\\\") else ctypes.windll.kernel32.GetDriveTypeW(anchor)
        return {_REMOVABLE_DRIVE: REMOVABLE, _REMOTE_DRIVE: NETWORK}.get(kind, LOCAL)

else:
    _MOUNTS: Final = Path("/proc/self/mountinfo")

    def scan_policy_of(path: str) -> ScanPolicy:
        """Return the policy for a folder, by the type of its file system where the system tells it."""
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return LOCAL  # not Linux
        return NETWORK if _type_of(path, mounts) in _NETWORK_TYPES else LOCAL


def _type_of(path: str, mounts: str) -> str:
    """Return the file system type of the innermost mount; of several at one path the last one covers the others."""
    innermost, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        mount = _unescape(before.split(" ")[4])
        if len(mount) >= innermost and Path(path).is_relative_to(mount):
            innermost, kind = len(mount), after.split(" ", 1)[0]
    return kind


def _unescape(mount: str) -> str:
    for char in " \t\n\\":
        mount = mount.replace(f"\\{ord(char):03o}", char)
    return mount


# whether it may be watched


class FolderProblem(StrEnum):
    """Why a folder cannot be watched."""

    NO_FOLDER = "no_folder"
    UNREADABLE = "unreadable"
    WHOLE_DRIVE = "whole_drive"
    HOME = "home"
    HOLDS_HOME = "holds_home"
    OWN_DATA = "own_data"
    WATCHED = "watched"
    IN_WATCHED = "in_watched"
    HOLDS_WATCHED = "holds_watched"


_WORDS: Final[Mapping[FolderProblem, str]] = MappingProxyType(
    {
        FolderProblem.NO_FOLDER: "is no folder",
        FolderProblem.UNREADABLE: "cannot be read",
        FolderProblem.WHOLE_DRIVE: "is a whole drive; choose a folder on it",
        FolderProblem.HOME: "is your home folder; choose a folder in it",
        FolderProblem.HOLDS_HOME: "holds your home folder; choose a smaller one",
        FolderProblem.OWN_DATA: "holds Fieldpost's own data, or lies in it; choose another folder",
        FolderProblem.WATCHED: "is watched already",
        FolderProblem.IN_WATCHED: "lies in {other}, which is watched already",
        FolderProblem.HOLDS_WATCHED: "holds {other}, which is watched already",
    }
)


class FolderRefused(SettingsError):
    """A folder cannot be watched; `other` is the watched one that it lies in or holds, `words` are for a terminal."""

    problem: FolderProblem

    def __init__(self, problem: FolderProblem, path: str, other: str = "") -> None:
        self.words = f"{path} {_WORDS[problem].format(other=other)}"
        super().__init__("folder", self.words)
        self.args = (problem, path, other)
        self.problem = problem
        self.path = path
        self.other = other


def check_folder(path: Path, watched: Iterable[str], data_dir: Path) -> str:
    """Return the path to store for a folder that a person chose.

    Raises:
        FolderRefused: it cannot be watched.
    """
    if not path.is_dir():
        raise FolderRefused(FolderProblem.NO_FOLDER, str(path))
    chosen = _real(path)
    problem = _whole_drive_or_home(chosen) or _data_folder(chosen, _real(data_dir))
    if problem is not None:
        raise FolderRefused(problem, str(path))
    for other in watched:
        overlap = _overlap(chosen, _real(Path(other)))
        if overlap is not None:
            raise FolderRefused(overlap, str(path), other)
    return os.path.abspath(path)  # noqa: PTH100 - Path.absolute() keeps `..`, resolve() would show a mapped drive as a server


def _real(path: Path) -> Path:
    return Path(os.path.normcase(path.resolve()))


def _whole_drive_or_home(chosen: Path) -> FolderProblem | None:
    if chosen == Path(chosen.anchor):
        return FolderProblem.WHOLE_DRIVE
    home = _real(Path.home())
    if chosen == home:
        return FolderProblem.HOME
    return FolderProblem.HOLDS_HOME if home.is_relative_to(chosen) else None


def _data_folder(chosen: Path, data: Path) -> FolderProblem | None:
    overlaps = chosen.is_relative_to(data) or data.is_relative_to(chosen)
    return FolderProblem.OWN_DATA if overlaps else None


def _overlap(chosen: Path, other: Path) -> FolderProblem | None:
    if chosen == other:
        return FolderProblem.WATCHED
    if chosen.is_relative_to(other):
        return FolderProblem.IN_WATCHED
    return FolderProblem.HOLDS_WATCHED if other.is_relative_to(chosen) else None


# what a person is shown of it


@dataclass(frozen=True, slots=True)
class FolderView:
    """A watched folder, and how many of its files are not queued yet."""

    folder: Folder
    waiting: Waiting


def folder_views(folders: Folders) -> list[FolderView]:
    """Return every watched folder, in the order they were added."""
    waiting = folders.waiting()
    return [FolderView(folder, waiting.get(folder.id, Waiting())) for folder in folders.all()]


@dataclass(frozen=True, slots=True)
class FolderPreview:
    """What lies in a folder that may be watched; `complete` once everything was counted."""

    path: str
    files: int = 0
    size: int = 0
    complete: bool = False


def preview_folder(
    path: Path, watched: Iterable[str], data_dir: Path, going_on: Callable[[FolderPreview], bool] = lambda _: True
) -> FolderPreview:
    """Count the files that plain rules take; `going_on` gets the count now and then, and stops it by False.

    Raises:
        FolderRefused: it cannot be watched.
    """
    found = FolderPreview(check_folder(path, watched, data_dir))
    try:
        for candidate in walk(found.path, FileFilter(FolderRules()), UnreadableFolders()):
            found = replace(found, files=found.files + 1, size=found.size + candidate.size)
            if found.files % TELL_EVERY == 0 and not going_on(found):
                return found
    except OSError:
        raise FolderRefused(FolderProblem.UNREADABLE, str(path)) from None
    return replace(found, complete=True)
