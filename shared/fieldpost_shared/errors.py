# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Fieldpost's exceptions. A test compares this drawing with the classes.

FieldpostError
├── ProtocolError
├── NameRefused
└── SettingsError

Every one carries a code of `codes.py`, and through it its words and its retry rule. All survive pickling,
since some travel from a Spark worker to the driver.
"""

from typing import Self

from fieldpost_shared.codes import CODES, Code, Failure


class FieldpostError(Exception):
    """A failure with a code; `detail` says what and where, in words that hold no secret."""

    def __init__(self, code: Code, detail: str = "") -> None:
        super().__init__(code, detail)  # the args rebuild it after unpickling
        self.code = code
        self.detail = detail

    @property
    def failure(self) -> Failure:
        """The code's row in the table."""
        return CODES[self.code]

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}" if self.detail else str(self.code)


class ProtocolError(FieldpostError):
    """A message is not what the protocol says. `client` and `transfer` are there when they could be read."""

    def __init__(self, code: Code, detail: str = "", client: str | None = None, transfer: str | None = None) -> None:
        super().__init__(code, detail)
        self.args = (code, detail, client, transfer)
        self.client = client
        self.transfer = transfer

    def about(self, client: str | None, transfer: str | None) -> Self:
        """The same error, naming whom to answer."""
        return type(self)(self.code, self.detail, client, transfer)


class NameRefused(FieldpostError):
    """A path that may not travel or be written; `detail` is the reason, never the path itself."""

    def __init__(self, detail: str) -> None:
        super().__init__(Code.NAME_REFUSED, detail)
        self.args = (detail,)


class SettingsError(FieldpostError):
    """A setting is wrong: which key, what it was (never a secret's value), what is allowed."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(Code.BAD_SETTING, f"{key}: {problem}")
        self.args = (key, problem)
        self.key = key
        self.problem = problem
