# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The texts of the command line: sizes, times, failures, and nothing that a terminal would act on."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from fieldpost_desktop.commands import output
from fieldpost_desktop.commands.follow import FileView, Follower, Snapshot
from fieldpost_desktop.commands.live_table import LiveTable, Speeds
from fieldpost_desktop.commands.output import HoldLines, JsonOutput, PlainOutput, file_line, file_object, receipt_words
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.words import (
    clock_words,
    duration_words,
    failure_words,
    file_words,
    hold_words,
    moment,
    ordinal,
)
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.follow import Scope
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import FileRow, SourceFile
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.clock import NS_PER_S, FakeClock
from fieldpost_shared.codes import CODES, Code

OFFICE = "Head office"
NOW_NS = FakeClock().now_ns()


@pytest.fixture
def row(tmp_path: Path) -> FileRow:
    """A file of 10 parts."""
    store = Store.open(tmp_path / "journal.db")
    files = Files(store)
    added = files.add(SourceFile("/a/b.bin", "a/b.bin", 10 * 65_536, 0, ""), FileState.QUEUED, NOW_NS)
    row = files.change(added, FileState.SENDING, chunk_size=65_536, transfer="0" * 32)
    store.close()
    return row


# numbers


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-3, "0 s"),
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (80, "1 min 20 s"),
        (7200, "2 h"),
        (90_061, "1 d 1 h"),
    ],
)
def test_durations_have_two_units_at_most(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words


def test_tries_are_counted_in_english() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th")
    ]


def test_a_moment_of_another_day_shows_its_date() -> None:
    today = moment(NOW_NS)
    assert len(clock_words(today, NOW_NS)) == len("10:47:03")
    assert len(clock_words(datetime(2020, 1, 2, tzinfo=UTC), NOW_NS)) == len("2020-01-02 00:00")


# words


@pytest.mark.parametrize("code", Code)
def test_every_code_has_its_words_label_and_no_open_brackets(code: Code) -> None:
    words = failure_words(code, OFFICE, "3 {parts}")
    assert words.endswith(f"({CODES[code].label})")
    assert "{office}" not in words
    assert "{detail}" not in words


@pytest.mark.parametrize("kind", HoldKind)
def test_every_hold_has_words(kind: HoldKind) -> None:
    assert hold_words(Hold(kind, Code.RECEIVER_FULL), OFFICE, NOW_NS).strip()


def test_a_hold_says_when_it_ends() -> None:
    until = NOW_NS + 12 * NS_PER_S
    offline = Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, until, 2)
    words = hold_words(offline, OFFICE, NOW_NS)
    assert words == "No connection to Head office. Trying again in 12 s (3rd try). (N1)"
    assert "Trying again now" in hold_words(offline, OFFICE, until)
    assert hold_words(Hold(HoldKind.OFFLINE), OFFICE, NOW_NS) == "Connecting to Head office."
    assert hold_words(Hold(HoldKind.PAUSED, until_ns=until), OFFICE, NOW_NS).startswith("Paused until ")


@pytest.mark.parametrize("state", FileState)
def test_every_state_has_words(row: FileRow, state: FileState) -> None:
    assert file_words(replace(row, state=state), 3, OFFICE, NOW_NS)


def test_a_file_says_how_far_it_is_and_what_is_wrong(row: FileRow) -> None:
    def words(state: FileState, **columns: object) -> str:
        return file_words(replace(row, state=state, **columns), 3, OFFICE, NOW_NS)  # type: ignore[arg-type]  # columns of a row

    assert words(FileState.SENDING) == "Sending 3 of 10 parts"
    assert words(FileState.PAUSED) == "Paused at 3 of 10"
    assert words(FileState.ATTENTION, code="file_gone").startswith("Needs you: The file was moved or deleted.")
    retrying = words(FileState.RETRYING, code="file_in_use", next_try_ns=NOW_NS + 5 * NS_PER_S, attempt=1)
    assert retrying == "The file is open in another program. Trying again in 5 s (2nd try). (F1)"
    late = words(FileState.SENT, code="receipt_late", detail="4 h")
    assert late == "Sent, waiting for confirmation. Sent 4 h ago, not confirmed yet. Keep the file. (R7)"
    assert words(FileState.ATTENTION, code="from-the-future").endswith("(X1)")


def confirmed(row: FileRow) -> FileView:
    ended = replace(row, state=FileState.CONFIRMED, sha256="ab", ended_ns=NOW_NS + 2_500_000_000)
    return FileView(ended, receiver="central", confirmed_at="2026-07-31T10:47:03.123+00:00")


def test_a_receipt_names_receiver_size_and_time(row: FileRow) -> None:
    words = receipt_words(confirmed(row), NOW_NS)
    assert words.startswith("Confirmed 20")
    assert words.endswith("by central (655 kB in 2.5 s)")
    assert receipt_words(FileView(row), NOW_NS) == ""


def test_the_object_for_scripts_has_nothing_where_nothing_is(row: FileRow) -> None:
    assert file_object(confirmed(row)) == {
        "path": "a/b.bin",
        "transfer": "0" * 32,
        "state": "confirmed",
        "size": 655_360,
        "sha256": "ab",
        "receiver": "central",
        "confirmed_at": "2026-07-31T10:47:03.123+00:00",
        "seconds": 2.5,
        "code": None,
    }
    unfinished = file_object(FileView(row))
    assert [key for key, value in unfinished.items() if value is None] == [
        *("sha256", "receiver", "confirmed_at", "seconds", "code")
    ]


