# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fieldpost_desktop.engine.link.check.check import Outcome, Step, StepResult
from fieldpost_desktop.engine.model import failure_details
from fieldpost_desktop.engine.model.events import FileChanged, OverallState, OverallStatus
from fieldpost_desktop.engine.model.failure_details import EXISTED_BEFORE
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.watching.folder_kind import FolderProblem, FolderRefused
from fieldpost_desktop.ui.text import languages, phrases, wording
from fieldpost_desktop.ui.text.wording import BannerAction
from fieldpost_shared import names
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.codes import CODES, Code, Retry
from fieldpost_shared.errors import FieldpostError, NameRefused, SettingsError
from support.gui import pseudo_locale
from support.gui.rows import NOW_NS, file_row

OFFICE = "central"
BRITAIN = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
GERMANY = QLocale(QLocale.Language.German, QLocale.Country.Germany)
JARGON = re.compile(
    r"\b(chunk|broker|topic|offset|partition|sasl|librdkafka|header|ledger|checkpoint)s?\b", re.IGNORECASE
)
LEFT_OPEN = re.compile(r"[{}]|%L?n|%\d|\(s\)")
EACH = dict.fromkeys(FileState, 3)
COMES_BACK = (Retry.AUTO, Retry.SLOW)
HOLDS = [
    *(Hold(kind) for kind in HoldKind),
    *(Hold(HoldKind.STOP_ALL, code) for code in Code if CODES[code].retry is Retry.STOP_ALL),
    *(Hold(HoldKind.OFFLINE, code, NOW_NS + 80 * NS_PER_S, 2) for code in Code if CODES[code].retry in COMES_BACK),
    *(Hold(kind, until_ns=NOW_NS + 80 * NS_PER_S) for kind in HoldKind),
]


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[None]:
    spoken = languages.install(qapp, "en", BRITAIN)
    yield
    spoken.remove()


@pytest.fixture
def german(qapp: QApplication, english: None) -> Iterator[None]:  # noqa: ARG001 - over English, as last asked first
    spoken = languages.install(qapp, "de", GERMANY)
    yield
    spoken.remove()


def row_says(
    state: FileState,
    hold: Hold | None = None,
    change: dict[str, Any] | None = None,
    **row: Any,  # noqa: ANN401 - column values
) -> str:
    made = FileChanged(file_row(state, **row), **(change or {}))
    return wording.row_sentence(made, OFFICE, NOW_NS, hold)


def every_sentence(office: str = OFFICE) -> list[str]:
    """All that the window can say about all that there is."""
    said = [str(wording.failure(code, "", office, "a.jpg", state)) for code in Code for state in (None, *FileState)]
    said += [wording.error_sentence(FieldpostError(code, "raw"), office) for code in Code]
    changes = [
        FileChanged(file_row(state, code=code, attempt=2), 14, 52) for state in FileState for code in ("", *Code)
    ]
    said += [wording.row_sentence(change, office, NOW_NS, None) for change in changes]
    for state in FileState:
        change = FileChanged(file_row(state), 14, 52, 3e6)
        said += [wording.row_sentence(change, office, NOW_NS, hold) for hold in HOLDS]
    for hold in HOLDS:
        banner = wording.hold_banner(hold, office, NOW_NS)
        said += [banner.title, banner.text]
    for overall in OverallState:
        status = [OverallStatus(overall, EACH, 9, 3.0, 90.0, hold) for hold in HOLDS]
        said += [wording.overall_sentence(one, office, NOW_NS) for one in [*status, OverallStatus(overall)]]
    results = [StepResult(step, outcome, Code.NO_CONNECTION, "1048588 bytes") for step in Step for outcome in Outcome]
    said += [wording.step_result(result, office) for result in results]
    said += [wording.step_title(step, office) for step in Step]
    return [*said, *names_of_everything()]


def names_of_everything() -> list[str]:
    """Each would raise for a value that it does not know."""
    return [
        *map(wording.state_name, FileState),
        *map(wording.outcome_name, Outcome),
        *map(wording.action_name, BannerAction),
        *map(wording.name_problem, names.Reason),
        *(wording.folder_problem(FolderRefused(problem, "/van", "/van/photos")) for problem in FolderProblem),
    ]


