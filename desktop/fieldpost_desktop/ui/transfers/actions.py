# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a person can do with a file: one table for the button on its row, the menu, the keys and the detail pane.

An action is offered only where it does something. Some are commands for the engine, the window serves the others.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.engine.model.states import OPEN, FileState
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.codes import CODES, Code, Concern, known


class Action(StrEnum):
    """In the order of the menu."""

    PAUSE = "pause"
    RESUME = "resume"
    TRY_NOW = "try_now"
    SEND_NOW = "send_now"
    SEND_ANYWAY = "send_anyway"
    LOCATE = "locate"
    SEND_NEW_VERSION = "send_new_version"
    RENAME = "rename"
    SEND_AGAIN = "send_again"
    ENTER_PASSWORD = "enter_password"  # noqa: S105 - the name of an action
    SHOW_IN_FOLDER = "show_in_folder"
    COPY_PATH = "copy_path"
    MAKE_REPORT = "make_report"
    CANCEL = "cancel"


QUIET: Final = frozenset({Action.PAUSE, Action.SHOW_IN_FOLDER})  # not urgent: an icon on the row is enough
ONE_AT_A_TIME: Final = frozenset({Action.LOCATE, Action.RENAME, Action.SHOW_IN_FOLDER})

_A, _S = Action, FileState
ICONS: Final[Mapping[Action, IconName]] = MappingProxyType(
    {
        _A.PAUSE: IconName.PAUSE,
        _A.RESUME: IconName.RESUME,
        _A.TRY_NOW: IconName.RETRY,
        _A.SEND_NOW: IconName.SEND_NOW,
        _A.SEND_ANYWAY: IconName.SEND_NOW,
        _A.LOCATE: IconName.LOCATE,
        _A.SEND_NEW_VERSION: IconName.SEND_AGAIN,
        _A.RENAME: IconName.RENAME,
        _A.SEND_AGAIN: IconName.SEND_AGAIN,
        _A.ENTER_PASSWORD: IconName.PASSWORD,
        _A.SHOW_IN_FOLDER: IconName.OPEN_FOLDER,
        _A.COPY_PATH: IconName.COPY,
        _A.MAKE_REPORT: IconName.REPORT,
        _A.CANCEL: IconName.CANCEL,
    }
)

# What a person does about a file that needs one; every other code is simply tried again.
_BY_CODE: Final[Mapping[Code, tuple[Action, ...]]] = MappingProxyType(
    {
        Code.FILE_GONE: (_A.LOCATE, _A.TRY_NOW),
        Code.FILE_CHANGED: (_A.SEND_NEW_VERSION,),
        Code.NAME_REFUSED: (_A.RENAME,),
        Code.NAME_TAKEN: (_A.RENAME,),
        Code.OVER_PROFILE_LIMIT: (_A.SHOW_IN_FOLDER,),  # split it there; as it is, it may not go
        Code.TOO_LARGE: (_A.SHOW_IN_FOLDER, _A.SEND_AGAIN),
        Code.HASH_MISMATCH: (_A.SEND_AGAIN, _A.MAKE_REPORT),
        Code.INCOMPLETE: (_A.SEND_AGAIN, _A.MAKE_REPORT),
        Code.PARTS_MISSING: (_A.SEND_AGAIN, _A.MAKE_REPORT),
        Code.TIMED_OUT: (_A.SEND_AGAIN, _A.MAKE_REPORT),
        Code.RECEIPT_LATE: (_A.SEND_AGAIN,),
        Code.RECEIPT_ABSENT: (_A.SEND_AGAIN, _A.MAKE_REPORT),
        Code.DUPLICATE: (_A.SEND_AGAIN,),
        Code.CANCELLED: (_A.SEND_AGAIN,),
        Code.SIGN_IN_REFUSED: (_A.ENTER_PASSWORD, _A.TRY_NOW),
        Code.UNEXPECTED: (_A.MAKE_REPORT, _A.TRY_NOW),
    }
)
_BY_STATE: Final[Mapping[FileState, tuple[Action, ...]]] = MappingProxyType(
    {
        _S.SETTLING: (_A.SHOW_IN_FOLDER,),
        _S.QUEUED: (_A.PAUSE,),
        _S.SENDING: (_A.PAUSE,),
        _S.RETRYING: (_A.TRY_NOW, _A.PAUSE),
        _S.PAUSED: (_A.RESUME,),
        _S.SENT: (_A.SHOW_IN_FOLDER,),
        _S.CONFIRMED: (_A.SHOW_IN_FOLDER, _A.SEND_AGAIN),
        _S.CANCELLED: (_A.SEND_AGAIN,),
    }
)
_BY_HOLD: Final[Mapping[HoldKind, Action]] = MappingProxyType(
    {
        HoldKind.STOP_ALL: _A.TRY_NOW,
        HoldKind.OFFLINE: _A.TRY_NOW,
        HoldKind.SCHEDULE: _A.SEND_NOW,
        HoldKind.METERED: _A.SEND_ANYWAY,
    }
)
_TERMINAL: Final = frozenset(code for code, failure in CODES.items() if failure.concern is Concern.TERMINAL)
_HELD: Final = frozenset({_S.QUEUED, _S.RETRYING, _S.SENDING})  # what a reason for all files keeps back


