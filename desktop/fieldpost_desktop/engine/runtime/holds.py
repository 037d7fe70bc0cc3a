# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""All reasons why nothing is sent although files wait, the worst first."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta, tzinfo
from types import MappingProxyType
from typing import Final

from fieldpost_desktop.engine.link.network import Metered, NetworkPort
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.profile.settings import EngineSettings, MeteredPolicy, Schedule, in_window
from fieldpost_shared.clock import NS_PER_S, Clock

SMALL_ENOUGH: Final = 5_000_000  # goes out on a metered connection by default
_MINUTES: Final = 60


_LIMITS: Final[Mapping[MeteredPolicy, int | None]] = MappingProxyType(
    {MeteredPolicy.ALL: None, MeteredPolicy.SMALL: SMALL_ENOUGH, MeteredPolicy.NOTHING: -1}  # -1: empty files wait too
)


class Holds:
    """The present holds. The engine puts and lifts them; what follows from clock and network is found here."""

    def __init__(self, clock: Clock, network: NetworkPort, zone: tzinfo | None = None) -> None:
        self._clock = clock
        self._network = network
        self._zone = zone  # None: the computer's own
        self._set: dict[HoldKind, Hold] = {}
        self.settings = EngineSettings()
        self.send_now = False  # overrides the schedule until the queue is empty

    def put(self, hold: Hold) -> None:
        """Set a hold, or replace the one of its kind."""
        self._set[hold.kind] = hold

    def lift(self, kind: HoldKind) -> bool:
        """Remove a hold; return whether it was there."""
        return self._set.pop(kind, None) is not None

    def get(self, kind: HoldKind) -> Hold | None:
        """Return the hold of a kind, if there is one."""
        return self._set.get(kind)

    def all(self) -> list[Hold]:
        """Return every present hold, the worst first."""
        now_ns = self._clock.now_ns()
        paused = self._set.get(HoldKind.PAUSED)
        if paused is not None and paused.until_ns is not None and paused.until_ns <= now_ns:
            self.lift(HoldKind.PAUSED)
        found = dict(self._set)
        begin_ns = self._next_hours(now_ns)
        if begin_ns is not None:
            found[HoldKind.SCHEDULE] = Hold(HoldKind.SCHEDULE, until_ns=begin_ns)
        if self._policy() is MeteredPolicy.NOTHING:
            found[HoldKind.METERED] = Hold(HoldKind.METERED)
        return [found[kind] for kind in HoldKind if kind in found]

    def worst(self) -> Hold | None:
        """Return the hold to show."""
        return next(iter(self.all()), None)

    def admits(self, row: FileRow) -> bool:
        """Return whether a metered connection lets this file out now."""
        limit = self.metered_limit()
        return row.anyway or limit is None or row.size <= limit

    def metered_limit(self) -> int | None:
        """Return the size above which files wait for an unmetered connection; None while all may go out."""
        return _LIMITS[self._policy()]

    def blocks(self) -> Hold | None:
        """Return the hold that stops every file; a metered connection lets those through that a person asked for."""
        return next((hold for hold in self.all() if hold.kind is not HoldKind.METERED), None)

    def _policy(self) -> MeteredPolicy:
        """Return the policy for the present network; an unknown one counts as unmetered."""
        return self.settings.metered if self._network.metered() is Metered.YES else MeteredPolicy.ALL

    def _next_hours(self, now_ns: int) -> int | None:
        """Return when the set hours begin; None within them, and without any."""
        schedule = self.settings.schedule
        if schedule is None or self.send_now:
            return None
        local = datetime.fromtimestamp(now_ns / NS_PER_S, UTC).astimezone(self._zone)
        if in_window(schedule, local.hour * _MINUTES + local.minute):
            return None
        return _next_start_ns(schedule, local, self._zone)


def _next_start_ns(schedule: Schedule, local: datetime, zone: tzinfo | None) -> int:
    """Return the next start by the wall clock of that day: summer time may begin or end in between."""
    start = time(*divmod(schedule.start, _MINUTES))
    day = local.date() if local.time() < start else local.date() + timedelta(days=1)
    return round(datetime.combine(day, start, zone).timestamp()) * NS_PER_S
