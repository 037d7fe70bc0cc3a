# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps this computer awake while it sends: asks the system once, and releases it once after a quiet minute.

Only on mains power: a laptop in a bag must be allowed to sleep.
"""

import sys
from typing import Final, Protocol

from fieldpost_shared.clock import Clock

IDLE_S: Final = 60.0
CHECK_S: Final = 5.0  # a pulled plug is noticed within this time


class KeepAwake(Protocol):
    """The port to the system's sleep. All calls come from one thread, because Windows ties the request to it."""

    def on_mains(self) -> bool:
        """Return whether the computer runs on mains power."""

    def hold(self, *, awake: bool) -> None:
        """Keep the system from falling asleep by itself, or let it; the screen may go dark."""


class NoKeepAwake:
    """For systems that offer no such request."""

    def on_mains(self) -> bool:
        return False

    def hold(self, *, awake: bool) -> None:
        """Do nothing."""


class FakeKeepAwake:
    """The twin for tests; `asked` are the requests in order."""

    def __init__(self) -> None:
        self.mains = True
        self.asked: list[bool] = []

    def on_mains(self) -> bool:
        return self.mains

    def hold(self, *, awake: bool) -> None:
        self.asked.append(awake)


class WakeLock:
    """Decides when the system is asked. `step` is called often."""

    def __init__(self, system: KeepAwake, clock: Clock) -> None:
        self._system = system
        self._clock = clock
        self._held = False
        self._mains = False
        self._checked: float | None = None
        self._idle_since: float | None = None

    def step(self, *, sending: bool, wanted: bool) -> None:
        """Ask once when sending begins; release once after a quiet minute, without mains power or when not wanted."""
        now = self._clock.monotonic()
        if sending:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = now
        if not sending and not self._held:
            return
        quiet = self._idle_since is not None and now - self._idle_since >= IDLE_S
        self._set(awake=wanted and not quiet and self._on_mains(now))

    def end(self) -> None:
        """Release the system, since nothing more is sent."""
        self._set(awake=False)

    def _set(self, *, awake: bool) -> None:
        if awake != self._held:
            self._held = awake
            self._system.hold(awake=awake)

    def _on_mains(self, now: float) -> bool:
        if self._checked is None or now - self._checked >= CHECK_S:
            self._checked, self._mains = now, self._system.on_mains()
        return self._mains


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _CONTINUOUS: Final = 0x80000000
    _SYSTEM_REQUIRED: Final = 0x00000001
    _ONLINE: Final = 1

    class _PowerStatus(ctypes.Structure):
        _fields_ = (
            ("line", ctypes.c_ubyte),  # 0: battery, 1: mains, 255: unknown
            ("battery", ctypes.c_ubyte),
            ("percent", ctypes.c_ubyte),
            ("saver", ctypes.c_ubyte),
            ("seconds_left", wintypes.DWORD),
            ("seconds_full", wintypes.DWORD),
        )

    _kernel = ctypes.WinDLL("kernel32")
    _kernel.SetThreadExecutionState.argtypes = (wintypes.DWORD,)
    _kernel.SetThreadExecutionState.restype = wintypes.DWORD
    _kernel.GetSystemPowerStatus.argtypes = (ctypes.POINTER(_PowerStatus),)
    _kernel.GetSystemPowerStatus.restype = wintypes.BOOL

    class WindowsKeepAwake:
        """The request belongs to the calling thread, and ends with it."""

        def on_mains(self) -> bool:
            status = _PowerStatus()
            return bool(_kernel.GetSystemPowerStatus(ctypes.byref(status))) and status.line == _ONLINE

        def hold(self, *, awake: bool) -> None:
            _kernel.SetThreadExecutionState(_CONTINUOUS | (_SYSTEM_REQUIRED if awake else 0))

    def this_system() -> KeepAwake:
        """Return the port of this computer."""
        return WindowsKeepAwake()

else:

    def this_system() -> KeepAwake:
        """Return the port of this computer: on other systems the desktop decides."""
        return NoKeepAwake()
