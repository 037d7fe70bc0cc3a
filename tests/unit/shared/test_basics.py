# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import inspect
import pickle
import re
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared import errors
from fieldpost_shared.clock import NS_PER_S, FakeClock, SystemClock
from fieldpost_shared.codes import CODES, Code, Concern, Retry, known
from fieldpost_shared.errors import FieldpostError, NameRefused, ProtocolError, SettingsError
from fieldpost_shared.ids import clean_client_name, is_client_name, is_transfer_id, new_transfer_id


def test_every_code_has_one_row_with_words() -> None:
    assert set(CODES) == set(Code)
    assert all(row.words.rstrip("{}").endswith(".") or row.words.endswith(".") for row in CODES.values())
    assert all(row.code is code for code, row in CODES.items())


def test_every_label_can_be_said_on_the_phone() -> None:
    assert all(re.fullmatch(r"[A-Z]\d{1,2}", row.label) for row in CODES.values())


def test_what_needs_a_person_says_what_to_do() -> None:
    assert all(row.advice for row in CODES.values() if row.concern is Concern.PERSON)
    assert all(row.concern is Concern.PERSON for row in CODES.values() if row.retry in {Retry.ASK, Retry.STOP_ALL})
    assert all(row.retry is Retry.NEVER for row in CODES.values() if row.concern is Concern.TERMINAL)


def test_a_code_of_a_newer_fieldpost_is_unexpected_not_an_error() -> None:
    assert known("incomplete") is Code.INCOMPLETE
    assert known("from_the_future") is Code.UNEXPECTED


def test_the_drawn_exception_tree_is_the_real_one() -> None:
    drawn = re.findall(r"^[│├└─ ]*([A-Z]\w+(?:Error|Refused))$", errors.__doc__ or "", re.MULTILINE)
    real = [name for name, item in vars(errors).items() if inspect.isclass(item) and issubclass(item, Exception)]
    assert sorted(drawn) == sorted(real)


@pytest.mark.parametrize(
    "error",
    [
        FieldpostError(Code.SERVER_BUSY),
        FieldpostError(Code.SERVER_BUSY, "twice"),
        ProtocolError(Code.DAMAGED, "chunk 3", "van-7", "0" * 32),
        NameRefused("empty_part"),
        SettingsError("kafka.bootstrap_servers", "'x' is not host:port"),
    ],
)
def test_an_error_survives_the_way_between_processes(error: FieldpostError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == str(error)
    assert again.failure is CODES[error.code]


def test_an_error_says_its_code_and_where() -> None:
    assert str(FieldpostError(Code.SERVER_BUSY)) == "server_busy"
    assert str(SettingsError("size", "too big")) == "bad_setting: size: too big"


@given(st.integers(0, 2**63 - 1))
def test_transfer_ids_are_valid_and_sort_by_time(now_ns: int) -> None:
    earlier, later = new_transfer_id(now_ns), new_transfer_id(now_ns + 1_000_000)
    assert is_transfer_id(earlier)
    assert earlier < later
    assert (earlier[12], earlier[16] in "89ab") == ("7", True)


def test_transfer_ids_of_the_same_moment_differ() -> None:
    assert len({new_transfer_id(0) for _ in range(1000)}) == 1000


@given(st.text(max_size=200))
def test_any_text_cleans_to_a_client_name(raw: str) -> None:
    assert is_client_name(clean_client_name(raw))


def test_a_clean_name_stays_and_a_messy_one_is_still_recognised() -> None:
    assert clean_client_name("van-7.north") == "van-7.north"
    assert clean_client_name("Jürgen Groß@VAN 7") == "Jurgen-Gro-VAN-7"
    assert clean_client_name("北京") == "client"


def test_the_fake_clock_moves_only_when_told() -> None:
    clock = FakeClock(now_ns=0)
    event = threading.Event()
    assert not clock.wait(event, 2.5)
    assert (clock.now_ns(), clock.monotonic()) == (2_500_000_000, 2.5)
    event.set()
    assert clock.wait(event, 100)
    clock.jump(-1)
    clock.advance(-5)
    assert (clock.now_ns(), clock.monotonic()) == (1_500_000_000, 2.5)


def test_the_system_clock_tells_the_time_and_can_be_woken() -> None:
    clock = SystemClock()
    event = threading.Event()
    assert not clock.wait(event, -1)
    event.set()
    assert clock.wait(event, 60)
    assert clock.now_ns() > 1_700_000_000 * NS_PER_S
    assert clock.monotonic() <= clock.monotonic()
