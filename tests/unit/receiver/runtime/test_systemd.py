# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What leaves for the service manager, read from a real datagram socket."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from fieldpost_receiver.runtime.systemd import ServiceManager

PID = 4711


@pytest.fixture(params=["a path", "a name without a file"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A manager's socket, and how it calls it."""
    name = str(tmp_path / "notify") if request.param == "a path" else f"@fieldpost-test-{uuid4().hex}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name.replace("@", "\0"))
        listening.setblocking(False)
        yield listening, name


def heard(listening: socket.socket) -> list[str]:
    found = []
    try:
        while True:
            found.append(listening.recv(4096).decode())
    except BlockingIOError:
        return found


def test_a_manager_is_notified_of_start_life_and_stop(manager: tuple[socket.socket, str]) -> None:
    listening, name = manager
    notifier = ServiceManager.of({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "9000000", "WATCHDOG_PID": str(PID)}, PID)
    notifier.ready("reading")
    notifier.ready("reading")
    notifier.status("two\nlines\tof words")
    notifier.notify_watchdog(100.0)
    notifier.stopping("soon")
    assert heard(listening) == [
        "READY=1\nSTATUS=reading",
        "STATUS=two lines of words",
        "WATCHDOG=1",
        "STOPPING=1\nSTATUS=soon",
    ]


def test_three_watchdog_notifications_fit_into_its_period(tmp_path: Path) -> None:
    notifier = ServiceManager.of({"NOTIFY_SOCKET": str(tmp_path / "nobody"), "WATCHDOG_USEC": "9000000"}, PID)
    assert notifier.watchdog_due(100.0)
    notifier.notify_watchdog(100.0)
    assert not notifier.watchdog_due(102.9)
    assert notifier.watchdog_due(103.0)


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": str(PID + 1)},
    ],
)
def test_a_manager_without_watchdog_gets_no_watchdog_notifications(
    manager: tuple[socket.socket, str], environment: dict[str, str]
) -> None:
    listening, name = manager
    notifier = ServiceManager.of({"NOTIFY_SOCKET": name} | environment, PID)
    assert not notifier.watchdog_due(1e9)
    notifier.notify_watchdog(1e9)
    assert heard(listening) == []


@pytest.mark.parametrize("address", ["", "vsock:2:1234", "notify", None])
def test_without_a_manager_every_call_does_nothing(address: str | None) -> None:
    environment = {"WATCHDOG_USEC": "9000000"} | ({} if address is None else {"NOTIFY_SOCKET": address})
    notifier = ServiceManager.of(environment, os.getpid())
    notifier.ready("")
    notifier.status("")
    notifier.stopping("")
    assert not notifier.watchdog_due(1e9)


def test_a_manager_that_is_gone_does_not_disturb_the_receiver(tmp_path: Path) -> None:
    ServiceManager.of({"NOTIFY_SOCKET": str(tmp_path / "gone")}, PID).ready("reading")
