# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Lock the state folder for a command that changes it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from fieldpost_receiver.commands.output import Refused
from fieldpost_receiver.config.receiver_toml import ReceiverConfig
from fieldpost_receiver.runtime.exit_codes import TEMPORARY
from fieldpost_receiver.runtime.instance_lock import locked
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


@contextmanager
def exclusive_state(config: ReceiverConfig) -> Iterator[None]:
    """Let no receiver start meanwhile.

    Raises:
        Refused: a receiver runs.
        StorageError: the state folder cannot be used.
    """
    folder = config.receiver.state_dir
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(folder))
        except FieldpostError as error:
            if error.code is not Code.SERVER_BUSY:
                raise
            text = f"A receiver is running on {folder}. Stop it first; nothing was changed."
            raise Refused(text, TEMPORARY) from None
        yield
