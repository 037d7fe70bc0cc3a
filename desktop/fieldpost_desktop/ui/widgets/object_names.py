# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Names by which tests and tools find a widget."""

from typing import TypeVar

from PySide6.QtCore import QObject

Named = TypeVar("Named", bound=QObject)


def named(thing: Named, name: str) -> Named:
    """Return the same thing, with a name."""
    thing.setObjectName(name)
    return thing
