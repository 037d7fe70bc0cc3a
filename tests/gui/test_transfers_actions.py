# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What can be done with a file: always something, and never something that does nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.engine.sources.file_probe import file_version
from fieldpost_desktop.ui.transfers.actions import (
    ICONS,
    Action,
    available_actions,
    engine_command,
    label,
    main_action,
    menu_actions,
    parts_were_sent,
    title,
)
from fieldpost_shared.codes import Code
from support.engine.core import Rig
from support.gui.transfers import told

SERVED_BY_THE_WINDOW = {
    Action.LOCATE,
    Action.RENAME,
    Action.ENTER_PASSWORD,
    Action.SHOW_IN_FOLDER,
    Action.COPY_PATH,
    Action.MAKE_REPORT,
}
CODES = ["", *Code, "a code of a newer Fieldpost"]
HOLDS = [None, *(Hold(kind) for kind in HoldKind), Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED)]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.close()


def in_state(rig: Rig, state: FileState, code: str = "", *, begun: bool = True) -> FileRow:
    """A row of the journal in that state, whichever way it came there."""
    number = sum(count for count, _ in rig.core.files.counts().values())
    row = rig.add(rig.file(f"report-{number}.pdf", b"x" * 1000))[0]
    rig.store.connection.execute(
        "UPDATE files SET state = ?, code = ?, transfer = ? WHERE id = ?",
        (state, code, f"{row.id:032x}" if begun else None, row.id),
    )
    return rig.row(row)


def do(rig: Rig, action: Action, row: FileRow) -> None:
    """As the window does it."""
    verb = engine_command(action, [row.id])
    if verb is not None:
        verb(rig.core.commands)
    elif action is Action.LOCATE:
        rig.core.commands.locate(row.id, row.source, file_version(row.source))
    elif action is Action.RENAME:
        rig.core.commands.rename(row.id, f"another-{row.id}.pdf")


@pytest.mark.parametrize("hold", HOLDS, ids=str)
@pytest.mark.parametrize("state", FileState)
def test_every_state_and_code_has_a_main_action_that_fits(state: FileState, hold: Hold | None) -> None:
    for code in CODES:
        change = told(1, state, code=code)
        assert main_action(change, hold) is available_actions(change, hold)[0]
        assert len(set(available_actions(change, hold))) == len(available_actions(change, hold))


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("code", [*Code, "a code of a newer Fieldpost"])
def test_no_action_for_a_file_that_needs_a_person_does_nothing(rig: Rig, code: str, begun: bool) -> None:
    for action in available_actions(told(1, FileState.ATTENTION, code=code)):
        row = in_state(rig, FileState.ATTENTION, code, begun=begun)
        do(rig, action, row)
        served = action in SERVED_BY_THE_WINDOW - {Action.LOCATE, Action.RENAME}
        assert served or rig.row(row).state is not FileState.ATTENTION, action


@pytest.mark.parametrize("state", [state for state in FileState if state is not FileState.ATTENTION])
def test_no_action_for_any_other_file_does_nothing(rig: Rig, state: FileState) -> None:
    for action in available_actions(told(1, state)):
        row = in_state(rig, state)
        before = rig.core.files.counts()
        do(rig, action, row)
        assert action in SERVED_BY_THE_WINDOW or rig.core.files.counts() != before, action


def test_a_file_that_waits_for_a_reason_offers_what_helps_against_it() -> None:
    waiting = told(1, FileState.QUEUED)
    assert main_action(waiting) is Action.PAUSE
    assert main_action(waiting, Hold(HoldKind.OFFLINE, Code.NO_CONNECTION)) is Action.TRY_NOW
    assert main_action(waiting, Hold(HoldKind.SCHEDULE)) is Action.SEND_NOW
    assert main_action(waiting, Hold(HoldKind.METERED)) is Action.SEND_ANYWAY
    assert main_action(waiting, Hold(HoldKind.STOP_ALL, Code.SIGN_IN_REFUSED)) is Action.ENTER_PASSWORD
    assert main_action(waiting, Hold(HoldKind.STOP_ALL, Code.MAY_NOT_SEND)) is Action.TRY_NOW
    assert main_action(told(1, FileState.QUEUED, anyway=True), Hold(HoldKind.METERED)) is Action.PAUSE


@pytest.mark.parametrize(
    ("code", "action"),
    [
        (Code.FILE_GONE, Action.LOCATE),
        (Code.FILE_CHANGED, Action.SEND_NEW_VERSION),
        (Code.NAME_REFUSED, Action.RENAME),
        (Code.INCOMPLETE, Action.SEND_AGAIN),
        (Code.RECEIPT_ABSENT, Action.SEND_AGAIN),
        (Code.BLOCKED_BY_ANTIVIRUS, Action.TRY_NOW),
        (Code.UNEXPECTED, Action.MAKE_REPORT),
    ],
)
def test_a_file_that_needs_a_person_offers_what_its_words_advise(code: Code, action: Action) -> None:
    assert main_action(told(1, FileState.ATTENTION, code=code)) is action


def test_a_file_above_the_limit_is_not_offered_a_way_around_it() -> None:
    offered = available_actions(told(1, FileState.ATTENTION, code=Code.OVER_PROFILE_LIMIT))
    assert not {Action.TRY_NOW, Action.SEND_AGAIN} & set(offered)


@pytest.mark.parametrize("state", FileState)
def test_only_what_is_not_over_can_be_cancelled(state: FileState) -> None:
    assert (Action.CANCEL in available_actions(told(1, state))) is (state in OPEN)


def test_what_needs_a_dialog_is_offered_for_one_file_only() -> None:
    gone = available_actions(told(1, FileState.ATTENTION, code=Code.FILE_GONE))
    assert Action.LOCATE in menu_actions([gone])
    assert Action.LOCATE not in menu_actions([gone, gone])
    assert Action.TRY_NOW in menu_actions([gone, available_actions(told(2, FileState.CONFIRMED))])


def test_cancelling_asks_only_when_parts_were_sent() -> None:
    assert not parts_were_sent(told(1, FileState.QUEUED))
    assert not parts_were_sent(told(1, FileState.SENDING, 0))
    assert parts_were_sent(told(1, FileState.SENDING, 1))
    assert parts_were_sent(told(1, FileState.SENT, 52))
    assert parts_were_sent(told(1, FileState.PAUSED, 0))  # from the journal: begun, how far is not known


def test_every_action_has_a_name_a_mnemonic_and_an_icon() -> None:
    for action in Action:
        assert re.search(r"&\w", title(action)), action
        assert label(action)
        assert "&" not in label(action)
        assert action in ICONS
    assert len({label(action) for action in Action}) == len(Action)
