# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Storms: many small things at once, drawn from a seed with weights, so that faults meet files on their way.

Hypothesis chooses rules evenly; in a sequence of even choices hardly anything is ever half sent.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from faults.model_world import CRITICAL, LOW, PLENTY
from fieldpost_shared.crash_points import RECEIVER, UPLOADER
from support.engine.core import CHUNK

SIZES: Final = (7 * CHUNK + 5, 2 * CHUNK + 1, 2 * CHUNK, 12 * CHUNK, 5_000, 1, 0)
NAMES: Final = ("a.bin", "b.txt", "c (2).txt", "D.bin", "d.bin", "e")
DAY_S: Final = 86_400.0
WAITS: Final = (1.0, 10.0, 50.0, 300.0, 3 * 3600.0, 15 * DAY_S)
PERSON: Final = ("cancel", "pause", "resume", "retry")
LOSSES: Final = ("gap", "damage", "retention")
SHIFTS: Final = ("partition", "limit", "position")
Moment = tuple[str, tuple[Any, ...]]  # a rule and what it is called with


def _pick(random: Random) -> int:
    return random.randrange(1_001)


def _size_and_rounds(random: Random) -> tuple[int, int]:
    return random.choice(SIZES), random.randrange(1, 4)


_TABLE: Final[tuple[tuple[int, str, Callable[[Random], tuple[Any, ...]]], ...]] = (
    (14, "send", lambda r: (2, r.choice((1, 2, 5, 100)))),
    (10, "take_a_batch", lambda r: ([r.choice((0, 1, 2, 6)) for _ in range(5)],)),
    (6, "publish_and_answer", lambda _: ()),
    (7, "hear", lambda r: (r.choice((1, 20)),)),
    (6, "be_unlucky", lambda r: (r.choice((1, 3, 40)),)),
    (4, "repeat_a_record", lambda r: (_pick(r), _pick(r))),
    (4, "upkeep_and_notice", lambda _: ()),
    (8, "time_passes", lambda r: (r.choice((6.0, 50.0, 50.0)),)),
    (10, "add", lambda r: (r.choice(NAMES), r.choice(SIZES))),
    (3, "change_a_file", lambda r: (_pick(r), r.choice(SIZES))),
    (1, "rename_or_delete_a_file", lambda r: (_pick(r), r.random() < 0.5)),
    (2, "add_the_same_again", lambda r: (_pick(r),)),
    (3, "a_person_acts", lambda r: (_pick(r), r.choice(PERSON))),
    (1, "send_again", lambda r: (_pick(r),)),
    (1, "pause_or_resume_all", lambda r: (r.random() < 0.4,)),
    (3, "lose_a_record", lambda r: (_pick(r), r.choice(LOSSES))),
    (2, "the_ground_shifts", lambda r: (r.choice(SHIFTS),)),
    (2, "lose_or_repeat_an_answer", lambda r: (_pick(r), r.choice(("lose", "repeat")))),
    (3, "crash", lambda r: (r.choice(("uploader", "receiver")),)),
    (4, "the_receiver_dies_on_the_way", lambda r: (r.choice(RECEIVER), r.choice((1, 1, 2, 5)), *_size_and_rounds(r))),
    (4, "the_uploader_dies_on_the_way", lambda r: (r.choice(UPLOADER), r.choice((1, 1, 2, 5)), *_size_and_rounds(r))),
    (2, "fill_or_free_the_disk", lambda r: (r.choice((PLENTY, PLENTY, LOW, CRITICAL)), r.random() < 0.5)),
    (2, "take_a_file_away", lambda r: (_pick(r),)),
    (2, "everybody_works", lambda r: (r.randrange(1, 4),)),
    (1, "time_passes", lambda r: (r.choice(WAITS),)),
    (1, "set_the_clock", lambda r: (r.choice((-3600.0, 3600.0)),)),
)


def storm(seed: int, length: int) -> list[Moment]:
    """The moments of a storm: the same for the same seed, whatever happens in them."""
    random = Random(seed)  # noqa: S311 - reproducible
    rows = random.choices(_TABLE, [weight for weight, _, _ in _TABLE], k=length)
    return [(name, arguments(random)) for _, name, arguments in rows]
