# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the service manager is told: that the receiver is ready, well, or being stopped (systemd's sd_notify).

Started by hand there is nobody to tell, and every call does nothing. A manager that does not listen never disturbs.
"""

import logging
import socket
from collections.abc import Mapping
from typing import Final

_LOG: Final = logging.getLogger(__name__)
_US_PER_S: Final = 1_000_000
_SEND_S: Final = 1.0  # the socket of a busy manager may be full for a moment; transfers must not wait for it
_BEATS: Final = 3  # for each period of the watchdog: one may be late, one may get lost


class Notifier:
    """Used by the service's thread only."""

    def __init__(self, address: str | None = None, watchdog_s: float | None = None) -> None:
        self._address = address
        self._every_s = None if address is None or watchdog_s is None else watchdog_s / _BEATS
        self._next_beat = 0.0
        self._is_ready = False

    @classmethod
    def of(cls, environ: Mapping[str, str], pid: int) -> "Notifier":
        """As the manager that started this process wants it."""
        return cls(_address(environ.get("NOTIFY_SOCKET", "")), _watchdog_s(environ, pid))

    def ready(self, words: str) -> None:
        """Said once: from now on it works."""
        if not self._is_ready:
            self._is_ready = True
            self._send("READY=1", _status(words))

    def status(self, words: str) -> None:
        """What `systemctl status` shows."""
        self._send(_status(words))

    def wants_beat(self, now: float) -> bool:
        """Whether a sign of life is due; what it takes to know that all is well need not be asked before."""
        return self._every_s is not None and now >= self._next_beat

    def beat(self, now: float) -> None:
        """All is well. When this stays out for too long, the manager starts the receiver again."""
        if self._every_s is not None:
            self._next_beat = now + self._every_s
            self._send("WATCHDOG=1")

    def stopping(self, words: str) -> None:
        """It has begun to stop."""
        self._send("STOPPING=1", _status(words))

    def _send(self, *lines: str) -> None:
        if self._address is None:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.settimeout(_SEND_S)
                sender.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            _LOG.info("the service manager was not told %s: %s", lines[0], error)


def _address(given: str) -> str | None:
    """The socket's address for the system: a path, or a name without a file, which is written with an @ in front."""
    if given.startswith("@"):
        return f"\0{given[1:]}"
    return given if given.startswith("/") else None


def _watchdog_s(environ: Mapping[str, str], pid: int) -> float | None:
    """How long the manager waits for a sign of life; None if it does not, or waits for another process's."""
    period = environ.get("WATCHDOG_USEC", "")
    if not period.isdecimal() or int(period) == 0 or environ.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    return int(period) / _US_PER_S


def _status(words: str) -> str:
    return "STATUS=" + " ".join(words.split())  # each line is a message of its own
