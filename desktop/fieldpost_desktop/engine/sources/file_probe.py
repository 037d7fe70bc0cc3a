# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Probes the files of this computer without disturbing other programs, and names what went wrong.

Reading shares everything. Only the probe denies writers, for the moment it takes to see whether there are any.
"""

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fieldpost_shared.codes import Code


@dataclass(frozen=True, slots=True)
class FileVersion:
    """What distinguishes one version of a file from the next."""

    size: int
    mtime_ns: int
    identity: str  # device and inode; on Windows volume and file index


def file_version(path: str) -> FileVersion:
    """Return the version of a plain file; under the name of a link or a folder the file is gone.

    Raises:
        OSError: see `code_of_os_error`.
    """
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or is_link(found):
        raise FileNotFoundError(errno.ENOENT, "no plain file any more", path)
    return FileVersion(found.st_size, found.st_mtime_ns, f"{found.st_dev}:{found.st_ino}")


# Only Windows has file attributes and reparse tags.
_NAME_SURROGATE: Final = 0x20000000  # this bit of a reparse tag means: stands for another path
_HIDDEN: Final = stat.FILE_ATTRIBUTE_HIDDEN | stat.FILE_ATTRIBUTE_SYSTEM
_FETCHED_FIRST: Final = stat.FILE_ATTRIBUTE_OFFLINE | 0x00040000 | 0x00400000  # and recall on open, on data access


def is_link(found: os.stat_result) -> bool:
    """Return whether this (from `lstat`) is a link or a junction; files of a cloud drive are neither."""
    return stat.S_ISLNK(found.st_mode) or bool(getattr(found, "st_reparse_tag", 0) & _NAME_SURROGATE)


def is_hidden(name: str, found: os.stat_result) -> bool:
    """Return whether file managers hide it by default; on Windows system files count too."""
    attributes = getattr(found, "st_file_attributes", None)
    return name.startswith(".") if attributes is None else bool(attributes & _HIDDEN)


def is_online_only(path: str) -> bool:
    """Return whether a cloud drive would have to fetch the bytes before they can be read."""
    return bool(getattr(os.lstat(path), "st_file_attributes", 0) & _FETCHED_FIRST)


def as_text(path: str) -> str:
    """Return the path as the journal can store it; bytes that are no Unicode become visible escapes."""
    return path.encode("utf-8", "backslashreplace").decode()


_ESCAPED: Final = re.compile(r"\\ud[89a-f][0-9a-f]{2}")


def may_be_escaped(text: str) -> bool:
    """Return whether a stored path may stand for another one, under which no file can be found."""
    return _ESCAPED.search(text) is not None


# opening

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _GENERIC_READ: Final = 0x80000000
    _SHARE_READ: Final = 1
    _SHARE_WRITE: Final = 2
    _SHARE_DELETE: Final = 4
    _OPEN_EXISTING: Final = 3
    _SEQUENTIAL_SCAN: Final = 0x08000000
    _INVALID_HANDLE: Final = wintypes.HANDLE(-1).value

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.CreateFileW.restype = wintypes.HANDLE
    _kernel.CreateFileW.argtypes = (
        wintypes.LPCWSTR,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.LPVOID,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.HANDLE,
    )
    _kernel.CloseHandle.argtypes = (wintypes.HANDLE,)

    def _open_handle(path: str, sharing: int) -> int:
        """Ask Windows directly, because Python's own `open` denies deleting and renaming to all others."""
        handle: int | None = _kernel.CreateFileW(
            path, _GENERIC_READ, sharing, None, _OPEN_EXISTING, _SEQUENTIAL_SCAN, None
        )
        if handle is None or handle == _INVALID_HANDLE:
            code = ctypes.get_last_error()
            raise OSError(0, ctypes.FormatError(code).strip(), path, code)
        return handle

    def open_shared(path: str) -> io.FileIO:
        """Open for reading so that others may still write, rename or delete the file."""
        handle = _open_handle(path, _SHARE_READ | _SHARE_WRITE | _SHARE_DELETE)
        try:
            descriptor = msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_NOINHERIT)
        except OSError:
            _kernel.CloseHandle(handle)
            raise
        return io.FileIO(descriptor, "rb")

    def _try_open(path: str) -> None:
        if not is_online_only(path):  # opening may make the cloud drive fetch it
            _kernel.CloseHandle(_open_handle(path, _SHARE_READ | _SHARE_DELETE))

else:

    def open_shared(path: str) -> io.FileIO:
        """Open for reading so that others may still write, rename or delete the file."""
        return Path(path).open("rb", buffering=0)

    def _try_open(path: str) -> None:
        open_shared(path).close()


def deny_writers_probe(path: str) -> Code | None:
    """Return why a file cannot be read now without a writer at work; None if it can.

    On Windows it is opened so that no program may write, which fails while one does. Other systems know no
    such opening: there it only has to open.
    """
    try:
        _try_open(path)
    except OSError as error:
        return code_of_os_error(error)
    return None


# what went wrong

_NOT_FOUND: Final = (errno.ENOENT, errno.ENOTDIR)
_DENIED: Final = (errno.EACCES, errno.EPERM)
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
_DEVICE_OR_NETWORK: Final = (
    errno.ENODEV,
    errno.ENXIO,
    errno.EIO,
    errno.ESTALE,
    errno.EHOSTDOWN,
    errno.EHOSTUNREACH,
    errno.ENETDOWN,
    errno.ENETUNREACH,
    errno.ECONNRESET,
    errno.ETIMEDOUT,
)
_BY_ERRNO: Final[Mapping[int, Code]] = MappingProxyType(
    dict.fromkeys(_NOT_FOUND, Code.FILE_GONE)
    | dict.fromkeys(_DENIED, Code.FILE_UNREADABLE)
    | dict.fromkeys(_NO_ROOM, Code.LOCAL_DISK_FULL)
    | dict.fromkeys(_DEVICE_OR_NETWORK, Code.DRIVE_GONE)
    | {errno.EBUSY: Code.FILE_IN_USE}
)
# Windows says more than errno can hold: "access denied" there may also be a lock or the antivirus.
_BY_WINERROR: Final[Mapping[int, Code]] = MappingProxyType(
    {32: Code.FILE_IN_USE, 33: Code.FILE_IN_USE}  # sharing and lock violation
    | {225: Code.BLOCKED_BY_ANTIVIRUS, 226: Code.BLOCKED_BY_ANTIVIRUS}
    | dict.fromkeys((39, 112), Code.LOCAL_DISK_FULL)
    | dict.fromkeys((21, 53, 55, 59, 64, 67, 121, 433, 1117, 1167, 1231), Code.DRIVE_GONE)
)


def code_of_os_error(error: OSError) -> Code:
    """Return the one code for what the operating system said about a file."""
    code = _BY_WINERROR.get(getattr(error, "winerror", None) or 0) or _BY_ERRNO.get(error.errno or 0, Code.UNEXPECTED)
    # A drive letter that is not there gives "path not found", like a deleted folder.
    if code is Code.FILE_GONE and error.filename and not _has_drive(os.fsdecode(error.filename)):
        return Code.DRIVE_GONE
    return code


def _has_drive(path: str) -> bool:
    anchor = Path(path).anchor
    return not anchor or Path(anchor).exists()
