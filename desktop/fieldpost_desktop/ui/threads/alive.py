# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Guards against answers that come after their window was closed."""

from collections.abc import Callable
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QObject

T = TypeVar("T")


def while_alive(owner: QObject, call: Callable[[T], None]) -> Callable[[T], None]:
    """Return the same call, which does nothing once Qt has destroyed the owner."""

    def forward(value: T) -> None:
        if shiboken6.isValid(owner):
            call(value)

    return forward
