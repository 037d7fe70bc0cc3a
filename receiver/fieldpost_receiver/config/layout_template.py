# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The `layout` template, such as `{year}/{client}/{path}`, which gives a file its path below the destination.

Client names and paths of senders pass through `names` here, so none can leave the destination.
"""

import datetime as dt
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from fieldpost_shared import names
from fieldpost_shared.errors import NameRefused, SettingsError
from fieldpost_shared.ids import MAX_CLIENT_NAME
from fieldpost_shared.kafka import values

PLACEHOLDERS: Final = ("{client}", "{path}", "{date}", "{year}", "{month}", "{day}", "{receiver}")
MAX_LAYOUT: Final = 200  # characters: a call of the file system takes layout and path together

_PATH: Final = "{path}"
_TOKEN: Final = re.compile(r"\{[^{}]*\}|[{}]")


@dataclass(frozen=True, slots=True)
class Layout:
    """A checked template: folders of literals and placeholders, then the path as it was sent."""

    template: str = "{client}/{path}"

    def __str__(self) -> str:
        return self.template

    @classmethod
    def parse(cls, key: str, text: str) -> "Layout":
        """Check a template.

        Raises:
            SettingsError: naming the key, the template and what is wrong with it.
        """
        problem = _problem(text)
        if problem:
            raise SettingsError(key, f"{values.shown(text)} {problem}")
        return cls(text)

    @lru_cache(maxsize=64)  # noqa: B019 - there is one layout
    def folder(self, *, client: str, receiver: str, date: dt.date) -> str:
        """Return the folders before the path, with their names on disk; empty if the layout has none."""
        parts = self.template.split("/")[:-1]
        filled = "/".join(_filled(part, client, receiver, date) for part in parts)
        return names.to_disk(filled) if filled else ""

    def on_disk(self, *, client: str, path: str, receiver: str, date: dt.date) -> str:
        """Return the whole path below the destination, with its names on disk.

        Raises:
            NameRefused: the path may not be written.
        """
        # Each by itself, so that a path of full length stays allowed after any folders.
        folder, name = self.folder(client=client, receiver=receiver, date=date), names.to_disk(path)
        return f"{folder}/{name}" if folder else name


def _filled(part: str, client: str, receiver: str, date: dt.date) -> str:
    known = {
        "{client}": client,
        "{receiver}": receiver,
        "{date}": date.isoformat(),
        "{year}": f"{date.year:04}",
        "{month}": f"{date.month:02}",
        "{day}": f"{date.day:02}",
    }
    # One pass, so that a value is never taken for a placeholder.
    return _TOKEN.sub(lambda token: known[token[0]], part)


def _problem(text: str) -> str:
    """Return what is wrong with a template; empty if nothing is."""
    if len(text) > MAX_LAYOUT:
        return f"is longer than {MAX_LAYOUT} characters"
    for token in _TOKEN.findall(text):
        if token not in PLACEHOLDERS:
            near = values.nearest(token, PLACEHOLDERS)
            return f"holds {values.shown(token)}{near}; known are {' '.join(PLACEHOLDERS)}"
    parts = text.split("/")
    if parts[-1] != _PATH or text.count(_PATH) != 1:
        return "must end in /{path} and hold {path} nowhere else, as in {client}/{path}"
    return next((found for part in parts[:-1] if (found := _folder_problem(part))), "")


def _folder_problem(part: str) -> str:
    """Return why a folder cannot have this name, tried with the longest and the shortest client name."""
    for name in ("x" * MAX_CLIENT_NAME, "x"):
        filled = _filled(part, name, name, dt.date(2026, 1, 31))
        try:
            on_disk = names.to_disk(filled)
        except NameRefused as refusal:
            return f"has a folder {values.shown(part)} that cannot be: {names.words(refusal.detail)}"
        if on_disk != filled:
            return f"has a folder {values.shown(part)} that not every system can store"
    return ""
