# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from datetime import UTC, datetime

import pytest

from fieldpost_desktop.engine.link.check.office import FRESH_S, gather, verdict
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status

NOW_S = 1_800_000_000


def notice(age: float, receiver: str = "central", state: ReceiverState = ReceiverState.OK) -> Status:
    return Status(None, receiver, datetime.fromtimestamp(NOW_S - age, UTC), Notice(state, "", {}))


def judged(*said: Status, receivers: tuple[str, ...] = ()) -> str:
    return verdict({status.receiver: status for status in said}, receivers, NOW_S * NS_PER_S)


def silence(*said: Status, receivers: tuple[str, ...] = ()) -> str:
    with pytest.raises(FieldpostError) as raised:
        judged(*said, receivers=receivers)
    assert raised.value.code is Code.RECEIPT_ABSENT
    return raised.value.detail


def test_three_minutes_are_just_heard() -> None:
    assert judged(notice(FRESH_S)) == "central, 3 min ago"
    assert silence(notice(FRESH_S + 1)) == "3 min (central)"


@pytest.mark.parametrize(
    ("age", "words"), [(181, "3 min"), (7000, "117 min"), (7200, "2 h"), (100_000, "28 h"), (10**6, "12 days")]
)
def test_a_silence_is_told_in_words_of_its_length(age: float, words: str) -> None:
    assert silence(notice(age)) == f"{words} (central)"


def test_any_one_is_enough_unless_names_are_required() -> None:
    both = (notice(10), notice(9000, "archive"))
    assert judged(*both) == "central, 10 s ago"
    assert judged(*both, receivers=("central",)) == "central, 10 s ago"
    assert silence(*both, receivers=("central", "archive")) == "2 h (archive)"
    assert silence(notice(9000), notice(9000, "archive")) == "2 h (archive), 2 h (central)"


def test_who_is_required_and_was_never_heard_is_named() -> None:
    assert silence() == "as long as the server can tell"
    assert silence(notice(5), receivers=("third",)) == "as long as the server can tell (third)"


def test_reading_goes_back_until_every_wanted_receiver_is_found() -> None:
    said = {30: [notice(1), notice(5, "archive")], 20: [notice(9), notice(50, "third")], 10: [notice(99)]}
    read: list[int] = []

    def window(start: int, _end: int) -> list[Status]:
        read.append(start)
        return said[start]

    windows = [(30, 40), (20, 30), (10, 20)]
    assert gather(windows, window, ()) == {"central": notice(1), "archive": notice(5, "archive")}
    assert read == [30]
    assert gather(windows, window, ("third",))["central"] == notice(1)
    assert read == [30, 30, 20]
    assert "fourth" not in gather(windows, window, ("fourth",))
    assert read == [30, 30, 20, 30, 20, 10]


def test_a_line_too_slow_for_the_whole_past_does_not_spoil_what_was_read() -> None:
    def window(start: int, _end: int) -> list[Status]:
        if start < 30:
            raise FieldpostError(Code.NO_CONNECTION, "no answer")
        return [notice(1)]

    assert gather([(30, 40), (20, 30)], window, ("third",)) == {"central": notice(1)}
    with pytest.raises(FieldpostError):
        gather([(20, 30)], window, ())
