# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from itertools import product

import pytest

from fieldpost_desktop.engine.model.states import NEXT, OPEN, FileState, WrongTransition, check

S = FileState
# Written out once more, from docs/protocol.md, States: the table in the code is compared with this, pair by pair.
ALLOWED = {
    (S.SETTLING, S.QUEUED),
    (S.QUEUED, S.SENDING),
    (S.QUEUED, S.PAUSED),
    (S.QUEUED, S.RETRYING),
    (S.SENDING, S.QUEUED),
    (S.SENDING, S.RETRYING),
    (S.SENDING, S.PAUSED),
    (S.SENDING, S.SENT),
    (S.RETRYING, S.QUEUED),
    (S.RETRYING, S.PAUSED),
    (S.PAUSED, S.QUEUED),
    (S.SENT, S.QUEUED),
    (S.ATTENTION, S.QUEUED),
    (S.CANCELLED, S.QUEUED),
} | {
    (old, new)
    for old in (S.SETTLING, S.QUEUED, S.SENDING, S.RETRYING, S.PAUSED, S.SENT, S.ATTENTION)
    for new in (S.CONFIRMED, S.CANCELLED, S.ATTENTION)
    if old is not new
}


@pytest.mark.parametrize(("old", "new"), list(product(FileState, FileState)))
def test_a_file_takes_no_step_that_the_table_does_not_have(old: FileState, new: FileState) -> None:
    if old is new or (old, new) in ALLOWED:
        check(old, new)
        return
    with pytest.raises(WrongTransition) as caught:
        check(old, new)
    assert (caught.value.old, caught.value.new) == (old, new)


def test_a_confirmed_file_stays_confirmed() -> None:
    assert NEXT[S.CONFIRMED] == frozenset()
    assert set(S) - {S.CONFIRMED, S.CANCELLED} == OPEN
