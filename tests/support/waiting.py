# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Tests wait for a condition, never for seconds."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

import pytest

_INTERVAL_S: Final = 0.02

T = TypeVar("T")


def wait_until(predicate: Callable[[], T], seconds: float, what: str) -> T:
    """Ask until the answer is true and return it; `what` completes "waited 5 s for ...".

    The last answer stands in the failure, so that one sees how far it came.
    """
    __tracebackhide__ = True
    deadline = time.monotonic() + seconds
    while not (answer := predicate()):
        if time.monotonic() >= deadline:
            pytest.fail(f"waited {seconds:g} s for {what}; the last answer was {answer!r}")
        time.sleep(_INTERVAL_S)
    return answer
