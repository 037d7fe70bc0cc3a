# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The window's part of `fieldpost self-test`: whether everything that it needs came along with the program."""

import os
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from fieldpost_desktop.app.environment import AppEnvironment
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.engine.profile.vault import MemoryVault
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.app import make_application
from fieldpost_desktop.ui.controller import Controller
from fieldpost_desktop.ui.shell.single_instance import SingleInstance
from fieldpost_desktop.ui.system.autostart import NoAutostart
from fieldpost_desktop.ui.system.network_hints import NetworkHints
from fieldpost_desktop.ui.system.preferences import Preferences, PreferencesHolder
from fieldpost_desktop.ui.text import languages
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.clock import Clock

_SHADES: Final = 12  # a window has more, a blank one has one
_SIDE: Final = QSize(32, 32)


def window(folder: Path, clock: Clock) -> tuple[bool, str]:
    """Open the main window with all of its pages, and look at it."""
    application()
    controller = _controller(Paths(folder / "window"), clock)
    controller.window.show()
    QApplication.processEvents()
    image = controller.window.grab().toImage()
    controller.window.hide()
    controller.close()
    shades = _shades(image)
    return shades >= _SHADES, f"{image.width()} x {image.height()}, {shades} shades, {QApplication.platformName()}"


def tray() -> tuple[bool, str]:
    """Draw the icon of each state; tell whether this desktop has a place for it."""
    application()
    drawn = sum(_shades(icons.tray_icon(state).pixmap(_SIDE).toImage()) > 1 for state in OverallState)
    place = "there is a place for it" if QSystemTrayIcon.isSystemTrayAvailable() else "no place for it here"
    return drawn == len(OverallState), f"{drawn} icons, {place}"


def drawings() -> tuple[bool, str]:
    """Draw every icon."""
    application()
    missing = [name for name in IconName if _shades(icons.icon(name).pixmap(_SIDE).toImage()) < 2]  # noqa: PLR2004 - a line and its ground
    return not missing, f"missing: {', '.join(missing)}" if missing else f"{len(IconName)} icons"


def words() -> tuple[bool, str]:
    """Check that every language has its texts."""
    app = application()
    silent = []
    for language in languages.LANGUAGES:
        spoken = languages.install(app, language)
        one = QCoreApplication.translate("phrases", "%Ln file(s)", "", 1)
        if one == "%Ln file(s)" or "(" in one:
            silent.append(language)
        spoken.remove()
    return not silent, f"silent: {', '.join(silent)}" if silent else ", ".join(languages.LANGUAGES)


def application() -> QApplication:
    """Return the Qt application, offscreen where there is no screen."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return make_application(["fieldpost"])


def _controller(paths: Paths, clock: Clock) -> Controller:
    bridge, worker = Bridge(), Worker()
    network = NetworkHints()
    instance = AppInstance(AppEnvironment(paths=paths, vault=MemoryVault(), clock=clock, network=network), bridge)
    preferences = PreferencesHolder(paths, Preferences(), worker.run)
    return Controller(
        instance=instance,
        bridge=bridge,
        worker=worker,
        network=network,
        preferences=preferences,
        autostart=NoAutostart(),
        single_instance=SingleInstance(paths),
    )


def _shades(image: QImage) -> int:
    """Count different colours on a coarse grid."""
    step = max(1, min(image.width(), image.height()) // 64)
    return len({image.pixel(x, y) for x in range(0, image.width(), step) for y in range(0, image.height(), step)})
