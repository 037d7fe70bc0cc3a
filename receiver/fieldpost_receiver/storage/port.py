# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The storage port: where the bytes of files are kept, from the first chunk to the final name.

A job speaks of outcomes only. What each implementation does to reach them is its own matter: a folder renames, an
object store will upload. Every implementation passes `tests/contracts/storage`.

    Storage          a destination as a whole; opens the three sides below
    StagingWriter    a task's side: write chunks in place, sync
    Staging          the driver's side: seal complete files, discard others, list, free space
    Published        final names: find, choose, verify, prepare, publish, settle
    TasksLock        who may write staged files now: the tasks of one batch, or the driver
    TriesOut         optional: tell before a run whether the destination can be used
    TriesLock        optional: tell before a run whether the tasks' lock counts on other machines

What differs between implementations and matters to a caller is told by `Properties`, never by asking for a class.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Final, Protocol, Self, runtime_checkable

from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_shared.ids import TransferId, is_transfer_id

Segments = tuple[str, ...]  # of a path below the destination: its folders, and the name last
IsCancelled = Callable[[], bool]

RESERVED: Final = ".fieldpost"  # where a first segment begins like this, the destination's own area lies
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{16}", re.ASCII)


def never() -> bool:
    """Return False: the `is_cancelled` of a caller that waits for the end."""
    return False


def check_segments(segments: Segments) -> None:
    """Refuse what no layout can have made: the last line of defence, also for what a ledger remembers.

    Raises:
        ValueError: a segment that is not the name of a file or folder, or the destination's own area.
    """
    for segment in segments:
        if segment in {"", ".", ".."} or "/" in segment or "\0" in segment:
            raise ValueError("not the name of a file or folder")
    if segments and segments[0].casefold().startswith(RESERVED):
        raise ValueError("the receiver's own folder")


@dataclass(frozen=True, slots=True)
class StagedFile:
    """The bytes of one version of the facts of one transfer, before they have a final name.

    Raises:
        ValueError: an id that did not pass the protocol's checks.
    """

    transfer: TransferId
    fingerprint: str

    def __post_init__(self) -> None:
        if not is_transfer_id(self.transfer) or not _FINGERPRINT.fullmatch(self.fingerprint):
            raise ValueError("not a transfer id, or not a fingerprint")


@dataclass(frozen=True, slots=True)
class Content:
    """What the bytes of a file must be, and the time that it was changed last at its sender."""

    sha256: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class SealedFile:
    """A complete file that waits for its final name, and what its bytes must be."""

    file: StagedFile
    content: Content


@dataclass(frozen=True, slots=True)
class StagedEntry:
    """One file as a listing shows it. `allocated` is the space it takes: staged files are sparse."""

    file: StagedFile
    size: int
    allocated: int
    mtime_ns: int


class Whereabouts(StrEnum):
    """Where the bytes of a staged file are."""

    STAGED = "staged"
    SEALED = "sealed"
    GONE = "gone"  # published, discarded, or never there


class Verdict(StrEnum):
    """What reading a sealed file back has shown."""

    SAME = "same"
    DIFFERENT = "different"
    CANCELLED = "cancelled"  # not read to its end


@dataclass(frozen=True, slots=True)
class Place:
    """A final name that was free, or may be replaced, when it was chosen."""

    segments: Segments
    renamed: bool = False  # not the name that was wished for
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Existing:
    """What bears a name, or a twin of it, now."""

    segments: Segments  # as the destination spells them
    size: int
    mtime_ns: int
    is_file: bool


@dataclass(frozen=True, slots=True)
class Synced:
    """What one `StagingWriter.sync` made durable."""

    files: int = 0
    written: int = 0


@dataclass(frozen=True, slots=True)
class Properties:
    """What differs between implementations."""

    consumes_sealed: bool  # publishing takes the sealed file away: one that is gone beside an intent was published
    has_twins: bool  # names that are equal but for case and composition count as the same name
    knows_free_space: bool  # `free_bytes` tells a number


@dataclass(frozen=True, slots=True)
class Fitness:
    """Whether a destination can be used, in words for an operator; `remedy` is empty where nothing is wrong."""

    usable: bool
    words: str
    remedy: str = ""


class StagingWriter(Protocol):
    """A task's side. Not for several threads; of no use after a failed `sync`."""

    def write(self, transfer: TransferId, fingerprint: str, offset: int, data: bytes | bytearray | memoryview) -> None:
        """Write bytes in place; no bytes at all leave an empty file.

        Raises:
            TooLargeForDisk: this file can never be stored; the others can.
            StorageError: the destination is full or broken.
        """

    def sync(self) -> Synced:
        """Make durable what was written since the last sync.

        Raises:
            StorageError: nothing written since the last sync counts.
        """

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class Staging(Protocol):
    """The driver's side: bytes that have no final name yet. Safe for several threads."""

    def seal(self, transfer: TransferId, fingerprint: str, size: int) -> StagedFile:
        """Take a complete file out of the tasks' reach; call when no task runs, and `sync` before it is noted.

        Sealing again is harmless.

        Raises:
            NotWhole: the file has not exactly `size` bytes, or it is not there. Nothing was changed.
            StorageError: sealing can be tried again.
        """

    def sync(self) -> None:
        """Make all seals so far durable: one call for many."""

    def whereabouts(self, file: StagedFile) -> Whereabouts:
        """Return where the file is now."""

    def discard(self, transfer: str, fingerprint: str | None = None) -> None:
        """Remove what is staged of a transfer, all versions without a fingerprint; a sealed file stays."""

    def discard_sealed(self, file: StagedFile) -> None:
        """Remove a complete file that is not wanted any more: rejected, cancelled or a duplicate."""

    def list_staged(self) -> list[StagedEntry]:
        """Return the files that tasks write; foreign names are passed over."""

    def list_sealed(self) -> list[StagedEntry]:
        """Return the files that wait for publishing."""

    def free_bytes(self) -> int:
        """Return what can still be written."""

    def close(self) -> None:
        """Release what is open."""


