# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How a command ends: the exit codes that scripts rely on, and the exception for a wrong use."""

from enum import IntEnum
from typing import Final

from fieldpost_shared.codes import Code


class Exit(IntEnum):
    """The exit codes of the process."""

    DONE = 0  # for `send`: every file is confirmed
    NEEDS_YOU = 1
    USAGE = 2
    GAVE_UP = 75  # waiting was given up; the files stay queued
    NOT_SET_UP = 78


EPILOG: Final = """\
exit codes:
   0  done; for send: every file is confirmed
   1  a person has to do something: a file needs attention or was cancelled, the
      password is not accepted, the account may not send (files stay queued)
   2  wrong use: an unknown option, a path that is not there
  75  gave up waiting (--timeout, Ctrl-C); the files stay queued
  78  not set up: no settings, unreadable settings, no password"""

_SET_UP: Final = frozenset(
    {
        Code.NOT_SET_UP,
        Code.BAD_SETTING,
        Code.PROFILE_UNREADABLE,
        Code.PROFILE_TOO_NEW,
        Code.KEYRING_FAILED,
        Code.SECRET_TOO_LONG,
    }
)


class WrongUse(Exception):
    """The command cannot be carried out as it was given; nothing was done. Its text is for the person."""


def exit_of(code: Code) -> Exit:
    """Return the exit code of a failure that ends a command."""
    return Exit.NOT_SET_UP if code in _SET_UP else Exit.NEEDS_YOU
