# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The one overall status: the worst state wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.overall_status import overall
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.codes import Code

S, Overall = FileState, OverallState
HOLDS = [None, *(Hold(kind) for kind in HoldKind)]


@given(
    st.dictionaries(st.sampled_from(FileState), st.tuples(st.integers(0, 5), st.integers(0, 999))),
    st.sampled_from(HOLDS),
)
def test_the_worst_state_wins(counts: dict[FileState, tuple[int, int]], hold: Hold | None) -> None:
    status = overall(counts, hold=hold, set_up=True)
    if counts.get(S.ATTENTION, (0, 0))[0]:
        assert status.state is Overall.ATTENTION, "the tray is never calm while a file failed"
    if status.state is Overall.ALL_CONFIRMED:
        assert not any(count for state, (count, _) in counts.items() if state not in {S.CONFIRMED, S.CANCELLED})
    assert overall(counts, hold=hold, set_up=False).state is Overall.NOT_SET_UP


@pytest.mark.parametrize(
    ("counts", "hold", "state"),
    [
        ({}, None, Overall.ALL_CONFIRMED),
        ({S.CONFIRMED: (3, 3)}, None, Overall.ALL_CONFIRMED),
        ({S.SENDING: (1, 9)}, None, Overall.WORKING),
        ({S.SENT: (1, 9)}, None, Overall.WORKING),
        ({S.SENT: (1, 9)}, Hold(HoldKind.OFFLINE), Overall.WORKING),
        ({S.QUEUED: (1, 9)}, Hold(HoldKind.OFFLINE), Overall.WAITING),
        ({S.RETRYING: (1, 9)}, None, Overall.WAITING),
        ({S.RETRYING: (1, 9), S.SENDING: (1, 9)}, None, Overall.WORKING),
        ({S.PAUSED: (1, 9)}, None, Overall.PAUSED),
        ({}, Hold(HoldKind.PAUSED), Overall.PAUSED),
        ({}, Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED), Overall.ATTENTION),
        ({}, Hold(HoldKind.OFFLINE), Overall.ALL_CONFIRMED),
    ],
)
def test_what_people_see_fits_what_happens(
    counts: dict[FileState, tuple[int, int]], hold: Hold | None, state: OverallState
) -> None:
    assert overall(counts, hold=hold, set_up=True).state is state


def test_time_left_counts_what_the_broker_has_already() -> None:
    status = overall({S.SENDING: (1, 1000)}, hold=None, set_up=True, rate=100.0, acknowledged=400)
    assert (status.bytes_left, status.seconds_left) == (600, 6.0)
