# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Connects window, tray, dialogs and notices with the engine and with each other.

None of them knows another: what happens between them is written here.
"""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.browse import Group
from fieldpost_desktop.engine.model.events import FileChanged, OverallStatus
from fieldpost_desktop.engine.model.overall_status import held_by
from fieldpost_desktop.ui.connection.settings_file import settings_file_in
from fieldpost_desktop.ui.detail.pane import DetailPane
from fieldpost_desktop.ui.folders.page import FoldersPage
from fieldpost_desktop.ui.settings.page import SettingsPage
from fieldpost_desktop.ui.shell.add_files import AddFiles
from fieldpost_desktop.ui.shell.announcer import Announcer
from fieldpost_desktop.ui.shell.closing import Closing, saved_geometry
from fieldpost_desktop.ui.shell.dialogs import Dialogs
from fieldpost_desktop.ui.shell.main_window import MainWindow
from fieldpost_desktop.ui.shell.navigation import Page
from fieldpost_desktop.ui.shell.single_instance import SingleInstance
from fieldpost_desktop.ui.shell.status_banners import StatusBanners
from fieldpost_desktop.ui.shell.tray import Tray
from fieldpost_desktop.ui.system.autostart import Autostart
from fieldpost_desktop.ui.system.network_hints import NetworkHints
from fieldpost_desktop.ui.system.preferences import PreferencesHolder
from fieldpost_desktop.ui.system.show_in_folder import reveal
from fieldpost_desktop.ui.threads.bridge import Bridge
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.transfers.actions import available_actions
from fieldpost_desktop.ui.transfers.page import TransfersPage
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

_TICK_MS: Final = 1000


class Controller(QObject):
    """Owns everything that a person sees."""

    def __init__(
        self,
        *,
        instance: AppInstance,
        bridge: Bridge,
        worker: Worker,
        network: NetworkHints,
        preferences: PreferencesHolder,
        autostart: Autostart,
        single_instance: SingleInstance,
    ) -> None:
        super().__init__()
        self._instance = instance
        self._bridge = bridge
        self._worker = worker
        self._preferences = preferences
        self._autostart = autostart
        self._single_instance = single_instance
        self._busy = False  # the engine is being started or recovered
        self._given: tuple[str, ...] = ()  # paths that wait until the engine can take them
        detail = DetailPane(
            instance,
            worker,
            bridge=bridge,
            actions_for=lambda change: available_actions(change, held_by(change.row, bridge.overall)),
        )
        self.transfers = TransfersPage(instance, worker, bridge=bridge, detail=detail)
        self.folders = FoldersPage(instance, worker)
        self.settings = SettingsPage(instance, worker, preferences=preferences, autostart=autostart)
        self.window = MainWindow(
            {Page.TRANSFERS: self.transfers, Page.FOLDERS: self.folders, Page.SETTINGS: self.settings}, instance.clock
        )
        self.tray = Tray(instance, self)
        self.announcer = Announcer(
            instance, bridge, tray=self.tray, wanted=lambda: preferences.current.notifications, parent=self
        )
        self.dialogs = Dialogs(instance, worker, self.window)
        self.add_files = AddFiles(instance, worker, self.window)
        self.status_banners = StatusBanners(instance, self.window.banners)
        self.closing = Closing(self.window, preferences, has_tray=self.tray.available)
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._connect_engine(network)
        self._connect_pages()
        self._connect_everything_else()

    # lifecycle

    def open(self, *, hidden: bool = False, given: Sequence[str] = ()) -> None:
        """Show up, and start the engine in the background."""
        self._single_instance.listen()
        self._given = tuple(given)
        self.window.take_geometry(saved_geometry(self._preferences))
        self._show_status(self._bridge.overall)
        self.tray.show()
        if not hidden:
            self.window.show()
        elif not self.tray.available:
            self.window.showMinimized()
        self._start()
        wanted = self._preferences.current.autostart
        self._worker.run(lambda: self._autostart.repair(wanted=wanted))
        self._timer.start()

    def shut_down(self) -> None:
        """Stop within two seconds and without a question, because the computer goes down; the journal has it all."""
        self._timer.stop()
        self._instance.close()

    def close(self) -> None:
        """End the app."""
        self._timer.stop()
        self.tray.hide()
        self._single_instance.close()
        self._preferences.save()
        self._worker.close()
        self._instance.close()
        self._bridge.stop()

    def unexpected(self, error: BaseException) -> None:
        """Show an unexpected error, and how to report it to support."""
        self.status_banners.show_error(FieldpostError(Code.UNEXPECTED, repr(error)))

    # the engine

    def _start(self) -> None:
        if not self._busy:
            self._busy = True
            self._worker.run(self._instance.start, self._started, self._not_started)

    def _started(self, condition: Condition) -> None:
        self._busy = False
        self._show_condition()
        self.announcer.begin(self._worker)
        self.transfers.reload()
        if condition is Condition.NOT_SET_UP and settings_file_in(self._given) is None:
            self.window.bring_up()
            self.dialogs.set_up()
        self._open_waiting()

    def _not_started(self, error: FieldpostError) -> None:
        self._busy = False
        self.status_banners.show_error(error)

    def _tick(self) -> None:
        """Move countdowns on; start or recover the engine where another process ended or ours died."""
        if self.window.isVisible() and _counts_down(self._bridge.overall):
            self._show_status(self._bridge.overall)
        if self._instance.condition is Condition.ELSEWHERE:
            self._start()
        elif not self._busy and not self._instance.is_healthy:
            self._busy = True
            self._worker.run(self._instance.recover, lambda _well: self._recovered(), self._not_started)

    def _recovered(self) -> None:
        self._busy = False
        self._show_condition()
        self._open_waiting()

    def _show_condition(self) -> None:
        self._bridge.drain()  # otherwise header and banner would differ until the next tick
        self.status_banners.show_condition()
        self.window.footer.setText(self._footer_text())
        self._show_status(self._bridge.overall)

    def _footer_text(self) -> str:
        profile = self._instance.profile
        if profile is None:
            return self.tr("Not set up")
        text = self.tr("{office} · this computer sends as {client}")
        said = text.format(office=profile.name, client=self._instance.client)
        user = profile.sasl_username
        return f"{said} · {self.tr('account {user}').format(user=user)}" if user else said

    def _show_status(self, status: OverallStatus) -> None:
        self.window.show_status(status, self._instance.office, self._instance.clock.now_ns())
        self.tray.show_status(status)
        self.status_banners.show_status(status)

    # what a person wants

    def _open_waiting(self) -> None:
        given, self._given = self._given, ()
        self._open_given(given)

    def _open_given(self, given: Sequence[str]) -> None:
        """Open what a start, or a second start, brought with it."""
        settings_file = settings_file_in(given)
        if settings_file is not None:
            self.window.bring_up()
            self.dialogs.set_up(settings_file)
        else:
            self._add(given)

    def _add(self, paths: Sequence[str]) -> None:
        """Queue files; while the engine is being opened they wait, so that no early drop is refused."""
        if self._busy:
            self._given += tuple(paths)
        else:
            self.add_files.add(paths)

    def _choose_files(self) -> None:
        self.window.bring_up()
        self.add_files.choose()

    def _quit(self) -> None:
        self.closing.quit(self._bridge.overall)

    def _pause(self, until_ns: int | None) -> None:
        self._worker.follow(self._instance.do(lambda commands: commands.pause_all(until_ns)))

    def _resume(self) -> None:
        self._worker.follow(self._instance.do(lambda commands: commands.resume_all()))

    def _send_now(self) -> None:
        self._worker.follow(self._instance.do(lambda commands: commands.send_now()))

    def _try_now(self) -> None:
        self._worker.follow(self._instance.do(lambda commands: commands.try_now()))

    def _network_came_back(self) -> None:
        """Try again at once after a hint of the system; without an engine there is nothing to try."""
        if self._instance.condition is Condition.RUNNING:
            self._try_now()

    def _with_change(self, file: int, act: Callable[[FileChanged], None]) -> None:
        change = self.transfers.change_of(file)
        if change is not None:
            act(change)

    def _show_group(self, group: object) -> None:
        self.window.show_page(Page.TRANSFERS)
        if isinstance(group, Group):
            self.transfers.show_group(group)

    # signals

    def _connect_engine(self, network: NetworkHints) -> None:
        self._bridge.overall_changed.connect(self._show_status)
        self._worker.unhandled_error.connect(self.status_banners.show_error)
        network.came_back.connect(self._network_came_back)
        self.dialogs.restarted.connect(self._started)
        self.dialogs.failed.connect(self.status_banners.show_error)

    def _connect_pages(self) -> None:
        transfers, settings = self.transfers, self.settings
        transfers.add_wanted.connect(self.add_files.choose)
        transfers.locate_wanted.connect(lambda file: self._with_change(file, self.dialogs.locate))
        transfers.rename_wanted.connect(lambda file: self._with_change(file, self.dialogs.rename))
        transfers.reveal_wanted.connect(reveal)
        transfers.password_wanted.connect(self.dialogs.enter_password)
        transfers.report_wanted.connect(self.dialogs.make_report)
        self.folders.send_wanted.connect(self._add)
        settings.report_wanted.connect(self.dialogs.make_report)
        settings.about_wanted.connect(self.dialogs.show_about)
        settings.import_wanted.connect(self.dialogs.set_up)
        settings.password_changed.connect(self._started)

    def _connect_everything_else(self) -> None:
        window, header, banners, tray = self.window, self.window.header, self.status_banners, self.tray
        window.drop_target.dropped.connect(self._add)
        window.closed.connect(self.closing.close_window)
        header.add_wanted.connect(self.add_files.choose)
        tray.add_wanted.connect(self._choose_files)
        tray.open_wanted.connect(window.bring_up)
        tray.notice_clicked.connect(self._show_group)
        for pause in (header.pause_wanted, tray.pause_wanted):
            pause.connect(self._pause)
        for resume in (header.resume_wanted, banners.resume_wanted, tray.resume_wanted):
            resume.connect(self._resume)
        for send_now in (header.send_now_wanted, banners.send_now_wanted, tray.send_now_wanted):
            send_now.connect(self._send_now)
        for report in (banners.report_wanted, tray.report_wanted):
            report.connect(self.dialogs.make_report)
        for leave in (window.quit_wanted, tray.quit_wanted):
            leave.connect(self._quit)
        banners.set_up_wanted.connect(self.dialogs.set_up)
        banners.password_wanted.connect(self.dialogs.enter_password)
        banners.start_wanted.connect(self._start)
        banners.retry_wanted.connect(self._try_now)
        banners.settings_wanted.connect(lambda: window.show_page(Page.SETTINGS))
        self.closing.quit_now.connect(_end_the_app)
        self.closing.tell_about_tray.connect(tray.notify)
        self._single_instance.opened.connect(window.bring_up)
        self._single_instance.files_given.connect(self._open_given)
        self._single_instance.profile_given.connect(lambda path: self._open_given([path]))
        self._single_instance.quit_wanted.connect(self.closing.quit_at_once)


def _end_the_app() -> None:
    """End the event loop. Not by `quit`: that asks every window first, and ours never closes."""
    QCoreApplication.exit(0)


def _counts_down(status: OverallStatus) -> bool:
    return status.next_try_ns is not None or (status.hold is not None and status.hold.until_ns is not None)
