# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the JSON of a settings file, which may come from anywhere: strict, total, and never with a password."""

import json
import re
from collections.abc import Mapping
from typing import Final, NoReturn

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka import values

MAX_BYTES: Final = 1024 * 1024  # a few kilobytes with a CA in it

_MAX_DIGITS: Final = 20
_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # Windows Notepad puts it in front
_SECRET_KEY: Final = re.compile(
    r"passw|passphrase|pwd|secret|token|credential|jaas|api_?key|private_?key|key_pem|ssl_key", re.ASCII
)
_KEY_MARK: Final = "PRIVATE KEY-----"


def refuse(key: str, problem: str) -> NoReturn:
    """Return the one error for a wrong settings file: which key, what it was, what is allowed."""
    raise FieldpostError(Code.PROFILE_UNREADABLE, f"{key}: {problem}" if key else problem) from None


def read_object(text: str) -> "JsonObject":
    """Return the object that the text holds."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        refuse("", "it is larger than 1 MiB, so it is hardly a settings file")
    try:
        value = json.loads(
            text.removeprefix(_BOM), object_pairs_hook=_no_duplicates, parse_int=_short_int, parse_constant=_no_constant
        )
    except RecursionError:
        refuse("", "it is nested too deeply")
    except json.JSONDecodeError as error:
        refuse("", f"it is not JSON (line {error.lineno}, column {error.colno})")
    except ValueError as error:  # of the three functions above
        refuse("", str(error))
    if not isinstance(value, dict):
        refuse("", "it does not begin with { as a settings file does")
    return JsonObject(value)


class JsonObject:
    """An object whose values are asked for by name and type; a secret and an unknown key are refused beforehand."""

    def __init__(self, found: Mapping[str, object], where: str = "") -> None:
        self.values = found
        self._where = where

    def check_keys(self, known: Mapping[str, object]) -> None:
        """Refuse a secret first, whatever its key, then unknown keys; neither error repeats the value."""
        for key, value in self.values.items():
            if _SECRET_KEY.search(key.lower().replace("-", "_").replace(".", "_")):
                refuse(self.name(key), "passwords and keys never belong in a settings file; remove it")
            if isinstance(value, str) and _KEY_MARK in value:
                refuse(self.name(key), "holds a private key, which never belongs in a settings file; remove it")
        for key in self.values:
            if key not in known:
                hint = values.nearest(key, known) or f"; known are {', '.join(known)}"
                refuse(self.name(key if key.isidentifier() else values.shown(key)), f"is unknown{hint}")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text; a default of None means that it must be there."""
        value = self.values.get(key, default)
        if value is None:
            refuse(self.name(key), "is missing")
        if not isinstance(value, str):
            self.wrong_type(key, "text in quotes")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number in the range; true and false are none."""
        value = self.values.get(key, default)
        if value is None:
            refuse(self.name(key), "is missing")
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.wrong_type(key, f"a whole number from {low} to {high}")
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            self.wrong_type(key, "true or false")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; none if it is not given."""
        found = self.values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            self.wrong_type(key, "a list of texts in quotes")
        return tuple(found)

    def inner(self, key: str, known: Mapping[str, object]) -> "JsonObject":
        """Return an object within this one, empty if it is not given."""
        found = self.values.get(key, {})
        if not isinstance(found, dict):
            self.wrong_type(key, "an object in { }")
        inside = JsonObject(found, self.name(key))
        inside.check_keys(known)
        return inside

    def name(self, key: str) -> str:
        """Return the key as an error names it: limits.max_file_size."""
        return f"{self._where}.{key}" if self._where else key

    def wrong_type(self, key: str, allowed: str) -> NoReturn:
        """Refuse a value that is of another type or out of its range."""
        refuse(self.name(key), f"must be {allowed}, not {_shown(self.values.get(key))}")


def _shown(value: object) -> str:
    """Return a wrong value as an error repeats it; an object or list may hold a secret inside."""
    match value:
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return values.shown(value)
        case _:
            return json.dumps(value)


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{values.shown(key)} is there twice")
        found[key] = value
    return found


def _short_int(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError("it holds a number that is too long")
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
