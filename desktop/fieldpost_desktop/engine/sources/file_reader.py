# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads source files: chunks with their hashes, whole small files, and the hash of a file already sent in part.

Everything here runs on workers, so that a hanging network drive never stops the engine. Every error of the disk becomes
a `FieldpostError` with the code of docs/design/uploader.md.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import BinaryIO

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.sources.file_probe import FileVersion, code_of_os_error, file_version, open_shared
from fieldpost_shared.chunks import ChunkIndex, ChunkPlan
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.encodings import Encoding, sample


class SourceChanged(FieldpostError):
    """The file is not what was queued; `now` is what it is."""

    def __init__(self, now: FileVersion) -> None:
        super().__init__(Code.FILE_CHANGED)
        self.args = (now,)
        self.now = now


@dataclass(frozen=True, slots=True)
class ReadChunk:
    """One chunk as read, with its hash."""

    index: ChunkIndex
    plain: bytes
    digest: bytes
    encoding: Encoding


@dataclass(slots=True)
class WholeHash:
    """The running hash of a file; chunks enter it in order, each once."""

    position: int = 0
    _hash: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def feed(self, index: ChunkIndex, plain: bytes) -> None:
        """Take a chunk in, if it is the next one."""
        if index == self.position:
            self._hash.update(plain)
            self.position += 1

    def hexdigest(self) -> str:
        """Return the SHA-256 of what was fed."""
        return self._hash.hexdigest()


class SourceReader:
    """One source file, opened at its first chunk and compared with what was queued."""

    def __init__(self, source: str, expected: FileVersion, plan: ChunkPlan, encoding: Encoding | None) -> None:
        self._source = source
        self._expected = expected
        self._plan = plan
        self._file: BinaryIO | None = None
        self._over = False  # set by the core while a worker may be opening the file: then the worker closes it
        self.encoding = encoding

    def read(self, index: ChunkIndex, whole: WholeHash | None) -> ReadChunk:
        """Return a chunk; the first one decides whether the file is worth compressing."""
        plain = self._bytes(index)
        if self.encoding is None:
            self.encoding = sample(plain)
        if whole is not None:
            whole.feed(index, plain)
        return ReadChunk(index, plain, digest=hashlib.sha256(plain).digest(), encoding=self.encoding)

    def finish(self) -> None:
        """Check before `end` that the file under this name is still the one that was read."""
        check_unchanged(self._source, self._expected)

    def verify(self, known: Callable[[int], bytes | None], stop: Callable[[], bool]) -> str:
        """Hash the whole file anew, comparing the chunks that the journal knows; "" when told to stop."""
        whole = WholeHash()
        for index in map(ChunkIndex, range(self._plan.count)):
            if stop():
                return ""
            plain = self._bytes(index)
            journaled = known(index)
            if journaled is not None and hashlib.sha256(plain).digest() != journaled:
                raise SourceChanged(_version(self._source))
            whole.feed(index, plain)
        return whole.hexdigest()

    def close(self) -> None:
        """Let go of the file for good, from any thread."""
        self._over = True
        self._shut()

    def abandon(self) -> None:
        """Leave the file to a thread that hangs in it and closes it when it comes back: closing could hang too."""
        self._over = True
        self._file = None

    def _bytes(self, index: ChunkIndex) -> bytes:
        length = self._plan.length(index)
        try:
            file = self._opened()
            try:
                file.seek(self._plan.offset(index))
                plain = file.read(length)
            finally:
                if self._over:
                    file.close()
        except OSError as error:
            self._shut()
            raise FieldpostError(code_of_os_error(error), str(error.strerror)) from None
        if len(plain) != length:
            self._shut()
            raise SourceChanged(_version(self._source))
        return plain

    def _opened(self) -> BinaryIO:
        file = self._file
        if file is None:
            check_unchanged(self._source, self._expected)
            file = self._file = open_shared(self._source)
        return file

    def _shut(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # a drive that went away cannot be closed in good order
                file.close()


def expected_version(row: FileRow) -> FileVersion:
    """Return the version of a file that was queued."""
    return FileVersion(row.size, row.mtime_ns, row.identity)


def read_whole(source: str, expected: FileVersion) -> bytes:
    """Return all bytes of a small file that is the same before and after."""
    try:
        check_unchanged(source, expected)
        with open_shared(source) as file:
            plain = file.read(expected.size + 1)
        check_unchanged(source, expected)
    except OSError as error:
        raise FieldpostError(code_of_os_error(error), str(error.strerror)) from None
    if len(plain) != expected.size:
        raise SourceChanged(_version(source))
    return plain


def check_unchanged(source: str, expected: FileVersion) -> None:
    """Raise `SourceChanged` unless size, time and identity are as expected."""
    now = _version(source)
    if now != expected:
        raise SourceChanged(now)


def _version(source: str) -> FileVersion:
    try:
        return file_version(source)
    except OSError as error:
        raise FieldpostError(code_of_os_error(error), os.strerror(error.errno or 0)) from None
