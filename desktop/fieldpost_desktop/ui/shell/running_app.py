# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app that runs in another process, as a command without a window sees it."""

from PySide6.QtCore import QCoreApplication

from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.shell.single_instance import Command, Request, send_request


class RunningApp:
    """The one on this data folder, if there is one."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._qt = QCoreApplication([])  # sockets need one, though not its event loop

    def ask_to_quit(self) -> bool:
        """Return whether there is one that has accepted it. Ask again while it is ending."""
        return send_request(self._paths, Request(Command.QUIT))