class TasksLock(Protocol):
    """Keeps late writers out: a task outlives a killed driver and a failed batch, mostly by seconds."""

    def try_take(self) -> bool:
        """Take the lock and let no task begin; return False, without waiting, while a task holds it."""

    def release(self, token: str = "") -> None:
        """Release the lock, and let the tasks with this token begin; none without a token. Harmless if not taken."""

    def holders(self) -> list[int]:
        """Return the process ids that hold the lock, as far as this machine knows."""


def holders_text(lock: TasksLock) -> str:
    """Return the process ids that hold a tasks' lock, for a message."""
    return ", ".join(map(str, lock.holders())) or "not known"


class Published(Protocol):
    """Final names, and the steps that lead a sealed file to one.

    Safe for several threads, except that one sealed file belongs to one of them. Steps of one file, in this order:
    `verify`, `prepare`, `choose`, `publish`, `settle`. After a crash between any two of them the sealed file is there,
    or the whole file under its final name.
    """

    @property
    def properties(self) -> Properties:
        """What differs from other implementations."""

    def find(self, name: Segments) -> Existing | None:
        """Return what is there under this name, or under a twin of it.

        Raises:
            PathBlocked: a link or a file stands where a folder should be.
        """

    def kept_beside(self, name: Segments) -> list[Existing]:
        """Return what bears this name with a number: `a (2).txt` and so on, up to the first that is free."""

    def same_content(self, existing: Existing, content: Content, is_cancelled: IsCancelled = never) -> bool:
        """Return whether it is a file with these bytes, and make it durable if so: a receipt may rest on it.

        What cannot be read, or is cancelled on the way, counts as different.
        """

    def choose(self, name: Segments, policy: ConflictPolicy) -> Place:
        """Return the final name, for the intent. It may be taken by the time of `publish`.

        Raises:
            NameTaken: the policy refuses, or a folder bears the name of a file that should be replaced.
            PathBlocked: a link, a file or the rules of the destination stand in the way.
            StorageError: the destination failed.
        """

    def verify(self, files: Sequence[SealedFile], is_cancelled: IsCancelled = never) -> list[Verdict]:
        """Read sealed files back from where they are kept, and compare them with what they must be.

        Raises:
            StorageError: the bytes of one cannot be read.
        """

    def prepare(self, files: Sequence[SealedFile]) -> None:
        """Give sealed files their final time and permissions, durably: the final name never shows others."""

    def publish(self, file: StagedFile, place: Place) -> Place:
        """Give a sealed file its final name; return the place as the destination spells it.

        Raises:
            NameTaken: the name was taken meanwhile. Choose again, and note the new intent first.
            PathBlocked: something has come in the way since.
            StorageError: the destination failed; the file is still sealed.
        """

    def settle(self, names: Iterable[Segments]) -> None:
        """Make new names durable; never fails because of a name."""

    def close(self) -> None:
        """Release what is open."""


class Storage(Protocol):
    """A destination as a whole. Makes no call to the outside before it is asked for something."""

    def create(self) -> None:
        """Create the destination's own area where it is not there yet. Only for a new ledger.

        Later a missing area means that the destination is not mounted, and creating it would fill the disk below.

        Raises:
            StorageError: the destination is missing or cannot be written.
        """

    def open_staging(self) -> Staging:
        """Open the driver's side."""

    def open_published(self) -> Published:
        """Open the final names."""

    def open_writer(self, token: str) -> StagingWriter:
        """Open a task's side; call in the task, with its batch's token. The tasks' lock is held until it is closed.

        Raises:
            LateTask: the batch of this token is over.
        """

    def tasks_lock(self) -> TasksLock:
        """Return the driver's side of the tasks' lock; it is not taken yet."""

    def free_bytes(self) -> int | None:
        """Return what can still be written, without opening anything else; None where that is not known."""


@runtime_checkable
class TriesOut(Protocol):
    """An optional capability: `check` asks for it."""

    def try_out(self, *, was_used: bool) -> Fitness:
        """Take the steps that each file goes through, and leave nothing behind.

        `was_used`: an earlier run has used this destination, so its own area must be there.
        """


class LockSeen(StrEnum):
    """What a process sees of a lock that another one holds, or has released."""

    HELD = "held"
    FREE = "free"
    ABSENT = "absent"  # the lock's file is not there: this process looks at another file system


class LockTrial(Protocol):
    """A lock like the tasks' lock, on a file of its own: the one that a running receiver uses stays untouched.

    Travels pickled to the processes that look at it.
    """

    def held(self) -> AbstractContextManager[None]:
        """Hold the lock as the driver does.

        Raises:
            StorageError: the destination cannot be used, or knows no locks.
        """

    def look(self) -> LockSeen:
        """Try to take the lock as a task does, without waiting, and release it; return what came of it.

        Raises:
            StorageError: the destination cannot be used, or knows no locks.
        """

    def remove(self) -> None:
        """Leave nothing behind."""


@runtime_checkable
class TriesLock(Protocol):
    """An optional capability: `check` asks for it on a cluster."""

    def lock_trial(self) -> LockTrial:
        """Return a new trial; nothing is created yet."""
