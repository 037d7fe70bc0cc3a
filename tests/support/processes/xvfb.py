# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""An invisible screen: an X server of our own, so that real windows can be opened, used and photographed."""

import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

_SIZE: Final = "1280x900x24"
_START_S: Final = 20.0


@pytest.fixture(scope="session", name="display")
def display_fixture() -> Iterator[str]:
    """The screen's name, for DISPLAY."""
    with running_display() as name:
        yield name


@contextmanager
def running_display() -> Iterator[str]:
    """The server looks for a free number itself and writes it when it is ready."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", _SIZE, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(
        command, pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(writing)
    try:
        yield f":{_number(reading)}"
    finally:
        os.close(reading)
        server.terminate()
        server.wait()


def _number(reading: int) -> str:
    ready, _, _ = select.select([reading], [], [], _START_S)
    said = os.read(reading, 64).decode().strip() if ready else ""
    assert said, "Xvfb did not start; packaging/setup.sh installs it"
    return said