# all of it


def test_everything_there_is_has_its_own_words() -> None:
    for said in (
        [*map(wording.state_name, FileState)],
        [wording.overall_sentence(OverallStatus(state, EACH), OFFICE, NOW_NS) for state in OverallState],
        [*map(wording.outcome_name, Outcome)],
        [*map(wording.action_name, BannerAction)],
        [*map(wording.name_problem, names.Reason)],
        [wording.step_title(step, OFFICE) for step in Step],
        [wording.folder_problem(FolderRefused(problem, "/van", "/van/photos")) for problem in FolderProblem],
    ):
        assert all(said)
        assert len(set(said)) == len(said)


@pytest.mark.parametrize("code", Code)
def test_every_code_says_what_happened_what_comes_next_and_what_you_can_do(code: Code) -> None:
    said = wording.failure(code, "", OFFICE)
    assert said.happened.endswith(".")
    assert said.label == CODES[code].label
    if CODES[code].retry is not Retry.NEVER:
        assert said.next.endswith(".")
        assert said.you_can.endswith(".")


@pytest.mark.parametrize("kind", HoldKind)
def test_every_hold_has_a_sentence_and_a_banner(kind: HoldKind) -> None:
    assert wording.hold_sentence(Hold(kind), OFFICE, NOW_NS)
    assert wording.hold_banner(Hold(kind), OFFICE, NOW_NS).title


def test_no_sentence_has_jargon_code_names_or_open_placeholders() -> None:
    code_names = {code for code in Code if "_" in code}
    for sentence in every_sentence():
        assert not JARGON.search(sentence), sentence
        assert not LEFT_OPEN.search(sentence), sentence
        assert not any(name in sentence for name in code_names), sentence
        assert "  " not in sentence
        assert ".. " not in sentence


def test_every_sentence_is_translated(qapp: QApplication) -> None:
    translator = pseudo_locale.install(qapp)
    try:
        for sentence in filter(None, every_sentence("[office]")):
            assert pseudo_locale.is_translated(sentence), sentence
    finally:
        pseudo_locale.remove(translator)


def test_without_a_name_the_office_is_called_the_office() -> None:
    assert wording.failure(Code.NO_CONNECTION, "", "").happened == "No connection to the office."
    assert wording.failure(Code.HASH_MISMATCH, "", "").happened == "The office received it damaged."


# failures


def test_a_failure_away_from_its_row_names_the_file() -> None:
    said = wording.failure(Code.FILE_GONE, "", OFFICE, "bridge.jpg")
    assert said.happened == "bridge.jpg: The file was moved or deleted."
    assert said.next == "This waits for you; everything else goes on."
    assert said.you_can == "Show Fieldpost where it is now, or cancel."
    row = file_row(FileState.ATTENTION, code=Code.FILE_GONE)
    assert wording.file_failure(row, OFFICE) == wording.failure(Code.FILE_GONE, "", OFFICE, "bridge.jpg", row.state)
    assert wording.error_sentence(FieldpostError(Code.FILE_GONE), OFFICE, "bridge.jpg").startswith("bridge.jpg: ")


def test_a_file_without_a_code_has_no_failure() -> None:
    assert wording.file_failure(file_row(), OFFICE) is None
    assert wording.file_failure(file_row(FileState.CONFIRMED, code=Code.DUPLICATE), OFFICE) is None


def test_a_code_of_a_newer_fieldpost_is_unexpected() -> None:
    said = wording.file_failure(file_row(FileState.ATTENTION, code="bitten_by_dog"), OFFICE)
    assert said is not None
    assert said.label == "X1"


def test_what_is_not_translated_is_kept_for_support_only() -> None:
    error = FieldpostError(Code.PROFILE_UNREADABLE, "line 3: Expecting value")
    said = wording.failure(error.code, error.detail, OFFICE)
    assert "Expecting" not in said.happened
    assert said.raw == "P1 profile_unreadable: line 3: Expecting value"
    assert wording.error_sentence(error, OFFICE) == (
        "This settings file cannot be read. Ask support for a new one. (P1)"
    )
    assert wording.error_sentence(SettingsError("metered", "'x' is odd"), OFFICE).startswith("A setting is wrong.")


