# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How the receiver's programs end: the exit codes that scripts and systemd rely on."""

from typing import Final

from fieldpost_receiver.storage_errors import StorageError
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

STOPPED: Final = 0
USAGE: Final = 2
STORAGE: Final = 74
TEMPORARY: Final = 75
CONFIGURATION: Final = 78

_CONFIGURATION: Final = frozenset(
    {Code.LEDGER_DAMAGED, Code.LEDGER_FOREIGN, Code.BAD_SETTING, Code.NO_TOPIC, Code.PROFILE_TOO_NEW}
)


def exit_of(error: FieldpostError) -> int:
    """The exit code of a failure that ends a program."""
    if isinstance(error, StorageError) or error.code is Code.STORAGE_FAILED:
        return STORAGE
    return CONFIGURATION if error.code in _CONFIGURATION else TEMPORARY
