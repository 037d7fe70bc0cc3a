# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""When to try again: random up to a bound that doubles, so that a thousand laptops do not come back together."""

from random import Random
from typing import Final

from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import CODES, Code, Retry

FIRST_S: Final = 5.0
SLOW_FIRST_S: Final = 60.0
LONGEST_S: Final = 600.0
SHORTEST_S: Final = 1.0
_ENOUGH_DOUBLINGS: Final = 10  # 5 s x 2^10 is past any bound; keeps the power small

ASK_FIRST_S: Final = 120.0  # first batch of a cold receiver 11 s + read-back of a large file, rounded well up
ASK_LONGEST_S: Final = 3600.0


def delay_s(code: Code, attempt: int, random: Random) -> float:
    """Seconds until try number `attempt` + 1: full jitter, at least a second, at most ten minutes."""
    first = SLOW_FIRST_S if CODES[code].retry is Retry.SLOW else FIRST_S
    bound = min(LONGEST_S, first * 2 ** min(max(0, attempt - 1), _ENOUGH_DOUBLINGS))
    floor = SLOW_FIRST_S if CODES[code].retry is Retry.SLOW else SHORTEST_S
    return max(floor, random.uniform(0.0, bound))


def next_try_ns(now_ns: int, code: Code, attempt: int, random: Random) -> int:
    """The moment of the next try."""
    return now_ns + round(delay_s(code, attempt, random) * NS_PER_S)


def clamp_ns(next_try_ns: int, now_ns: int) -> int:
    """A stored moment after a restart: a clock that was wrong then must not delay a file for years."""
    return min(next_try_ns, now_ns + round(LONGEST_S * NS_PER_S))


def ask_delay_s(asked: int, random: Random) -> float:
    """Seconds until a receipt that did not come is asked for again: 2 min doubling to 1 h, half of it jitter."""
    bound = min(ASK_LONGEST_S, ASK_FIRST_S * 2 ** min(asked, _ENOUGH_DOUBLINGS))
    return random.uniform(bound / 2, bound) if asked else bound