def _send_anyway(commands: Commands, files: Sequence[int]) -> None:
    for file in files:
        commands.send_anyway(file)


def _send_again(commands: Commands, files: Sequence[int]) -> None:
    for file in files:
        commands.send_again(file)


_COMMANDS: Final[Mapping[Action, Callable[[Commands, Sequence[int]], object]]] = MappingProxyType(
    {
        _A.PAUSE: lambda commands, files: commands.pause(files),
        _A.RESUME: lambda commands, files: commands.resume(files),
        _A.TRY_NOW: lambda commands, files: commands.retry(files),
        _A.SEND_NEW_VERSION: lambda commands, files: commands.retry(files),
        _A.SEND_NOW: lambda commands, _files: commands.send_now(),
        _A.SEND_ANYWAY: _send_anyway,
        _A.SEND_AGAIN: _send_again,
        _A.CANCEL: lambda commands, files: commands.cancel(files),
    }
)


def available_actions(change: FileChanged, hold: Hold | None = None) -> tuple[Action, ...]:
    """Return all that can be done with the file, the main action first; `hold` is what keeps this file back."""
    row = change.row
    found = list(_by_attention(row.code) if row.state is _S.ATTENTION else _BY_STATE[row.state])
    if row.state in _HELD and (action := _against(hold, anyway=row.anyway)) is not None:
        found.insert(0, action)
    found += [_A.SHOW_IN_FOLDER, _A.COPY_PATH]
    if row.state in OPEN:
        found.append(_A.CANCEL)
    return tuple(dict.fromkeys(found))


def main_action(change: FileChanged, hold: Hold | None = None) -> Action:
    """Return what the one button on the row does."""
    return available_actions(change, hold)[0]


def menu_actions(offers: Sequence[tuple[Action, ...]]) -> list[Action]:
    """Return what fits at least one of the chosen files, in the order of the menu."""
    found = {action for offer in offers for action in offer}
    return [action for action in Action if action in found and (len(offers) == 1 or action not in ONE_AT_A_TIME)]


def title(action: Action) -> str:
    """Return its name in a menu."""
    return _titles()[action]


def label(action: Action) -> str:
    """Return its name on a button that has no mnemonic."""
    return title(action).replace("&", "")


def engine_command(action: Action, files: Sequence[int]) -> Callable[[Commands], object] | None:
    """Return the command for the engine; None for what the window serves."""
    verb = _COMMANDS.get(action)
    return None if verb is None else lambda commands: verb(commands, files)


def parts_were_sent(change: FileChanged) -> bool:
    """Return whether cancelling throws something away. A row from the journal knows only that it was begun."""
    row = change.row
    if row.state is _S.SENDING:
        return change.acknowledged > 0
    return row.state in OPEN and (change.acknowledged > 0 or row.started_ns is not None)


def _by_attention(text: str) -> tuple[Action, ...]:
    """Return what helps with a code; one that only a newer Fieldpost knows counts as unexpected."""
    code = known(text)
    return _BY_CODE.get(code, (_A.SEND_AGAIN, _A.MAKE_REPORT) if code in _TERMINAL else (_A.TRY_NOW,))


def _against(hold: Hold | None, *, anyway: bool) -> Action | None:
    """Return what a person can do about the reason that keeps a file waiting, if anything."""
    if hold is None or (hold.kind is HoldKind.METERED and anyway):
        return None
    if hold.code is Code.SIGN_IN_REFUSED:
        return _A.ENTER_PASSWORD
    return _BY_HOLD.get(hold.kind)


def _titles() -> dict[Action, str]:
    translate = QCoreApplication.translate
    return {
        Action.PAUSE: translate("actions", "&Pause"),
        Action.RESUME: translate("actions", "&Resume"),
        Action.TRY_NOW: translate("actions", "&Try now"),
        Action.SEND_NOW: translate("actions", "Send &now"),
        Action.SEND_ANYWAY: translate("actions", "Send an&yway"),
        Action.LOCATE: translate("actions", "&Locate…"),
        Action.SEND_NEW_VERSION: translate("actions", "Send the new &version"),
        Action.RENAME: translate("actions", "Send under another na&me…"),
        Action.SEND_AGAIN: translate("actions", "Send a&gain"),
        Action.ENTER_PASSWORD: translate("actions", "Enter pass&word…"),
        Action.SHOW_IN_FOLDER: translate("actions", "Show in &folder"),
        Action.COPY_PATH: translate("actions", "Copy p&ath"),
        Action.MAKE_REPORT: translate("actions", "Make a rep&ort…"),
        Action.CANCEL: translate("actions", "&Cancel"),
    }
