# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The port to the operating system's files, and its twin that fails on demand.

Names are single parts below an open folder, never paths: nothing here can be led elsewhere by a symlink.
Everything raises `OSError`; the callers turn that into the errors of `storage.errors`.
"""

import ctypes
import errno
import fcntl
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_LIBC: Final = ctypes.CDLL(None, use_errno=True)  # releases the GIL during calls
_NO_REPLACE: Final = 1  # RENAME_NOREPLACE of renameat2(2)
_LACKS_NO_REPLACE: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP})
_CANNOT_SYNC_FOLDERS: Final = frozenset({errno.EINVAL, errno.EOPNOTSUPP})
# Not blocking matters where a pipe was planted: opening one to read would wait for ever.
_SAFELY: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_PRIVATE: Final = 0o600  # until a file is dressed for its final name


class Disk:
    """The machine's files. Has no state, so that it travels to tasks."""

    # folders

    def open_root(self, path: Path) -> int:
        """Open the folder that the configuration names; this alone may be a symlink."""
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def open_folder(self, folder: int, name: str) -> int:
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | _SAFELY, dir_fd=folder)

    def make_folder(self, folder: int, name: str, mode: int) -> None:
        os.mkdir(name, mode, dir_fd=folder)

    def list_names(self, folder: int) -> list[str]:
        return os.listdir(folder)

    def sync_folder(self, folder: int) -> None:
        """Make the folder's entries durable. File systems that cannot be asked to do so keep them as they do."""
        try:
            os.fsync(folder)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC_FOLDERS:
                raise

    def free_bytes(self, folder: int) -> int:
        """What this process may still write there; none where no more files can be made."""
        found = os.fstatvfs(folder)
        if found.f_files and not found.f_favail:
            return 0
        return found.f_bavail * found.f_frsize

    # files

    def open_to_read(self, folder: int, name: str) -> int:
        return os.open(name, os.O_RDONLY | _SAFELY, dir_fd=folder)

    def open_to_write(self, folder: int, name: str) -> int:
        """Open a file that is there, or create it."""
        return os.open(name, os.O_RDWR | os.O_CREAT | _SAFELY, _PRIVATE, dir_fd=folder)

    def create(self, folder: int, name: str) -> int:
        """Create a file that must not be there."""
        return os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _SAFELY, _PRIVATE, dir_fd=folder)

    def close(self, file: int) -> None:
        os.close(file)

    def pwrite(self, file: int, data: memoryview, offset: int) -> int:
        return os.pwrite(file, data, offset)

    def read_into(self, file: int, buffer: memoryview) -> int:
        return os.readv(file, [buffer])

    def read_from_disk(self, file: int) -> None:
        """Drop what the page cache holds of this file, so that the next reads see the disk; read ahead boldly."""
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_SEQUENTIAL)

    def read_past_the_cache(self, file: int) -> None:
        """Let `read_at` go to the disk itself: cheaper for large files, which would only push others out of the cache.

        Raises:
            OSError: with EINVAL where the file system has no such way.
        """
        fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_DIRECT)

    def read_through_the_cache(self, file: int) -> None:
        """The usual way again."""
        fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) & ~os.O_DIRECT)

    def read_at(self, file: int, buffer: memoryview, offset: int) -> int:
        return os.preadv(file, [buffer], offset)

    def fetch_from_disk(self, file: int) -> None:
        """The same for a small file that is read in a moment: the disk begins now, and the call does not wait."""
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_WILLNEED)

    def let_go(self, file: int) -> None:
        """Begin to write what the page cache holds, drop what is written, wait for nothing; a sync tells what failed.

        The next writes get memory that is at hand. On a virtual machine fresh memory costs more than the write itself.
        """
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)

    def fdatasync(self, file: int) -> None:
        os.fdatasync(file)

    def fsync(self, file: int) -> None:
        os.fsync(file)

    def syncfs(self, folder: int) -> None:
        """Make everything on the folder's file system durable.

        The kernel reports failed writes since the descriptor was opened: use one that is older than the writes.
        """
        _check(_LIBC.syncfs(folder))

    def stat(self, folder: int, name: str) -> os.stat_result:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)

    def fstat(self, file: int) -> os.stat_result:
        return os.fstat(file)

    def set_mtime(self, file: int, mtime_ns: int) -> None:
        os.utime(file, ns=(mtime_ns, mtime_ns))

    def set_mode(self, file: int, mode: int) -> None:
        os.fchmod(file, mode)

    def set_group(self, file: int, gid: int) -> None:
        os.fchown(file, -1, gid)

    def unlink(self, folder: int, name: str) -> None:
        os.unlink(name, dir_fd=folder)

    # renaming

    def rename_over(self, folder: int, name: str, to_folder: int, to_name: str) -> None:
        """Rename, replacing in one step what is there."""
        os.rename(name, to_name, src_dir_fd=folder, dst_dir_fd=to_folder)

    def rename_new(self, folder: int, name: str, to_folder: int, to_name: str) -> None:
        """Rename to a name that must be free.

        Where the file system cannot do that in one step, link and unlink do it in two; called again after a
        crash between them, it does the second. Where there are no hard links either, it fails: showing an empty
        file first, as a place holder, would break the promise that a final name never shows unfinished bytes.

        Raises:
            FileExistsError: the name is taken.
        """
        try:
            self._rename_or_link(folder, name, to_folder, to_name)
        except FileExistsError:
            if not os.path.samestat(self.stat(folder, name), self.stat(to_folder, to_name)):
                raise
            self.unlink(folder, name)

    def _rename_or_link(self, folder: int, name: str, to_folder: int, to_name: str) -> None:
        try:
            self.renameat2(folder, name, to_folder, to_name)
        except OSError as error:
            if error.errno not in _LACKS_NO_REPLACE:
                raise
            self.link(folder, name, to_folder, to_name)
            self.unlink(folder, name)

    def renameat2(self, folder: int, name: str, to_folder: int, to_name: str) -> None:
        """The system call with RENAME_NOREPLACE; a C library without it counts as a file system without it."""
        if not hasattr(_LIBC, "renameat2"):
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        _check(_LIBC.renameat2(folder, os.fsencode(name), to_folder, os.fsencode(to_name), _NO_REPLACE))

    def link(self, folder: int, name: str, to_folder: int, to_name: str) -> None:
        os.link(name, to_name, src_dir_fd=folder, dst_dir_fd=to_folder, follow_symlinks=False)


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


