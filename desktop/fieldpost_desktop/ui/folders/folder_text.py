# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One sentence about how a watched folder is, and one readable line about its rules."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.journal.folders import Waiting
from fieldpost_desktop.engine.model.failure_details import in_english
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.watching.folder_kind import FolderView
from fieldpost_desktop.ui.folders import patterns
from fieldpost_desktop.ui.text import phrases
from fieldpost_shared.codes import Code

MINUTE_S: Final = 60
HOUR_S: Final = 3600


def state_sentence(view: FolderView) -> str:
    """Return a folder's state: "Last checked 10:42, 3 waiting (still being written)"."""
    folder = view.folder
    if not folder.enabled:
        return QCoreApplication.translate("folders", "Switched off. New files are not noticed.")
    if folder.code is not None:
        return _trouble(folder.code, folder.detail)
    if folder.scanned_ns is None:
        return QCoreApplication.translate("folders", "Being checked for the first time…")
    checked = QCoreApplication.translate("folders", "Last checked {time}").format(time=phrases.clock(folder.scanned_ns))
    waiting = _waiting(view.waiting, folder.rules)
    return f"{checked}, {waiting}" if waiting else checked


def _trouble(code: Code, detail: str) -> str:
    if code is Code.FOLDER_GONE:
        return QCoreApplication.translate("folders", "The folder is not there. Fieldpost goes on looking for it.")
    if code is Code.FILE_UNREADABLE and detail:
        return QCoreApplication.translate("folders", "Not all of it can be read: {detail}.").format(
            detail=in_english(detail)
        )
    return QCoreApplication.translate("folders", "Not all of it can be read. Fieldpost tries again by itself.")


def _waiting(waiting: Waiting, rules: FolderRules) -> str:
    if not waiting.files:
        return ""
    if waiting.in_use:
        reason = QCoreApplication.translate("folders", "%n open in another program", "", waiting.in_use)
    elif rules.minimum_age_s:
        reason = QCoreApplication.translate("folders", "still being written, or not old enough")
    else:
        reason = QCoreApplication.translate("folders", "still being written")
    return QCoreApplication.translate("folders", "%n waiting ({reason})", "", waiting.files).format(reason=reason)


def rules_line(rules: FolderRules) -> str:
    """Return the rules as a person would say them: "All files, with subfolders; after confirmation: keep"."""
    taken = ", ".join(
        [_which(rules), *_left_out(rules), _subfolders(rules), *_minimum_age(rules.minimum_age_s), *_label(rules)]
    )
    return QCoreApplication.translate("folders", "{taken}; after confirmation: {after}").format(
        taken=taken, after=after_words(rules)
    )


def after_words(rules: FolderRules) -> str:
    """Return what becomes of a confirmed file."""
    match rules.after:
        case After.KEEP:
            return QCoreApplication.translate("folders", "keep")
        case After.MOVE:
            return QCoreApplication.translate("folders", "move to “{folder}”").format(folder=rules.move_to)
        case After.DELETE:
            return QCoreApplication.translate("folders", "delete")


def _which(rules: FolderRules) -> str:
    if not rules.include:
        return QCoreApplication.translate("folders", "All files")
    return QCoreApplication.translate("folders", "Only {patterns}").format(patterns=patterns.write(rules.include))


def _left_out(rules: FolderRules) -> list[str]:
    if not rules.exclude:
        return []
    return [QCoreApplication.translate("folders", "but not {patterns}").format(patterns=patterns.write(rules.exclude))]


def _subfolders(rules: FolderRules) -> str:
    if rules.subfolders:
        return QCoreApplication.translate("folders", "with subfolders")
    return QCoreApplication.translate("folders", "without subfolders")


def _minimum_age(seconds: int) -> list[str]:
    if not seconds:
        return []
    return [QCoreApplication.translate("folders", "at least {age} old").format(age=_age(seconds))]


def _age(seconds: int) -> str:
    """Return the age exactly as it was set, not in the rough words for a time that is left."""
    if seconds % HOUR_S == 0:
        return QCoreApplication.translate("folders", "%n hour(s)", "", seconds // HOUR_S)
    if seconds % MINUTE_S == 0:
        return QCoreApplication.translate("folders", "%n minute(s)", "", seconds // MINUTE_S)
    return QCoreApplication.translate("folders", "%n second(s)", "", seconds)


def _label(rules: FolderRules) -> list[str]:
    if not rules.label:
        return []
    return [QCoreApplication.translate("folders", "filed under “{label}”").format(label=rules.label)]
