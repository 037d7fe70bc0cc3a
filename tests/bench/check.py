# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The guard: ratios of this run against those that are committed. Never absolute times: machines differ, and days."""

import json
from collections.abc import Mapping
from typing import Any, Final

from bench.report import DATA

ALLOWED: Final = 0.20
# What the guard looks at; the other references are there to be compared with, not to be kept up with.
GUARDED: Final = {
    "encode": "SHA-256 alone",
    "decode": "SHA-256 alone",
    "engine": "plain producer",
    "single-512 MiB": "plain Kafka",
    "backlog-1 GiB": "plain consumer",
    "files-2000x1000": "rsync",  # cp is done in 0.2 to 0.4 s, too soon to be compared with
}


def falls(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """A line for each guarded ratio that fell too far, or that is not there any more."""
    found = []
    for name, reference in GUARDED.items():
        old, new = _ratio(before, name, reference), _ratio(now, name, reference)
        if old is None:
            continue  # never committed
        if new is None:
            found.append(f"{name}: not measured any more (was {old:.2f} of {reference})")
        elif new < old * (1 - ALLOWED):
            found.append(f"{name}: {new:.2f} of {reference}, was {old:.2f} ({new / old - 1:+.0%})")
    return found


def compare(now: Mapping[str, Any]) -> int:
    """The exit code of `make bench-check`."""
    before = json.loads(DATA.read_text(encoding="utf-8"))
    for name, reference in GUARDED.items():
        print(f"{name}: {_ratio(now, name, reference)} of {reference}, committed {_ratio(before, name, reference)}")
    found = falls(before, now)
    for line in found:
        print(f"FELL: {line}")
    return 1 if found else 0


def _ratio(data: Mapping[str, Any], name: str, reference: str) -> float | None:
    ratio: float | None = data["scenarios"].get(name, {}).get("ratios", {}).get(reference)
    return ratio
