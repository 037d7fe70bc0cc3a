# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong in storage, told apart by what comes next.

FieldpostError
├── StorageError      the destination itself: pause when it is full, else stop (exit 74)
├── TooLargeForDisk   this one file can never be stored here: reject it, go on
├── NotWhole          this one file lost staged bytes: ask for them again
├── LateTask          the batch of this task has ended: write nothing
├── NameTaken         this one name is in use: choose another, or reject
└── NameRefused
    └── PathBlocked   something stands in the way of this one name: reject it, go on

All of them survive pickling: tasks raise some, the driver reads them. None names a path.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, NameRefused

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_TOO_LARGE: Final = frozenset({errno.EFBIG, errno.EOVERFLOW})  # past what the file system can address


class StorageError(FieldpostError):
    """The operating system refused; `operation` says what was tried, `errno` why."""

    def __init__(self, operation: str, number: int) -> None:
        code = Code.RECEIVER_FULL if number in _NO_ROOM else Code.STORAGE_FAILED
        super().__init__(code, f"{operation}: {errno.errorcode.get(number, str(number))}, {os.strerror(number)}")
        self.args = (operation, number)
        self.operation = operation
        self.errno = number

    @property
    def waits_for_space(self) -> bool:
        """Whether to pause until there are free bytes again. A quota does not show there, so it does not count."""
        return self.errno == errno.ENOSPC


class TooLargeForDisk(FieldpostError):
    """The file system cannot hold a file that large, however much room there is."""

    def __init__(self) -> None:
        super().__init__(Code.TOO_LARGE, "more than the receiver's file system can hold in one file")
        self.args = ()


class NotWhole(FieldpostError):
    """A file to be sealed has not the size it must have; `found` is None if it is not there."""

    def __init__(self, expected: int, found: int | None) -> None:
        super().__init__(Code.PARTS_MISSING, f"{found} of {expected} bytes are staged")
        self.args = (expected, found)
        self.expected = expected
        self.found = found


class LateTask(FieldpostError):
    """The batch that this task belongs to is over: it failed, was cancelled, or its driver was killed."""

    def __init__(self) -> None:
        super().__init__(Code.UNEXPECTED, "the batch of this task has ended; it writes nothing")
        self.args = ()


class NameTaken(FieldpostError):
    """The final name, or one that differs only in case or composition, is in use."""

    def __init__(self) -> None:
        super().__init__(Code.NAME_TAKEN)
        self.args = ()


class PathBlocked(NameRefused):
    """A name that may travel cannot be written here; `detail` is one of `names.Blocked`."""


@contextmanager
def storing(operation: str) -> Iterator[None]:
    """Turn the operating system's errors into ours.

    Raises:
        TooLargeForDisk: the file system cannot address that offset; no fault of the disk.
        StorageError: anything else.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _TOO_LARGE:
            raise TooLargeForDisk from error
        raise StorageError(operation, error.errno or errno.EIO) from error
