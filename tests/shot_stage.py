# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app on a stage: the real window on the real engine, whose time stands still and whose news a scene tells.

What a scene shows is in the journal as well, so that all that the window asks for is there.
"""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from fieldpost_desktop.engine import profiles
from fieldpost_desktop.engine.events import Event, FileChanged, OverallChanged, OverallStatus
from fieldpost_desktop.engine.holds import Hold, HoldKind
from fieldpost_desktop.engine.journal.files import COLUMNS, Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.overall import overall
from fieldpost_desktop.engine.paths import Paths
from fieldpost_desktop.engine.profiles import Profile
from fieldpost_desktop.engine.states import FileState
from fieldpost_desktop.engine.watching.rules import After, FolderRules
from fieldpost_desktop.station import Condition
from fieldpost_desktop.ui import front as app_front
from fieldpost_desktop.ui.autostart import NoAutostart
from fieldpost_desktop.ui.bridge import Bridge
from fieldpost_desktop.ui.network_hints import NetworkHints
from fieldpost_desktop.ui.preferences import Preferences, PreferencesHolder
from fieldpost_desktop.ui.single_instance import SingleInstance
from fieldpost_desktop.ui.worker import Worker
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.secret import Secret
from gui_kit import Studio
from setup_kit import PASSWORD, SIGNED
from shot_files import HOME, LOGS, MINUTE_NS, NOW_NS, PHOTOS, RATE, STICK, Told

PROFILE: Final = replace(SIGNED, id="head-office", bootstrap_servers="post.example.org:9093")
SIZE: Final = QSize(1180, 680)
WAIT_MS: Final = 20_000
_CALM_MS: Final = 120  # the worker's answers and the paints after them


class StandingClock(FakeClock):
    """The same minute in every picture; waits are real, and end."""

    def __init__(self) -> None:
        super().__init__(NOW_NS)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        return event.wait(max(0.0, seconds))


class Ear:
    """Between engine and window: from the first scene on the engine is not heard any more."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.open = True

    def __call__(self, event: Event) -> None:
        if self.open:
            self._bridge(event)


class Stage:
    """Opens the app below a folder; `show` brings files on, `calm` waits until all is painted."""

    def __init__(self, folder: Path, profile: Profile | None = PROFILE) -> None:
        os.chdir(folder)
        profiles.this_user_and_host = lambda: ("anna", "van-7")
        studio = Studio(folder, profile)
        studio.paths, studio.clock = Paths(Path(HOME, "AppData/Local/Fieldpost")), StandingClock()
        studio.__post_init__()
        studio.paths, studio.clock = Paths(Path(HOME, "AppData/Local/Fieldpost")), StandingClock()
        studio.vault.set(PROFILE.id, Secret(PASSWORD))