@pytest.mark.parametrize(
    ("code", "detail", "said"),
    [
        (Code.PARTS_MISSING, failure_details.chunks_again(3, 1), "central asked again for 3 parts (round 1 of 5)."),
        (Code.PARTS_MISSING, failure_details.chunks_again(1, 2), "central asked again for 1 part (round 2 of 5)."),
        (Code.PARTS_MISSING, "a few", "central asked for some parts again."),
        (
            Code.OVER_PROFILE_LIMIT,
            failure_details.size_limit(4_000_000_000),
            "This file is bigger than allowed (limit 4 GB).",
        ),
        (Code.RECEIPT_LATE, failure_details.hours(4), "Sent 4 h ago, not confirmed yet."),
        (Code.RECEIPT_ABSENT, failure_details.hours(24), "No answer from central for 24 h."),
        (
            Code.NAME_REFUSED,
            failure_details.name_problem("backslash"),
            "central does not accept this name: it contains a backslash.",
        ),
        (Code.NAME_REFUSED, names.Reason.BACKSLASH, "central does not accept this name: it contains a backslash."),
        (Code.NAME_REFUSED, "?", "central does not accept this name: it cannot be used as a file name."),
    ],
)
def test_what_the_engine_noted_is_read_back(code: Code, detail: str, said: str) -> None:
    assert wording.failure(code, detail, OFFICE).happened == said


def test_what_was_tried_too_often_is_not_promised_again() -> None:
    on_its_way = wording.failure(Code.HASH_MISMATCH, "", OFFICE, state=FileState.QUEUED)
    given_up = wording.failure(Code.HASH_MISMATCH, "", OFFICE, state=FileState.ATTENTION)
    assert on_its_way.next == "It is sent again by itself."
    assert given_up.next == "This waits for you; everything else goes on."
    assert given_up.you_can == "Send it again, or make a report for support."


def test_after_a_day_without_a_receipt_the_asking_goes_on() -> None:
    said = wording.failure(Code.RECEIPT_ABSENT, "24 h", OFFICE, state=FileState.ATTENTION)
    assert said.next == "Fieldpost keeps asking central."
    assert said.you_can == "Call support. Keep the file."


def test_a_file_that_changes_by_itself_needs_no_person() -> None:
    said = wording.failure(Code.FILE_CHANGED, "", OFFICE, state=FileState.RETRYING)
    assert said.you_can == "There is nothing you need to do."


def test_a_hostile_name_does_not_turn_the_sentence_around() -> None:
    said = wording.failure(Code.FILE_GONE, "", "cen\u202etral", "gpj\u202e.exe")
    assert "\u202e" not in str(said)


def test_an_error_about_a_folder_says_which_and_why() -> None:
    refused = FolderRefused(FolderProblem.IN_WATCHED, "/van/photos/day", "/van/photos")
    assert wording.error_sentence(refused, OFFICE) == "/van/photos/day lies in /van/photos, which is watched already."


def test_a_refused_name_says_why() -> None:
    assert "it contains a backslash" in wording.error_sentence(NameRefused(names.Reason.BACKSLASH), OFFICE)


# rows


def test_a_sending_file_tells_parts_speed_and_time_left() -> None:
    moving = {"acknowledged": 14, "parts": 52, "rate": 310_000.0}
    began = NOW_NS - 60 * NS_PER_S
    said = row_says(FileState.SENDING, change=moving, started_ns=began)
    assert said == "Sending 14 of 52 parts · 310 kB/s · about 2 min left"


def test_there_is_no_time_left_in_the_first_ten_seconds() -> None:
    moving = {"acknowledged": 14, "parts": 52, "rate": 3_100_000.0}
    said = row_says(FileState.SENDING, change=moving, started_ns=NOW_NS - 9 * NS_PER_S)
    assert said == "Sending 14 of 52 parts · 3.1 MB/s"
    assert row_says(FileState.SENDING, change=moving | {"rate": None}) == "Sending 14 of 52 parts"
    assert row_says(FileState.SENDING) == "Sending"


