# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One engine for each data folder, by a lock of the operating system: it ends with the process, however that ends."""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from fieldpost_shared.errors import SettingsError

# WORKAROUND(Wine): its runtime library refuses the lock and leaves no reason, which Python gives as 0.
_TAKEN: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK, 0})
_PID_BYTES: Final = 20


class DataFolderLock:
    """`with DataFolderLock(paths.lock) as lock:` tries to take it; `lock.held` says whether it did.

    The file stays when the lock is released: removing it would let two processes lock two files of one name.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Return whether this object has the lock."""
        return self._descriptor is not None

    def acquire(self) -> bool:
        """Take the lock unless another process has it; never wait.

        Raises:
            SettingsError: the data folder cannot be locked at all.
        """
        if self.held:
            return True
        try:
            # The descriptor is not inherited: a child process must not keep the lock alive.
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._unusable(error) from error
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _TAKEN:
                return False
            raise self._unusable(error) from error
        self._descriptor = descriptor
        _write_pid(descriptor)
        return True

    def release(self) -> None:
        """Release the lock, if this object has it."""
        if self._descriptor is not None:
            _unlock(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def holder(self) -> int | None:
        """Return the process id that the last holder wrote. For reports only: the process may be long gone."""
        try:
            with self._path.open("rb") as file:
                text = file.read(_PID_BYTES)
        except OSError:
            return None
        return int(text) if text.isdigit() else None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _unusable(self, error: OSError) -> SettingsError:
        return SettingsError("data_dir", f"{self._path}: cannot be locked: {error.strerror}")


def _write_pid(descriptor: int) -> None:
    with suppress(OSError):  # a full disk: the lock holds without a name in it
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode("ascii"))


if sys.platform == "win32":
    import msvcrt

    # Windows keeps others from reading what is locked, so a byte far behind the process id is.
    _LOCKED_BYTE: Final = 1 << 30

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
