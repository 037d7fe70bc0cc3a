# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One receiver for each state folder. Commands that change its state take the same lock."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fieldpost_receiver.storage.errors import storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

LOCK: Final = "receiver.lock"
_TRIES: Final = 5
_LOOK_S: Final = 0.1


@contextmanager
def locked(state_dir: Path) -> Iterator[None]:
    """Lock the state folder, created if need be; the kernel releases the lock however the process ends.

    Raises:
        FieldpostError: SERVER_BUSY: another process has locked it.
        StorageError: the folder cannot be used.
    """
    with storing("use the state folder"):
        state_dir.mkdir(parents=True, exist_ok=True)
        file = os.open(state_dir / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(file, state_dir)
        yield
    finally:
        os.close(file)


def is_locked(state_dir: Path) -> bool:
    """Return whether a receiver, or a command that changes its state, has locked the folder."""
    try:
        file = os.open(state_dir / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def _lock(file: int, state_dir: Path) -> None:
    for _ in range(_TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            threading.Event().wait(_LOOK_S)  # `is_locked` of a command holds it for a moment
        else:
            return
    raise FieldpostError(Code.SERVER_BUSY, f"another receiver uses {state_dir}; stop it first")
