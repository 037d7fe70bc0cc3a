# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Lock the state folder, and keep late tasks out, for a command that changes them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Final

from fieldpost_receiver.commands.output import Refused
from fieldpost_receiver.config.settings import JobConfig
from fieldpost_receiver.runtime.exit_codes import TEMPORARY
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_receiver.storage.port import TasksLock, holders_text
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_PATIENCE_S: Final = 30.0
_LOOK_S: Final = 0.1


@contextmanager
def exclusive_state(job: JobConfig) -> Iterator[None]:
    """Let no receiver start meanwhile.

    Raises:
        Refused: a receiver runs.
        StorageError: the state folder cannot be used.
    """
    folder = job.receiver.state_dir
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(folder))
        except FieldpostError as error:
            if error.code is not Code.SERVER_BUSY:
                raise
            text = f"A receiver is running on {folder}. Stop it first; nothing was changed."
            raise Refused(text, TEMPORARY) from None
        yield


@contextmanager
def no_tasks(lock: TasksLock, clock: Clock) -> Iterator[None]:
    """Wait until no task of an earlier receiver writes, and let none begin meanwhile.

    Raises:
        Refused: some still write.
    """
    deadline = clock.monotonic() + _PATIENCE_S
    while not lock.try_take():
        if clock.monotonic() > deadline:
            held = holders_text(lock)
            text = f"Tasks of a receiver that was stopped still write (process ids: {held}). Nothing was changed."
            raise Refused(text, TEMPORARY)
        clock.wait(Event(), _LOOK_S)
    try:
        yield
    finally:
        lock.release()
