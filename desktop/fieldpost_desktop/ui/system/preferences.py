# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What belongs to the app and not to sending: language, notifications, autostart, and how the window lay.

It lies as `app.json` in the data folder. None of it is worth an error: what cannot be read is as on the first day.
"""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.whole_file import whole_file

FILE: Final = "app.json"

_MOST_BYTES: Final = 1024 * 1024  # ours has a few hundred
_LOG: Final = logging.getLogger(__name__)


class Language(StrEnum):
    """What the app speaks from its next start on."""

    SYSTEM = "system"
    ENGLISH = "en"
    GERMAN = "de"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The field names are the keys of the file, but for `unknown`: what another version keeps there."""

    language: Language = Language.SYSTEM
    notifications: bool = True
    autostart: bool = True
    told_about_tray: bool = False  # that closing the window does not end the app
    window_geometry: str = ""  # base64 of what Qt saves
    header_state: str = ""  # likewise
    unknown: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def load(cls, paths: Paths) -> Self:
        """Return what was saved; a wrong value, or all of a damaged file, is replaced by the default."""
        found = _read(paths.data_dir / FILE)
        known = {name: value for name in _NAMES if (value := _checked(name, found.get(name))) is not None}
        unknown = {name: value for name, value in found.items() if name not in _NAMES}
        return cls(unknown=MappingProxyType(unknown), **known)

    def save(self, paths: Paths) -> None:
        """Write all of it or nothing.

        Raises:
            SettingsError: the data folder cannot be written.
        """
        paths.make()
        path = paths.data_dir / FILE
        values = dict(self.unknown) | {name: getattr(self, name) for name in _NAMES}
        try:
            with whole_file(path) as unfinished:
                unfinished.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise SettingsError("data_dir", f"{path}: cannot be written: {error.strerror}") from error


_NAMES: Final = tuple(item.name for item in fields(Preferences) if item.name != "unknown")


class PreferencesHolder:
    """The preferences as they are now. A change counts at once and is saved off the GUI thread."""

    def __init__(self, paths: Paths, current: Preferences, later: Callable[[Callable[[], None]], None]) -> None:
        """Keep the preferences; `later` takes what may block: the worker's `run`."""
        self.current = current
        self._paths = paths
        self._later = later
        self._saving = threading.Lock()

    def change(self, **changes: Any) -> Preferences:  # noqa: ANN401 - each preference has its own type
        """Take these values, named as the fields of Preferences."""
        changed = replace(self.current, **changes)
        if changed != self.current:
            self.current = changed
            self._later(self.save)
        return self.current

    def save(self) -> None:
        """Save, blocking. Two at the same time take turns, and each writes what counts when its turn comes."""
        with self._saving:
            self.current.save(self._paths)


def _read(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_MOST_BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        _LOG.warning("%s cannot be read (%s); the app starts as on its first day", path.name, type(error).__name__)
        return {}
    return found if isinstance(found, dict) else {}


def _checked(name: str, value: object) -> Any:  # noqa: ANN401 - each preference has its own type
    """Return the value if it is one for that preference, else None."""
    default = getattr(Preferences(), name)
    if isinstance(default, Language):
        return next((language for language in Language if language == value), None)
    return value if isinstance(value, type(default)) else None
