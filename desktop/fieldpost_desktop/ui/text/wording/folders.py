# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Why a folder cannot be watched, in words."""

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.watching.folder_kind import FolderProblem, FolderRefused
from fieldpost_shared.saying import safe

translate = QCoreApplication.translate


def folder_problem(refused: FolderRefused) -> str:
    """Return what is the matter with the chosen folder, and what to choose instead."""
    said = {
        FolderProblem.NO_FOLDER: translate("wording", "{path} is not a folder."),
        FolderProblem.UNREADABLE: translate("wording", "{path} cannot be read."),
        FolderProblem.WHOLE_DRIVE: translate("wording", "{path} is a whole drive. Choose a folder on it."),
        FolderProblem.HOME: translate("wording", "{path} is your home folder. Choose a folder in it."),
        FolderProblem.HOLDS_HOME: translate("wording", "{path} holds your home folder. Choose a smaller one."),
        FolderProblem.OWN_DATA: translate("wording", "Fieldpost keeps its own data in {path}. Choose another folder."),
        FolderProblem.WATCHED: translate("wording", "{path} is watched already."),
        FolderProblem.IN_WATCHED: translate("wording", "{path} lies in {other}, which is watched already."),
        FolderProblem.HOLDS_WATCHED: translate("wording", "{path} holds {other}, which is watched already."),
    }
    return said[refused.problem].format(path=safe(refused.path), other=safe(refused.other))
