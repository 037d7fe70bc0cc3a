# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The judge of every fault test: what was promised, checked from outside.

It reads sources, destination, journal, ledger and status topic by itself (plain SQL, plain JSON, plain files) and takes
over nothing of the uploader's or the receiver's logic. `evidence` collects, `promises` judges, `bounds` knows memory
and exit codes, `watcher` looks at the destination all the time.
"""

from oracle.bounds import exit_violations, memory_violations
from oracle.evidence import Evidence, Said, Source, Surroundings, said_in, said_on_kafka
from oracle.promises import at_any_time, at_end, nobody_waits
from oracle.violations import Violation, demand
from oracle.watcher import Watcher

__all__ = [
    "Evidence",
    "Said",
    "Source",
    "Surroundings",
    "Violation",
    "Watcher",
    "at_any_time",
    "at_end",
    "demand",
    "exit_violations",
    "memory_violations",
    "nobody_waits",
    "said_in",
    "said_on_kafka",
]
