# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What counts as a settings file: the one judge for a start, a second start and a drop."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

SUFFIX: Final = ".fieldpost"


def settings_file_in(paths: Sequence[str]) -> Path | None:
    """Return the settings file that these paths bring: exactly one path, and it ends in .fieldpost.

    Several paths are files to send, whatever they end in: a person who marks a folder's files means to send them.
    """
    if len(paths) == 1 and paths[0].lower().endswith(SUFFIX):
        return Path(paths[0])
    return None
