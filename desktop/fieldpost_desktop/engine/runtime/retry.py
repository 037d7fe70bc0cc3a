# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""When to try again: a random delay up to a bound that doubles, so that a thousand laptops do not return together."""

from random import Random
from typing import Final

from fieldpost_shared.clock import NS_PER_S

FIRST_S: Final = 5.0
SLOW_FIRST_S: Final = 60.0
LONGEST_S: Final = 600.0
SHORTEST_S: Final = 1.0
_ENOUGH_DOUBLINGS: Final = 10  # 5 s x 2^10 is past any bound; keeps the power small

ASK_FIRST_S: Final = 120.0  # first batch of a cold receiver 11 s + read-back of a large file, rounded well up
ASK_LONGEST_S: Final = 3600.0


def delay_s(attempt: int, random: Random, *, slow: bool) -> float:
    """Return the seconds until try number `attempt` + 1: full jitter, from a second to ten minutes."""
    first = SLOW_FIRST_S if slow else FIRST_S
    bound = min(LONGEST_S, first * 2 ** min(max(0, attempt - 1), _ENOUGH_DOUBLINGS))
    return max(SLOW_FIRST_S if slow else SHORTEST_S, random.uniform(0.0, bound))


def clamp_ns(next_try_ns: int, now_ns: int) -> int:
    """Return a stored moment, brought near: a clock that was wrong must not delay a file for years."""
    return min(next_try_ns, now_ns + round(LONGEST_S * NS_PER_S))


def ask_delay_s(asked: int, random: Random) -> float:
    """Return the seconds until a missing receipt is asked for again: 2 min doubling to 1 h, half of it jitter."""
    bound = min(ASK_LONGEST_S, ASK_FIRST_S * 2 ** min(asked, _ENOUGH_DOUBLINGS))
    return random.uniform(bound / 2, bound) if asked else bound
