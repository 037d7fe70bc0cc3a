# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The exit codes of the receiver's programs, which scripts and systemd rely on."""

from collections.abc import Iterable
from typing import Final

from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

STOPPED: Final = 0
USAGE: Final = 2
STORAGE: Final = 74
TEMPORARY: Final = 75
CONFIGURATION: Final = 78

# Waiting does not help: a person has to change a setting or a permission, here or at the broker. A service manager that
# restarts the receiver again and again would only have the password refused until the account is locked.
_CONFIGURATION: Final = frozenset(
    {
        Code.LEDGER_DAMAGED,
        Code.LEDGER_FOREIGN,
        Code.BAD_SETTING,
        Code.PROFILE_TOO_NEW,
        Code.NO_TOPIC,
        Code.SIGN_IN_REFUSED,
        Code.NO_SECURE_CONNECTION,
        Code.MAY_NOT_SEND,
    }
)


def exit_of(error: FieldpostError) -> int:
    """Return the exit code of a failure that ends a program."""
    if isinstance(error, StorageError) or error.code is Code.STORAGE_FAILED:
        return STORAGE
    return CONFIGURATION if error.code in _CONFIGURATION else TEMPORARY


def gravest(exits: Iterable[int]) -> int:
    """Return the exit code of a service none of whose jobs can run: that a person must act counts most.

    A new start for the sake of one job would let the broker refuse another one's password again and again.
    """
    found = set(exits)
    return next((code for code in (CONFIGURATION, STORAGE, TEMPORARY) if code in found), STOPPED)