def test_waiting_its_turn_is_no_news_but_parts_asked_for_again_are(row: FileRow) -> None:
    queued = replace(row, state=FileState.QUEUED)
    assert not output.is_news(queued)
    asked = replace(queued, code="parts_missing", detail="3 parts")
    assert output.is_news(asked)
    assert "asked again for 3 parts" in file_line(FileView(asked), OFFICE, NOW_NS)


# shows


class Screen(Terminal):
    """A terminal that remembers."""

    def __init__(self) -> None:
        self.text, self.errors = io.StringIO(), io.StringIO()
        super().__init__(self.text, self.errors)


def test_a_hold_is_said_once_for_each_try_and_when_it_is_over() -> None:
    clock = FakeClock()
    lines = HoldLines(clock, OFFICE)
    offline = Hold(HoldKind.OFFLINE, Code.NO_CONNECTION, clock.now_ns() + NS_PER_S, 1)
    said = [lines.news(hold) for hold in (None, offline, offline, replace(offline, attempt=2), None, None)]
    assert [bool(words) for words in said] == [False, True, False, True, True, False]
    assert said[4] == "Sending goes on."


def test_connecting_is_worth_a_line_only_when_it_takes_long() -> None:
    clock = FakeClock()
    lines = HoldLines(clock, OFFICE)
    assert lines.news(Hold(HoldKind.OFFLINE)) == ""
    assert lines.news(None) == ""
    assert lines.news(Hold(HoldKind.OFFLINE)) == ""
    clock.advance(2.1)
    assert lines.news(Hold(HoldKind.OFFLINE)) == "Connecting to Head office."


def test_plain_lines_have_no_colours(row: FileRow) -> None:
    screen = Screen()
    show = PlainOutput(screen, FakeClock(), OFFICE)
    show.update(Snapshot([FileView(row, 4), confirmed(row)]), None)
    show.update(Snapshot([]), Hold(HoldKind.PAUSED))
    show.finish()
    lines = screen.text.getvalue().splitlines()
    assert lines[0] == "a/b.bin: Sending 4 of 10 parts"
    assert lines[1].startswith("a/b.bin: Confirmed")
    assert lines[2] == "Paused. `fieldpost resume` goes on."


def test_json_says_each_file_once_and_the_rest_beside_it(row: FileRow) -> None:
    screen = Screen()
    show = JsonOutput(screen, FakeClock(), OFFICE)
    show.update(Snapshot([FileView(row)]), Hold(HoldKind.PAUSED))
    assert screen.text.getvalue() == ""
    show.update(Snapshot([confirmed(row)]), None)
    show.finish()
    assert [json.loads(line)["state"] for line in screen.text.getvalue().splitlines()] == ["confirmed"]
    assert screen.errors.getvalue().splitlines() == ["Paused. `fieldpost resume` goes on.", "Sending goes on."]


def test_json_tells_unfinished_files_when_waiting_ends(row: FileRow) -> None:
    screen = Screen()
    show = JsonOutput(screen, FakeClock(), OFFICE)
    show.update(Snapshot([FileView(row)]), None)
    show.update(Snapshot([FileView(replace(row, state=FileState.ATTENTION, code="file_gone"))]), None)
    show.finish()
    (line,) = screen.text.getvalue().splitlines()
    assert (json.loads(line)["state"], json.loads(line)["code"]) == ("attention", "file_gone")


def test_the_table_shows_what_is_under_way_and_the_hold(row: FileRow, tmp_path: Path) -> None:
    screen = Screen()
    console = Console(
        file=screen.text, force_terminal=True, width=120, no_color=True, markup=False, _environ={"TERM": "xterm"}
    )
    store = Store.open(tmp_path / "journal.db")
    show = LiveTable(screen, FakeClock(), Follower(store, Scope("1")), "[bold]office[/bold]", console=console)
    counts = {FileState.SENDING: 1, FileState.QUEUED: 4}
    show.update(Snapshot([confirmed(row)], counts), Hold(HoldKind.OFFLINE))
    show.tell("by the way")
    show.finish()
    store.close()
    drawn = screen.text.getvalue()
    for words in (
        "a/b.bin",
        "0/10",
        "Sending 0 of 10 parts",
        "and 4 files more",
        "Connecting to [bold]office",
        "by the way",
    ):
        assert words in drawn
    assert "0 of 5 files confirmed" in drawn


def test_time_left_comes_with_the_speed_and_not_too_early(row: FileRow) -> None:
    clock = FakeClock()
    speeds = Speeds(clock)
    speeds.look([FileView(row, 0)])
    assert speeds.rate(row.id) is None
    clock.advance(2)
    speeds.look([FileView(row, 2)])
    assert speeds.rate(row.id) == pytest.approx(65_536)
    assert speeds.left_s(FileView(row, 2)) is None
    clock.advance(2)
    speeds.look([FileView(row, 4)])
    assert speeds.left_s(FileView(row, 4)) == pytest.approx(6)
    speeds.look([FileView(replace(row, state=FileState.SENT))])
    assert speeds.rate(row.id) is None


def test_marks_fall_back_to_ascii() -> None:
    plain = Terminal(io.TextIOWrapper(io.BytesIO(), encoding="ascii"), io.StringIO())
    fancy = Terminal(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO())
    assert [plain.mark(name) for name in ("tick", "cross", "skip")] == ["OK", "XX", "--"]
    assert fancy.mark("tick") == "✓"
