# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The office's folder: chunks are written in place under `.staging`, a verified file moves to `client/path`."""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from reference_receiver.messages import Facts

STAGING: Final = ".staging"  # no client's name begins with a dot
_PIECE: Final = 1024 * 1024


class NameTaken(Exception):
    """A folder stands where the file should be, or a file where its folder should be."""


def sha256_of(path: Path) -> str:
    """Read in pieces: memory stays the same for any size."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


class Shelf:
    """One office's folder. What an earlier run left in staging is thrown away: its state went with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._staging = folder / STAGING
        shutil.rmtree(self._staging, ignore_errors=True)
        self._staging.mkdir(parents=True)

    def write(self, transfer: str, offset: int, plain: bytes) -> None:
        """Put bytes in their place. Zeros are left out, so that a sparse file stays sparse."""
        descriptor = os.open(self._staging / transfer, os.O_WRONLY | os.O_CREAT)
        try:
            if plain != bytes(len(plain)):
                view = memoryview(plain)
                while view:
                    done = os.pwrite(descriptor, view, offset)
                    view, offset = view[done:], offset + done
        finally:
            os.close(descriptor)

    def seal(self, facts: Facts) -> str:
        """The SHA-256 of the whole staged file, read back."""
        staged = self._staging / facts.transfer
        staged.touch()  # an empty file had no chunk
        os.truncate(staged, facts.size)
        return sha256_of(staged)

    def publish(self, facts: Facts, digest: str) -> tuple[str, bool, bool]:
        """Move a sealed file to its final name; returns its path below the folder, renamed, duplicate.

        Another file of that name is kept, and the new one numbered; the same file again is not stored twice.
        """
        staged = self._staging / facts.transfer
        with contextlib.suppress(OSError, OverflowError):  # a file system need not take every time there is
            os.utime(staged, ns=(facts.mtime, facts.mtime))
        for number, name in enumerate(_candidates(facts)):
            final = self.folder / name
            try:
                final.parent.mkdir(parents=True, exist_ok=True)
                duplicate = final.exists() and sha256_of(final) == digest
                taken = final.exists()
            except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
                raise NameTaken(str(name)) from error
            if duplicate:
                staged.unlink()
            elif not taken:
                staged.replace(final)
            if duplicate or not taken:
                return str(name), number > 0, duplicate
        raise NameTaken(facts.path)

    def forget(self, transfer: str) -> None:
        (self._staging / transfer).unlink(missing_ok=True)


def _candidates(facts: Facts) -> Iterator[PurePosixPath]:
    wanted = PurePosixPath(facts.client, facts.path)
    yield wanted
    for number in range(2, 10_000):
        yield wanted.with_name(f"{wanted.stem} ({number}){wanted.suffix}")
