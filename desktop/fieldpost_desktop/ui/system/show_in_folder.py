# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Shows a file in its folder, in the system's file manager."""

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def reveal(path: str) -> None:
    """Select the file where the system can do that, else open its folder."""
    if sys.platform == "win32":
        # Explorer wants this one argument unquoted up to the comma, which a list of arguments would not give it.
        subprocess.Popen(f'explorer.exe /select,"{path}"')
    else:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(path).parent)))
