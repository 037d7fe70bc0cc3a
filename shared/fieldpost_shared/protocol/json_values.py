# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads JSON of any origin: every value is asked for by name, type and range."""

import json
from typing import Any, Final, NoReturn

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import ProtocolError

_MAX_DIGITS: Final = 20


class JsonObject:
    """A JSON object whose values must be what the reader expects; `code` is the error otherwise."""

    __slots__ = ("_code", "_values")

    def __init__(self, value: object, code: Code) -> None:
        self._code = code
        if not isinstance(value, dict):
            raise ProtocolError(code, "not an object")
        self._values: dict[str, object] = value

    def text(self, name: str, most: int | None = None) -> str:
        """A string, of at most so many characters."""
        value = self._values.get(name)
        if not isinstance(value, str) or (most is not None and len(value) > most):
            self._refuse(name)
        return value

    def number(self, name: str, low: int, high: int) -> int:
        """A whole number; true and false are none."""
        return whole_number(self._values.get(name), low, high, self._code, name)

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._values.get(name)
        if not isinstance(value, bool):
            self._refuse(name)
        return value

    def array(self, name: str, most: int) -> list[Any]:
        """A list, of at most so many entries."""
        value = self._values.get(name)
        if not isinstance(value, list) or len(value) > most:
            self._refuse(name)
        return value

    def mapping(self, name: str, most: int) -> dict[str, Any]:
        """An object within this one, of at most so many entries."""
        value = self._values.get(name)
        if not isinstance(value, dict) or len(value) > most:
            self._refuse(name)
        return value

    def _refuse(self, name: str) -> NoReturn:
        raise ProtocolError(self._code, name)


def parse_object(text: bytes, code: Code) -> JsonObject:
    """The object in a JSON text whose length was checked before."""
    try:
        value = json.loads(text.decode("utf-8"), parse_int=_short_int, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise ProtocolError(code, "not readable as JSON") from None
    return JsonObject(value, code)


def whole_number(value: object, low: int, high: int, code: Code, name: str) -> int:
    """The value if it is a whole number in the range."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ProtocolError(code, name)
    return value


def _short_int(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError("a number that long is never ours")
    return int(digits)


def _no_constant(_name: str) -> NoReturn:
    raise ValueError("NaN and Infinity are no JSON")
