# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Notify the service manager that the receiver is ready, alive or stopping (systemd's sd_notify).

Without a service manager every call is a no-op. A manager that does not read its socket never disturbs the receiver.
"""

import logging
import socket
from collections.abc import Mapping
from typing import Final

_LOG: Final = logging.getLogger(__name__)
_US_PER_S: Final = 1_000_000
_SEND_S: Final = 1.0  # the socket of a busy manager may be full for a moment; transfers must not wait for it
_PER_PERIOD: Final = 3  # watchdog notifications: one may be late, one may get lost


class ServiceManager:
    """Used by the service's thread only."""

    def __init__(self, address: str | None = None, watchdog_s: float | None = None) -> None:
        self._address = address
        self._every_s = None if address is None or watchdog_s is None else watchdog_s / _PER_PERIOD
        self._next_watchdog = 0.0
        self.is_ready = False

    @classmethod
    def of(cls, environ: Mapping[str, str], pid: int) -> "ServiceManager":
        """Return the manager that started this process, as its environment says."""
        return cls(_address(environ.get("NOTIFY_SOCKET", "")), _watchdog_s(environ, pid))

    def ready(self, status: str) -> None:
        """Notify, once, that the receiver works."""
        if not self.is_ready:
            self.is_ready = True
            self._send("READY=1", _status(status))

    def status(self, status: str) -> None:
        """Set the line that `systemctl status` shows."""
        self._send(_status(status))

    def watchdog_due(self, now: float) -> bool:
        """Return whether a watchdog notification is due."""
        return self._every_s is not None and now >= self._next_watchdog

    def notify_watchdog(self, now: float) -> None:
        """Notify that the receiver is alive. The manager restarts it when this is missing for too long."""
        if self._every_s is not None:
            self._next_watchdog = now + self._every_s
            self._send("WATCHDOG=1")

    def stopping(self, status: str) -> None:
        """Notify that the receiver has begun to stop."""
        self._send("STOPPING=1", _status(status))

    def _send(self, *lines: str) -> None:
        if self._address is None:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.settimeout(_SEND_S)
                sender.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            _LOG.info("the service manager was not notified of %s: %s", lines[0], error)


def _address(given: str) -> str | None:
    """Return the socket's address: a path, or an abstract name, which is written with an @ in front."""
    if given.startswith("@"):
        return f"\0{given[1:]}"
    return given if given.startswith("/") else None


def _watchdog_s(environ: Mapping[str, str], pid: int) -> float | None:
    """Return the watchdog's period; None without a watchdog, or if it watches another process."""
    period = environ.get("WATCHDOG_USEC", "")
    if not period.isdecimal() or int(period) == 0 or environ.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    return int(period) / _US_PER_S


def _status(text: str) -> str:
    return "STATUS=" + " ".join(text.split())  # each line is a message of its own
