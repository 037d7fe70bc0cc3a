# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Waits for a condition instead of for seconds."""

import time
from collections.abc import Callable
from typing import Final

from devkafka.errors import DevKafkaError

INTERVAL_S: Final = 0.05


def poll_until(holds: Callable[[], bool], seconds: float, what: str) -> None:
    """Ask until it holds. `what` completes the sentence "Waited 30 s for ..."."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() >= deadline:
            raise DevKafkaError(f"Waited {seconds:g} s for {what}.")
        time.sleep(INTERVAL_S)
