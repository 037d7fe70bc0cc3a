# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Bounds of docs/design/faults.md: memory by kind of process, exit codes by program."""

from collections.abc import Iterable, Mapping
from typing import Final

from oracle.violations import Promise, Violation

MB: Final = 1_000_000
MEMORY: Final[Mapping[str, int]] = {"uploader": 150 * MB, "worker": 256 * MB, "jvm": 700 * MB}
EXITS: Final[Mapping[str, frozenset[int]]] = {
    "receiver": frozenset({0, 2, 74, 75, 78}),
    "send": frozenset({0, 1, 2, 75, 78}),
}


def memory_violations(samples: Iterable[tuple[str, int]], bounds: Mapping[str, int] = MEMORY) -> list[Violation]:
    """Samples are (kind of process, resident bytes); a kind without a bound is a violation too."""
    highest: dict[str, int] = {}
    for kind, resident in samples:
        highest[kind] = max(resident, highest.get(kind, 0))
    return [
        Violation(Promise.MEMORY, kind, f"{resident} bytes resident")
        for kind, resident in highest.items()
        if resident > bounds.get(kind, -1)
    ]


def exit_violations(program: str, code: int, expected: Iterable[int] | None = None) -> list[Violation]:
    """Whether a program ended as documented, or as this test expects."""
    allowed = EXITS[program] if expected is None else frozenset(expected)
    if code in allowed & EXITS[program]:
        return []
    return [Violation(Promise.EXIT, program, f"ended with {code}, not with one of {sorted(allowed)}")]
