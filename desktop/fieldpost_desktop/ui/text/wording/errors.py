# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""An error that a command or a background task raised, as one sentence for a banner or a dialog."""

from fieldpost_desktop.engine.watching.folder_kind import FolderRefused
from fieldpost_desktop.ui.text.wording.failures import advice, failure
from fieldpost_desktop.ui.text.wording.folders import folder_problem
from fieldpost_shared.errors import FieldpostError


def error_sentence(error: FieldpostError, office: str, file: str = "") -> str:
    """Return what happened, what to do, and what to say on the phone; with the file's name if it is about one."""
    if isinstance(error, FolderRefused):
        return folder_problem(error)
    said = failure(error.code, error.detail, office=office, file=file)
    return " ".join(filter(None, (said.happened, advice(error.code), f"({said.label})")))
