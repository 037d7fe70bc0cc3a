# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Every sentence about states, holds and failures, for a tired person in a van. Imports phrases and tone."""

from fieldpost_desktop.ui.text.wording.connection_check import outcome_name, step_result, step_title
from fieldpost_desktop.ui.text.wording.details import name_problem
from fieldpost_desktop.ui.text.wording.errors import error_sentence
from fieldpost_desktop.ui.text.wording.failures import FailureText, failure, file_failure, file_name, office_name
from fieldpost_desktop.ui.text.wording.folders import folder_problem
from fieldpost_desktop.ui.text.wording.holds import BannerAction, HoldBanner, action_name, hold_banner, hold_sentence
from fieldpost_desktop.ui.text.wording.overall import overall_sentence, tooltip
from fieldpost_desktop.ui.text.wording.rows import row_sentence, state_name

__all__ = [
    "BannerAction",
    "FailureText",
    "HoldBanner",
    "action_name",
    "error_sentence",
    "failure",
    "file_failure",
    "file_name",
    "folder_problem",
    "hold_banner",
    "hold_sentence",
    "name_problem",
    "office_name",
    "outcome_name",
    "overall_sentence",
    "row_sentence",
    "state_name",
    "step_result",
    "step_title",
    "tooltip",
]