def test_the_three_stages_have_three_sentences() -> None:
    at = phrases.clock(NOW_NS, NOW_NS)
    assert row_says(FileState.SENT) == "Sent, waiting for confirmation"
    assert row_says(FileState.CONFIRMED, ended_ns=NOW_NS) == f"Confirmed {at} by central"


def test_a_retrying_file_says_why_when_and_how_often() -> None:
    waiting: dict[str, Any] = {"code": Code.NO_CONNECTION, "attempt": 2, "next_try_ns": NOW_NS + 80 * NS_PER_S}
    said = row_says(FileState.RETRYING, **waiting)
    assert said == "No connection to central. Trying again in 1 min 20 s (3rd try)"
    assert row_says(FileState.RETRYING, **(waiting | {"next_try_ns": NOW_NS})).endswith("Trying again now (3rd try)")
    assert row_says(FileState.RETRYING, **(waiting | {"attempt": 0})).endswith("Trying again in 1 min 20 s")


def test_a_file_that_needs_you_says_why_with_its_label() -> None:
    said = row_says(FileState.ATTENTION, code=Code.FILE_GONE)
    assert said == "Needs you: the file was moved or deleted (F2)"
    assert row_says(FileState.ATTENTION, code=Code.TOO_LARGE) == (
        "Needs you: central does not accept a file of this size (R6)"
    )


def test_waiting_files_say_what_they_wait_for() -> None:
    until = NOW_NS + 3_600 * NS_PER_S
    at = phrases.clock(until, NOW_NS)
    expected = {
        Hold(HoldKind.SCHEDULE, until_ns=until): f"Waits until {at}",
        Hold(HoldKind.SCHEDULE): "Waits for the set sending hours",
        Hold(HoldKind.METERED): "Waits: this connection costs money (metered)",
        Hold(HoldKind.PAUSED): "Paused",
        Hold(HoldKind.PAUSED, until_ns=until): f"Paused until {at}",
        Hold(HoldKind.WAKING): "This computer was asleep; sending goes on in a moment",
        Hold(HoldKind.OFFLINE): "Connecting to central…",
        Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, NOW_NS + 80 * NS_PER_S, 2): (
            "No connection to central. Trying again in 1 min 20 s (3rd try)"
        ),
        Hold(HoldKind.RECEIVER_FULL, Code.RECEIVER_FULL): "Storage at central is full.",
        Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED): "User name or password not accepted (A1)",
    }
    assert {hold: row_says(FileState.QUEUED, hold) for hold in expected} == expected
    assert row_says(FileState.QUEUED) == "Waiting its turn"


def test_a_file_sent_anyway_does_not_wait_for_a_cheaper_connection() -> None:
    assert row_says(FileState.QUEUED, Hold(HoldKind.METERED), anyway=True) == "Waiting its turn"


def test_a_file_that_settles_waits_for_nothing_but_itself() -> None:
    assert row_says(FileState.SETTLING, Hold(HoldKind.PAUSED)) == "Still being written"
    assert row_says(FileState.SETTLING, code=Code.FILE_IN_USE) == "The file is open in another program (F1)"


def test_parts_asked_for_again_are_said_in_the_row() -> None:
    said = row_says(FileState.QUEUED, code=Code.PARTS_MISSING, detail=failure_details.chunks_again(3, 1))
    assert said == "central asked again for 3 parts (round 1 of 5) (R2)"


def test_a_sending_file_says_pausing_until_the_last_answer() -> None:
    moving = {"acknowledged": 14, "parts": 52}
    assert row_says(FileState.SENDING, Hold(HoldKind.PAUSED), moving) == "Pausing…"
    assert row_says(FileState.SENDING, Hold(HoldKind.OFFLINE), moving) == "Connecting to central…"
    assert row_says(FileState.PAUSED, change=moving) == "Paused at 14 of 52 parts"
    assert row_says(FileState.PAUSED) == "Paused"


def test_a_late_receipt_asks_to_keep_the_file() -> None:
    said = row_says(FileState.SENT, code=Code.RECEIPT_LATE, detail=failure_details.hours(4))
    assert said == "Sent 4 h ago, not confirmed yet. Keep the file."


