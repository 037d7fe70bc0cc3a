# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opens the app: Qt, language, one instance for each data folder, and the controller with all that belongs to it."""

import logging
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final

import PySide6
from PySide6.QtCore import QTimer, qVersion
from PySide6.QtWidgets import QApplication, QStyleFactory

from fieldpost_desktop.app.assembly import Options
from fieldpost_desktop.app.environment import AppEnvironment
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile.vault import Vault
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.ui.controller import Controller
from fieldpost_desktop.ui.shell import single_instance
from fieldpost_desktop.ui.shell.single_instance import SingleInstance
from fieldpost_desktop.ui.system.autostart import Autostart, NoAutostart, system_autostart
from fieldpost_desktop.ui.system.network_hints import NetworkHints
from fieldpost_desktop.ui.system.preferences import Preferences, PreferencesHolder
from fieldpost_desktop.ui.text import languages
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_shared.clock import Clock
from fieldpost_shared.redaction import Redactor

_LOG: Final = logging.getLogger(__name__)
APP_ID: Final = "Fieldpost.Fieldpost"  # the same in the installer's shortcuts: Windows groups windows and toasts by it
_WINDOWS_11: Final = 22000  # build number


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What the command line and the system say about this start."""

    paths: Paths
    options: Options
    environ: Mapping[str, str]
    clock: Clock
    open_vault: Callable[[], Vault]
    set_up_log: Callable[[], Redactor]
    given: Sequence[str] = ()  # files to send, or a settings file to import
    hidden: bool = False  # in the notification area only


def run(start: Start) -> int:
    """Run the app until it is quit; or hand over to the one that runs already."""
    app = make_application(sys.argv[:1])
    preferences = Preferences.load(start.paths)
    languages.install(app, preferences.language)
    if single_instance.hand_over(start.paths, start.given):
        return 0
    controller = _controller(start, preferences)
    _report_bugs_to(controller)
    app.commitDataRequest.connect(lambda _manager: controller.shut_down())
    _end_when_told(app)
    controller.open(hidden=start.hidden, given=start.given)
    code = app.exec()
    controller.close()
    return code


def make_application(arguments: list[str]) -> QApplication:
    """Make the Qt application, in the system's own style."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - Windows only

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)
    app = QApplication(arguments)
    app.setApplicationName("Fieldpost")
    app.setDesktopFileName("fieldpost")
    app.setWindowIcon(icons.icon(IconName.APP))
    app.setQuitOnLastWindowClosed(False)
    if sys.platform == "win32" and sys.getwindowsversion().build < _WINDOWS_11:
        app.setStyle(QStyleFactory.create("Fusion"))  # the old native style knows no dark mode
    return app


def _end_when_told(app: QApplication) -> None:
    """End the app on SIGTERM and Ctrl-C in good order and without a question, as the end of the session does.

    Python sees a signal when its code runs next: the bridge's timer lets it, four times a second. The way over Qt's
    queue is for a signal that comes before the event loop.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: QTimer.singleShot(0, app, lambda: app.exit(0)))


def _controller(start: Start, preferences: Preferences) -> Controller:
    worker = Worker()
    bridge = Bridge()
    network = NetworkHints()
    environment = AppEnvironment(
        paths=start.paths,
        vault=start.open_vault(),
        clock=start.clock,
        options=start.options,
        environ=start.environ,
        redactor=start.set_up_log(),
        network=network,
        versions={"pyside6": PySide6.__version__, "qt": str(qVersion())},
    )
    return Controller(
        instance=AppInstance(environment, bridge),
        bridge=bridge,
        worker=worker,
        network=network,
        preferences=PreferencesHolder(start.paths, preferences, worker.run),
        autostart=_autostart(start),
        single_instance=SingleInstance(start.paths),
    )


def _autostart(start: Start) -> Autostart:
    """Return no autostart for a data folder of its own: it is for trials and must not start with Windows."""
    own = start.options.data_dir is not None or "FIELDPOST_DATA_DIR" in start.environ
    return NoAutostart() if own else system_autostart(start.environ)


def _report_bugs_to(controller: Controller) -> None:
    """Write unexpected errors of a slot to the log, and show the person words and a button."""

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _LOG.critical("unexpected in the window", exc_info=(kind, error, trace))
        controller.unexpected(error)

    sys.excepthook = report
