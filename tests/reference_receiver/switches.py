# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a test can make the office do wrong, or not do. May be turned at any time, from any thread."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from reference_receiver.messages import Facts

# Called with the file and the chunk's index; None stands for the whole file in a pack.
PartPredicate = Callable[[Facts, int | None], bool]
FilePredicate = Callable[[Facts], bool]


def chunks(*indexes: int) -> PartPredicate:
    """For `lose` and `damage`: these chunks of every file."""
    return lambda _facts, index: index in indexes


def packed(_facts: Facts, index: int | None) -> bool:
    """For `lose` and `damage`: every file in a pack."""
    return index is None


class State(StrEnum):
    """What notices say."""

    OK = "ok"
    LOW_SPACE = "low_space"
    PAUSED = "paused"


@dataclass(slots=True)
class _Fault:
    predicate: PartPredicate
    times: int | None
    hits: Counter[tuple[str, int | None]] = field(default_factory=Counter)

    def strikes(self, facts: Facts, index: int | None) -> bool:
        part = (facts.transfer, index)
        if (self.times is not None and self.hits[part] >= self.times) or not self.predicate(facts, index):
            return False
        self.hits[part] += 1
        return True


class Switches:
    """All are off at first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._losses: list[_Fault] = []
        self._damages: list[_Fault] = []
        self._rejections: list[tuple[FilePredicate, str, str]] = []
        self._mismatches = 0
        self._audience: frozenset[str] | None = None
        self._state = State.OK
        self._silent = False
        self._receipts_delayed = False

    def lose(self, predicate: PartPredicate, times: int | None = 1) -> None:
        """Drop a part as if it never arrived, the first `times` times that it comes; None: always."""
        with self._lock:
            self._losses.append(_Fault(predicate, times))

    def damage(self, predicate: PartPredicate, times: int | None = 1) -> None:
        """Take a part for damaged. A chunk is asked for again, a packed file is rejected."""
        with self._lock:
            self._damages.append(_Fault(predicate, times))

    def reject(self, predicate: FilePredicate, code: str, text: str = "because the test says so") -> None:
        """Reject a transfer when it first appears."""
        with self._lock:
            self._rejections.append((predicate, code, text))

    def fake_hash_mismatch(self, times: int = 1) -> None:
        """Find the next complete files wrong, each once: `rejected: hash_mismatch`."""
        with self._lock:
            self._mismatches += times

    def be_silent(self, silent: bool = True) -> None:
        """Read and publish, but say nothing, not even a notice. What was not said is not said later."""
        self._silent = silent

    def answer_only(self, *clients: str) -> None:
        """Say nothing to other clients; without a name: answer everybody again."""
        self._audience = frozenset(clients) or None

    def delay_receipts(self) -> None:
        """Publish, but keep the receipts; an end is answered `progress: verifying` meanwhile."""
        self._receipts_delayed = True

    def release_receipts(self) -> None:
        self._receipts_delayed = False

    def set_state(self, state: State | str) -> None:
        """What notices say from now on, at once. `paused` also stops reading; `low_space` stops nothing."""
        self._state = State(state)

    @property
    def state(self) -> State:
        return self._state

    @property
    def receipts_delayed(self) -> bool:
        return self._receipts_delayed

    def loses(self, facts: Facts, index: int | None) -> bool:
        with self._lock:
            return any(fault.strikes(facts, index) for fault in self._losses)

    def damages(self, facts: Facts, index: int | None) -> bool:
        with self._lock:
            return any(fault.strikes(facts, index) for fault in self._damages)

    def rejection(self, facts: Facts) -> tuple[str, str] | None:
        """Code and text, if the test wants this file rejected."""
        with self._lock:
            return next(((code, text) for wanted, code, text in self._rejections if wanted(facts)), None)

    def takes_a_mismatch(self) -> bool:
        with self._lock:
            wanted = self._mismatches > 0
            self._mismatches -= wanted
            return wanted

    def speaks_to(self, client: str | None) -> bool:
        """Whether to say something to a client; None: to everybody, by a notice."""
        return not self._silent and (client is None or self._audience is None or client in self._audience)