def test_a_confirmed_file_stays_confirmed_whatever_became_of_it_here() -> None:
    at = phrases.clock(NOW_NS, NOW_NS)
    done: dict[str, Any] = {"ended_ns": NOW_NS}
    assert (
        row_says(FileState.CONFIRMED, code=Code.DUPLICATE, **done) == f"Confirmed {at} by central, which had it already"
    )
    assert row_says(FileState.CONFIRMED, code=Code.CLEAN_UP_FAILED, **done) == (
        f"Confirmed {at} by central, but it could not be moved (W2)"
    )


def test_a_file_that_was_there_before_says_why_it_is_not_sent() -> None:
    assert row_says(FileState.CANCELLED) == "Cancelled"
    assert (
        row_says(FileState.CANCELLED, detail=EXISTED_BEFORE) == "Not sent: it was there before the folder was watched"
    )


# everything


def overall(state: OverallState, hold: Hold | None = None, **counts: int) -> OverallStatus:
    return OverallStatus(state, {FileState(name): count for name, count in counts.items()}, hold=hold)


def test_the_header_says_how_everything_is() -> None:
    offline = Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, NOW_NS + 80 * NS_PER_S, 2)
    expected = [
        (overall(OverallState.NOT_SET_UP), "Fieldpost is not set up yet"),
        (overall(OverallState.ALL_CONFIRMED), "Nothing to send"),
        (overall(OverallState.ALL_CONFIRMED, confirmed=8), "All files confirmed by central"),
        (overall(OverallState.WORKING, sending=1, queued=4), "5 files to send"),
        (overall(OverallState.WORKING, sent=1), "1 file sent, waiting for confirmation"),
        (overall(OverallState.WORKING, settling=2), "2 files still being written"),
        (overall(OverallState.PAUSED, paused=1), "Paused · 1 file to send"),
        (overall(OverallState.PAUSED, Hold(HoldKind.PAUSED)), "Paused"),
        (overall(OverallState.ATTENTION, attention=1), "1 file needs you"),
        (overall(OverallState.ATTENTION, attention=2, queued=3), "2 files need you · 3 files to send"),
        (
            overall(OverallState.ATTENTION, Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED), queued=3),
            "User name or password not accepted (A1) · 3 files to send",
        ),
        (
            overall(OverallState.WAITING, offline, queued=3),
            "No connection to central. Trying again in 1 min 20 s (3rd try) · 3 files to send",
        ),
    ]
    for status, said in expected:
        assert wording.overall_sentence(status, OFFICE, NOW_NS) == said


def test_time_left_is_in_the_header() -> None:
    status = OverallStatus(OverallState.WORKING, {FileState.SENDING: 3}, 9, 3.0, seconds_left=125.0)
    assert wording.overall_sentence(status, OFFICE, NOW_NS) == "3 files to send · 2 min left"


def test_only_retrying_files_tell_the_next_try() -> None:
    counts = {FileState.RETRYING: 1}
    status = OverallStatus(OverallState.WAITING, counts, next_try_ns=NOW_NS + 80 * NS_PER_S)
    assert wording.overall_sentence(status, OFFICE, NOW_NS) == "Trying again in 1 min 20 s · 1 file to send"


def test_a_silent_office_is_told_while_files_wait_for_it() -> None:
    waiting = OverallStatus(OverallState.WORKING, {FileState.SENT: 2}, office_silent=True)
    said = wording.overall_sentence(waiting, OFFICE, NOW_NS)
    assert said == "2 files sent, waiting for confirmation · central has not been heard for some minutes"
    sending = replace(waiting, counts={FileState.SENDING: 2})
    assert wording.overall_sentence(sending, OFFICE, NOW_NS) == "2 files to send"


def test_pausing_is_said_until_all_is_quiet() -> None:
    status = OverallStatus(OverallState.PAUSED, {FileState.SENDING: 1}, hold=Hold(HoldKind.PAUSED), pausing=True)
    assert wording.overall_sentence(status, OFFICE, NOW_NS) == "Pausing… · 1 file to send"


