# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a run is made of: `quick` is what the guard needs, `full` is everything."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from bench.measuring import GIB, MIB
from bench.roomy_disk import roomy_disk
from bench.scenarios import Bench, Scenario, backlog, clients, growth, latency, many, single, variants
from bench.wire import chunks, engine

Step = tuple[str, Callable[[Bench], Iterable[Scenario]]]
_SIZES: Final = (GIB, 4 * GIB, 16 * GIB)
_LARGEST: Final = 64 * GIB
_MB: Final = 1_000_000

# Under five minutes.
QUICK: Final[Sequence[Step]] = (
    ("wire", chunks),
    ("engine", lambda bench: [engine(bench, 256 * MIB)]),
    ("single", lambda bench: [single(bench, 512 * MIB, with_others=True)]),
    ("files", lambda bench: [many(bench, 2_000, 1000, 4, whole=False)]),
    ("latency", lambda bench: [latency(bench, 15)]),
    ("backlog", lambda bench: [backlog(bench, GIB, 1)]),
)


def _growth(bench: Bench) -> list[Scenario]:
    with roomy_disk(bench.folder) as disk:
        sizes = [size for size in _SIZES if disk.room > 3.2 * size] + ([_LARGEST] if disk.compresses else [])
        return [growth(replace(bench, folder=disk.folder), sizes, _LARGEST)]


# Under 45 minutes.
FULL: Final[Sequence[Step]] = (
    *QUICK,
    ("single-1", lambda bench: [single(bench, GIB, with_others=True)]),
    ("single-2", lambda bench: [single(bench, 2 * GIB, with_others=False)]),
    ("files-small", lambda bench: [many(bench, 10_000, 1000, 3, whole=True)]),
    ("files-1mb", lambda bench: [many(bench, 1_000, _MB, 2, whole=True)]),
    ("backlog-4", lambda bench: [backlog(bench, 4 * GIB, 2)]),
    ("backlog-8", lambda bench: [backlog(bench, 8 * GIB, 1)]),
    ("clients", lambda bench: [clients(bench, 20, 50 * _MB)]),
    ("variants", lambda bench: variants(bench, GIB)),
    ("growth", _growth),
)

PROFILES: Final = {"quick": QUICK, "full": FULL}
