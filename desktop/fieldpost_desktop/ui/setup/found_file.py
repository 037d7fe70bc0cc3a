# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A settings file that lies beside the program, as where both came in one ZIP or on one stick."""

import sys
from collections.abc import Iterable
from pathlib import Path

from fieldpost_desktop.ui.connection.settings_file import SUFFIX


def beside_the_program() -> Path | None:
    """Return the first settings file in the folder of the program, or of the script that was started. Blocking."""
    started = (sys.executable, *sys.argv[:1])
    return first_in(Path(path).absolute().parent for path in started if path)


def first_in(folders: Iterable[Path]) -> Path | None:
    """Return the first settings file by name; a folder that cannot be listed has none."""
    for folder in dict.fromkeys(folders):
        try:
            found = sorted(path for path in folder.iterdir() if path.suffix.lower() == SUFFIX and path.is_file())
        except OSError:
            continue
        if found:
            return found[0]
    return None