def test_the_tooltip_says_what_the_header_says_as_far_as_windows_shows_it() -> None:
    for state in OverallState:
        for hold in [None, *HOLDS]:
            status = OverallStatus(state, {FileState.ATTENTION: 1, FileState.QUEUED: 3}, hold=hold)
            header = wording.overall_sentence(status, "Büro 🏢" * 9, NOW_NS)
            tooltip = wording.tooltip(status, "Büro 🏢" * 9, NOW_NS)
            assert len(tooltip.encode("utf-16-le")) // 2 <= 127
            assert header.startswith(tooltip.removesuffix("…"))


# banners


@pytest.mark.parametrize(
    ("hold", "action"),
    [
        (Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED), BannerAction.ENTER_PASSWORD),
        (Hold(HoldKind.STOP_ALL, Code.MAY_NOT_SEND), BannerAction.MAKE_REPORT),
        (Hold(HoldKind.STOP_ALL, Code.PROFILE_UNREADABLE), BannerAction.CHOOSE_SETTINGS_FILE),
        (Hold(HoldKind.PAUSED), BannerAction.RESUME),
        (Hold(HoldKind.OFFLINE, Code.NO_CONNECTION), BannerAction.TRY_NOW),
        (Hold(HoldKind.OFFLINE, Code.CAPTIVE_PORTAL), BannerAction.OPEN_BROWSER),
        (Hold(HoldKind.SCHEDULE), BannerAction.SEND_NOW),
        (Hold(HoldKind.METERED), BannerAction.OPEN_SETTINGS),
        (Hold(HoldKind.RECEIVER_FULL), None),
        (Hold(HoldKind.WAKING), None),
    ],
)
def test_a_banner_has_the_one_button_that_helps(hold: Hold, action: BannerAction | None) -> None:
    assert wording.hold_banner(hold, OFFICE, NOW_NS).action is action


def test_a_banner_names_cause_next_try_and_label() -> None:
    hold = Hold(HoldKind.OFFLINE, Code.SERVER_NOT_FOUND, NOW_NS + 80 * NS_PER_S, 1)
    banner = wording.hold_banner(hold, OFFICE, NOW_NS)
    assert banner.title == "The server of central was not found."
    assert banner.text == (
        "On guest Wi-Fi sign in first, else call support. Trying again in 1 min 20 s (2nd try). (N2)"
    )


# the connection test


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (StepResult(Step.SIGN_IN, Outcome.OK, detail="van-7"), "Signed in as van-7"),
        (StepResult(Step.LIMIT, Outcome.OK, detail="1048588 bytes"), "Parts of up to 1 MB"),
        (StepResult(Step.SECURE, Outcome.SKIPPED, detail="not needed here"), "Not needed here"),
        (StepResult(Step.SECURE, Outcome.SKIPPED), "Not tried"),
        (
            StepResult(Step.REACH, Outcome.FAILED, Code.NO_CONNECTION, "10.0.0.1:9093: no answer"),
            "No connection to central. Sending continues by itself. (N1)",
        ),
        (
            StepResult(Step.OFFICE, Outcome.FAILED, Code.RECEIPT_ABSENT, "3 h (central)"),
            "central was not heard lately. Files can be sent and are confirmed later. (R8)",
        ),
    ],
)
def test_a_step_says_what_came_of_it(result: StepResult, said: str) -> None:
    assert wording.step_result(result, OFFICE) == said


def test_the_last_step_is_named_after_the_office() -> None:
    assert wording.step_title(Step.OFFICE, OFFICE) == "central was heard"


# in German


@pytest.mark.usefixtures("german")
def test_a_german_sentence_keeps_its_capitals_and_holds_no_english() -> None:
    said = row_says(FileState.ATTENTION, code=Code.FILE_GONE)
    assert said.endswith("(F2)")
    assert "Needs you" not in said
    first = said.partition(": ")[2][0]
    assert first == first.upper()


def test_a_batch_that_is_under_way_says_how_much_of_it_is_done() -> None:
    status = replace(overall(OverallState.WORKING, sending=1, queued=3, sent=1, confirmed=90), done=3, seconds_left=120)
    assert wording.overall_sentence(status, OFFICE, NOW_NS) == "3 of 8 files · 2 min left"
