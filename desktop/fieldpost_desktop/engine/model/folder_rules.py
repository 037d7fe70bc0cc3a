# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What is taken from a watched folder, and what becomes of a file once its receipt is there."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from fieldpost_desktop.engine.model.globs import check_globs, literally
from fieldpost_shared import names
from fieldpost_shared.errors import NameRefused, SettingsError
from fieldpost_shared.kafka.values import choice, nearest, shown

DEFAULT_TARGET: Final = "Sent"
LONGEST_MINIMUM_AGE_S: Final = 30 * 86_400


class After(StrEnum):
    """What becomes of a file after its confirmation."""

    KEEP = "keep"
    MOVE = "move"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class FolderRules:
    """The rules of one folder; a wrong one raises `SettingsError` that names it."""

    include: tuple[str, ...] = ()  # nothing: every file
    exclude: tuple[str, ...] = ()
    subfolders: bool = True
    minimum_age_s: int = 0
    after: After = After.KEEP
    move_to: str = DEFAULT_TARGET  # one folder name, inside the watched folder
    label: str = ""  # stands before the path under which a file travels
    take_existing: bool = True  # whether files that were there when the folder was added are sent

    def __post_init__(self) -> None:
        check_globs("include", self.include)
        check_globs("exclude", self.exclude)
        if not 0 <= self.minimum_age_s <= LONGEST_MINIMUM_AGE_S:
            raise SettingsError("minimum_age_s", f"{self.minimum_age_s} is not from 0 to {LONGEST_MINIMUM_AGE_S}")
        verdict = names.judge(self.move_to)
        if verdict.kind is not names.Kind.ACCEPTED or "/" in self.move_to:
            raise SettingsError("move_to", f"{shown(self.move_to)} is no plain name of a folder")
        _check_label(self.label)

    def to_json(self) -> str:
        """Return the rules as the journal keeps them."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "FolderRules":
        """Read rules; what is not said has its default.

        Raises:
            SettingsError: naming the key that is unknown or has a wrong value.
        """
        try:
            raw = json.loads(text)
        except ValueError:
            raise SettingsError("rules", "cannot be read as JSON") from None
        if not isinstance(raw, dict):
            raise SettingsError("rules", "are no JSON object")
        for key in raw:
            if key not in _READERS:
                raise SettingsError(key, f"is unknown{nearest(key, _READERS)}; known are {', '.join(_READERS)}")
        return cls(**{key: _READERS[key](key, value) for key, value in raw.items()})  # type: ignore[arg-type]  # each reader gives its field's type

    def instead_of(self, old: "FolderRules") -> "FolderRules":
        """Return these rules after others: what was moved under the old name must not be sent again."""
        if old.move_to.casefold() in {self.move_to.casefold(), DEFAULT_TARGET.casefold()}:
            return self
        former = f"/{literally(old.move_to)}/"
        return self if former in self.exclude else replace(self, exclude=(*self.exclude, former))


def _check_label(label: str) -> None:
    if not label:
        return
    try:
        names.from_source(label.split("/"))
    except NameRefused as error:
        raise SettingsError("label", f"{shown(label)} cannot be used: {names.words(error.detail)}") from None


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise SettingsError(key, "is no text")
    return value


def _texts(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise SettingsError(key, "is no list of texts")
    return tuple(_text(key, one) for one in value)


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise SettingsError(key, "is neither true nor false")
    return value


def _seconds(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SettingsError(key, "is no whole number of seconds")
    return value


def _after(key: str, value: object) -> After:
    return choice(key, _text(key, value), After)


_READERS: Final[Mapping[str, Callable[[str, object], object]]] = MappingProxyType(
    {
        "include": _texts,
        "exclude": _texts,
        "subfolders": _flag,
        "minimum_age_s": _seconds,
        "after": _after,
        "move_to": _text,
        "label": _text,
        "take_existing": _flag,
    }
)