@contextmanager
def closing(disk: Disk, file: int) -> Iterator[int]:
    """Close a file or folder that was read only: how that ends does not matter."""
    try:
        yield file
    finally:
        disk.close(file)


EVERY: Final = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """An operation of `Disk` fails with this errno at its n-th call, or at every one."""

    operation: str
    errno: int
    call: int = 1


class FaultyDisk(Disk):
    """Real files, but chosen operations fail; a write that fails has written half, as on a full disk.

    `calls` tells what was asked in which order.
    """

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        self.calls: list[str] = []
        self._counts: Counter[str] = Counter()

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - whatever the operation is
        found = super().__getattribute__(name)
        if name.startswith("_") or not callable(found):
            return found

        def operation(*args: Any) -> Any:  # noqa: ANN401 - likewise
            self._fail_if_due(name, args)
            return found(*args)

        return operation

    def _fail_if_due(self, name: str, args: tuple[Any, ...]) -> None:
        self.calls.append(name)
        self._counts[name] += 1
        for fault in self.faults:
            if fault.operation == name and fault.call in {EVERY, self._counts[name]}:
                if name == "pwrite":
                    os.pwrite(args[0], args[1][: len(args[1]) // 2], args[2])
                raise OSError(fault.errno, os.strerror(fault.errno))
