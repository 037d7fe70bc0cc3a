# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a person may set about sending, and which source of a setting counts.

Command line > environment (`FIELDPOST_…`) > stored in the journal > profile > default. What the profile locks is
the profile's: an attempt to change it is an error, a value stored before it was locked is passed over.
"""

import json
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.kafka import values
from fieldpost_shared.quantities import rate_of, rate_text

LOCKED: Final = "Set by your organisation"
DAY: Final = 24 * 60
SLOWEST: Final = 1000  # bytes a second: less would not carry one chunk in ten minutes

_WINDOW: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_YES: Final = frozenset({"yes", "true", "on", "1"})
_NO: Final = frozenset({"no", "false", "off", "0"})


class MeteredPolicy(StrEnum):
    """What goes out while bytes cost money."""

    ALL = "all"
    SMALL = "small"  # only files up to 5 MB
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Schedule:
    """Sending hours by the wall clock, in minutes of the day; they may cross midnight."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"{_clock(self.start)}-{_clock(self.end)}"


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How to send. The field names are the names that profile, environment and command line use."""

    bandwidth_limit: int | None = None  # bytes a second
    schedule: Schedule | None = None  # None: always
    metered: MeteredPolicy = MeteredPolicy.SMALL
    keep_awake: bool = True


NAMES: Final[Mapping[str, None]] = dict.fromkeys(asdict(EngineSettings()))
_VARIABLES: Final = {name: f"FIELDPOST_{name.upper()}" for name in NAMES}


def in_window(schedule: Schedule | None, local_minutes: int) -> bool:
    """Return whether a minute of the day lies within the hours, from `start` up to but without `end`."""
    if schedule is None:
        return True
    length = (schedule.end - schedule.start) % DAY
    return (local_minutes - schedule.start) % DAY < length


def parse(name: str, value: object) -> Any:  # noqa: ANN401 - each setting has its own type
    """Return the value of a setting from a text, or from JSON.

    Raises:
        SettingsError: naming the setting, what it was and what is allowed.
    """
    match name:
        case "bandwidth_limit":
            return _limit(name, value)
        case "schedule":
            return _schedule(name, value)
        case "metered":
            return values.choice(name, _text(name, value), MeteredPolicy)
        case "keep_awake":
            return _flag(name, value)
    raise SettingsError(name, f"is not a setting{values.nearest(name, NAMES)}")


def parse_all(given: Mapping[str, object], base: EngineSettings | None = None) -> EngineSettings:
    """Return the base (by default the defaults) with these settings in place of its own."""
    return replace(base or EngineSettings(), **{name: parse(name, value) for name, value in given.items()})


def plain(name: str, settings: EngineSettings) -> str:
    """Return a setting as the text that `parse` reads back: for the profile, the journal and people."""
    match getattr(settings, name):
        case None:
            return "always" if name == "schedule" else "off"
        case bool() as flag:
            return "yes" if flag else "no"
        case int() as rate:
            return rate_text(rate)
        case other:
            return str(other)


def resolve(
    profile: EngineSettings,
    *,
    locked: AbstractSet[str] = frozenset(),
    stored: str | None = None,
    environ: Mapping[str, str] | None = None,
    command_line: Mapping[str, object] | None = None,
) -> EngineSettings:
    """Return the settings that count; `stored` is the text that `changed` made, None on the command line is not given.

    Raises:
        SettingsError: a value is wrong, or would change what is locked.
    """
    found = environ or {}
    asked: dict[str, object] = {name: found[key] for name, key in _VARIABLES.items() if found.get(key)}
    asked |= {name: value for name, value in (command_line or {}).items() if value is not None}
    for name in locked & set(asked):
        if parse(name, asked[name]) != getattr(profile, name):
            raise SettingsError(name, LOCKED)
    remembered = {name: value for name, value in _stored(stored).items() if name not in locked}
    return parse_all(asked, parse_all(remembered, profile))


def changed(stored: str | None, name: str, value: object, locked: AbstractSet[str] = frozenset()) -> str:
    """Return what to store when a person changes one setting.

    Raises:
        SettingsError: the value is wrong, or the setting is locked.
    """
    if name in locked:
        raise SettingsError(name, LOCKED)
    new = replace(EngineSettings(), **{name: parse(name, value)})
    return json.dumps(_stored(stored) | {name: plain(name, new)})


def _stored(text: str | None) -> dict[str, object]:
    """Return what an earlier run stored, without what only a newer Fieldpost understands."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        raise SettingsError("settings", "what was stored cannot be read; set them again") from None
    if not isinstance(found, dict):
        raise SettingsError("settings", "what was stored cannot be read; set them again")
    return {name: value for name, value in found.items() if name in NAMES}


def _limit(name: str, value: object) -> int | None:
    if value is None or value in ("", "off"):
        return None
    rate = rate_of(name, value)
    if rate < SLOWEST:
        raise SettingsError(name, f"{values.shown(str(value))} is too slow to get anything across; at least 1KB/s")
    return rate


def _schedule(name: str, value: object) -> Schedule | None:
    if value is None or value in ("", "always"):
        return None
    text = _text(name, value)
    found = _WINDOW.fullmatch(text)
    if found is None:
        raise SettingsError(name, f"{values.shown(text)} is neither always nor hours like 20:00-06:00")
    hours, minutes, until_hours, until_minutes = (int(part) for part in found.groups())
    schedule = Schedule(hours * 60 + minutes, until_hours * 60 + until_minutes)
    if schedule.start == schedule.end:
        raise SettingsError(name, f"{values.shown(text)} has no length; write always if there is no limit")
    return schedule


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    text = _text(name, value).lower()
    if text not in _YES | _NO:
        raise SettingsError(name, f"{values.shown(text)} is neither yes nor no")
    return text in _YES


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise SettingsError(name, f"must be text in quotes, not {values.shown(str(value))}")
    return value


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
