# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The settings page: every change acts at once, and what is locked stays."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTime, QUrl
from PySide6.QtGui import QAccessible, QDesktopServices, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QDoubleSpinBox,
    QLineEdit,
    QRadioButton,
    QTabWidget,
    QTimeEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.settings import EngineSettings, MeteredPolicy, Schedule
from fieldpost_desktop.ui.connection.check_view import CheckView
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.settings.page import SettingsPage
from fieldpost_desktop.ui.system.autostart import Autostart, MemoryAutostart, NoAutostart
from fieldpost_desktop.ui.system.preferences import Language, Preferences, PreferencesHolder
from fieldpost_desktop.ui.threads.coalescing_queue import CoalescingQueue
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.secret import Secret
from fieldpost_shared.version import __version__
from support.gui.hands import click, find, text
from support.gui.setup import SIGNED, Link
from support.gui.studio import OFFICE, PROFILE, Studio

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # said by the screen that these tests have


class StubbornAutostart(MemoryAutostart):
    """Cannot be changed."""

    def turn(self, *, on: bool) -> None:
        raise SettingsError("autostart", f"not {on}: access is denied")


@pytest.fixture
def profile() -> Profile | None:
    return PROFILE


@pytest.fixture
def autostart() -> Autostart:
    return MemoryAutostart()


@pytest.fixture
def instance(tmp_path: Path, profile: Profile | None) -> Iterator[AppInstance]:
    studio = Studio(tmp_path, profile=profile)
    if profile is not None and profile.needs_password:
        studio.vault.set(profile.id, Secret("kept"))
    made = studio.instance(lambda _: None)
    made.start()
    yield made
    made.close()


@pytest.fixture
def worker(qapp: QApplication) -> Iterator[Worker]:  # noqa: ARG001 - Qt must be up
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def holder(instance: AppInstance, worker: Worker) -> PreferencesHolder:
    return PreferencesHolder(instance.paths, Preferences(), worker.run)


@pytest.fixture
def page(
    instance: AppInstance, worker: Worker, holder: PreferencesHolder, autostart: Autostart, qtbot: QtBot
) -> SettingsPage:
    made = SettingsPage(instance, worker, holder, autostart)
    qtbot.addWidget(made)
    made.show()
    return made


def turn_to(page: SettingsPage, name: str) -> None:
    tabs = find(page, QTabWidget, "settings_tabs")
    tabs.setCurrentWidget(find(page, QWidget, f"{name}_scroll"))


@pytest.fixture
def sending(page: SettingsPage, qtbot: QtBot) -> SettingsPage:
    turn_to(page, "sending")
    qtbot.waitUntil(find(page, QCheckBox, "awake").isEnabled)
    return page


def counts(instance: AppInstance, qtbot: QtBot, wanted: Callable[[EngineSettings], bool]) -> None:
    qtbot.waitUntil(lambda: wanted(instance.settings()))


# sending


def test_the_page_shows_what_counts(sending: SettingsPage) -> None:
    assert not find(sending, QCheckBox, "limit_on").isChecked()
    assert find(sending, QRadioButton, "hours_always").isChecked()
    assert find(sending, QComboBox, "metered_choice").currentData() == MeteredPolicy.SMALL
    assert find(sending, QCheckBox, "awake").isChecked()


def test_a_limit_acts_at_once(sending: SettingsPage, instance: AppInstance, qtbot: QtBot) -> None:
    click(sending, "limit_on")
    counts(instance, qtbot, lambda settings: settings.bandwidth_limit == 500_000)
    find(sending, QDoubleSpinBox, "limit_amount").setValue(1.5)
    find(sending, QComboBox, "limit_unit").setCurrentIndex(1)
    counts(instance, qtbot, lambda settings: settings.bandwidth_limit == 1_500_000)
    find(sending, QCheckBox, "limit_on").setChecked(False)
    counts(instance, qtbot, lambda settings: settings.bandwidth_limit is None)


@pytest.mark.parametrize(
    ("rate", "shown"), [(2_500_000, ("2.5", "MB/s")), (1_234_567, ("1234.567", "kB/s")), (64_000, ("64", "kB/s"))]
)
def test_a_limit_is_shown_in_the_unit_that_fits(
    sending: SettingsPage, instance: AppInstance, qtbot: QtBot, rate: int, shown: tuple[str, str]
) -> None:
    instance.change_setting("bandwidth_limit", rate)
    sending.refresh()
    qtbot.waitUntil(find(sending, QCheckBox, "limit_on").isChecked)
    amount = find(sending, QDoubleSpinBox, "limit_amount").text().replace(",", "")
    assert (amount, find(sending, QComboBox, "limit_unit").currentText()) == shown
    assert instance.settings().bandwidth_limit == rate


def test_a_limit_that_is_too_slow_says_why_beside_its_field(
    sending: SettingsPage, instance: AppInstance, qtbot: QtBot
) -> None:
    click(sending, "limit_on")
    counts(instance, qtbot, lambda settings: settings.bandwidth_limit == 500_000)
    find(sending, QDoubleSpinBox, "limit_amount").setValue(0.5)
    qtbot.waitUntil(lambda: "too slow" in text(sending, "bandwidth_limit_note"))
    assert instance.settings().bandwidth_limit == 500_000
    find(sending, QDoubleSpinBox, "limit_amount").setValue(5)
    qtbot.waitUntil(lambda: text(sending, "bandwidth_limit_note") == "")
    assert instance.settings().bandwidth_limit == 5_000


def test_hours_act_at_once_and_may_cross_midnight(sending: SettingsPage, instance: AppInstance, qtbot: QtBot) -> None:
    find(sending, QRadioButton, "hours_between").setChecked(True)
    find(sending, QTimeEdit, "hours_start").setTime(QTime(22, 30))
    counts(instance, qtbot, lambda settings: settings.schedule == Schedule(22 * 60 + 30, 6 * 60))
    find(sending, QRadioButton, "hours_always").setChecked(True)
    counts(instance, qtbot, lambda settings: settings.schedule is None)


def test_hours_without_length_say_why_beside_their_field(
    sending: SettingsPage, instance: AppInstance, qtbot: QtBot
) -> None:
    find(sending, QRadioButton, "hours_between").setChecked(True)
    counts(instance, qtbot, lambda settings: settings.schedule is not None)
    find(sending, QTimeEdit, "hours_end").setTime(QTime(20, 0))
    qtbot.waitUntil(lambda: "the same" in text(sending, "schedule_note"))
    assert instance.settings().schedule == Schedule(20 * 60, 6 * 60)


def test_what_costs_money_and_staying_awake_act_at_once(
    sending: SettingsPage, instance: AppInstance, qtbot: QtBot
) -> None:
    find(sending, QComboBox, "metered_choice").setCurrentIndex(2)
    click(sending, "awake")
    counts(instance, qtbot, lambda settings: (settings.metered, settings.keep_awake) == (MeteredPolicy.NOTHING, False))


@pytest.mark.parametrize("profile", [replace(PROFILE, locked=frozenset({"metered", "schedule"}))])
def test_what_the_organisation_locked_is_shown_with_a_padlock_and_cannot_be_changed(sending: SettingsPage) -> None:
    for name, locked in {"metered": True, "schedule": True, "bandwidth_limit": False, "keep_awake": False}.items():
        field = find(sending, QWidget, name)
        padlocks = [icon for icon in field.findChildren(TonedIcon) if icon.isVisible() and icon.name is IconName.LOCK]
        assert len(padlocks) == locked
        assert (text(sending, f"{name}_note") == "Set by your organisation") is locked
    assert not find(sending, QComboBox, "metered_choice").isEnabled()
    assert not find(sending, QRadioButton, "hours_between").isEnabled()
    assert find(sending, QCheckBox, "limit_on").isEnabled()


@pytest.mark.parametrize("profile", [None])
def test_without_an_engine_there_is_nothing_to_set_and_it_says_so(page: SettingsPage, qtbot: QtBot) -> None:
    turn_to(page, "sending")
    qtbot.waitUntil(lambda: "not set up" in text(page, "sending_why_not"))
    assert not find(page, QCheckBox, "awake").isEnabled()


def test_scrolling_over_a_field_changes_nothing(sending: SettingsPage) -> None:
    choice = find(sending, QComboBox, "metered_choice")
    turn = QWheelEvent(
        QPointF(5, 5),
        QPointF(choice.mapToGlobal(QPoint(5, 5))),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    choice.clearFocus()
    before = choice.currentIndex()
    QApplication.sendEvent(choice, turn)
    assert choice.currentIndex() == before


def test_of_quick_changes_the_last_one_stays(worker: Worker, qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    changes = CoalescingQueue(worker, owner)
    go_on = threading.Event()
    made: list[int] = []

    def change(number: int) -> Callable[[], None]:
        return lambda: made.append(number) if go_on.wait(30) else None

    for number in range(5):
        changes.run("limit", change(number), lambda _: None, lambda _: None)
    assert changes.is_pending("limit")
    go_on.set()
    qtbot.waitUntil(lambda: made[-1:] == [4])
    assert made == [0, 4]


# general


def test_autostart_acts_at_once(
    page: SettingsPage, autostart: MemoryAutostart, instance: AppInstance, qtbot: QtBot
) -> None:
    autostart.turn(on=True)
    assert find(page, QCheckBox, "autostart").isChecked()
    with qtbot.waitSignal(page.preferences_changed) as changed:
        click(page, "autostart")
    assert changed.args == [Preferences(autostart=False)]
    assert autostart.entry is None
    qtbot.waitUntil(lambda: not Preferences.load(instance.paths).autostart)
    with qtbot.waitSignal(page.preferences_changed):
        click(page, "autostart")
    assert autostart.is_on()


@pytest.mark.parametrize("autostart", [StubbornAutostart()])
def test_autostart_that_cannot_be_changed_says_why_and_stays(
    page: SettingsPage, holder: PreferencesHolder, qtbot: QtBot
) -> None:
    click(page, "autostart")
    qtbot.waitUntil(lambda: "access is denied" in text(page, "autostart_field_note"))
    assert find(page, QCheckBox, "autostart").isChecked()
    assert holder.current.autostart


@pytest.mark.parametrize("autostart", [NoAutostart()])
def test_where_autostart_is_not_possible_it_cannot_be_chosen(page: SettingsPage) -> None:
    assert not find(page, QCheckBox, "autostart").isEnabled()
    assert text(page, "autostart_field_note").startswith("Not possible here")


def test_notifications_are_turned_off_and_on(page: SettingsPage, holder: PreferencesHolder, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.preferences_changed):
        click(page, "notifications")
    assert not holder.current.notifications
    with qtbot.waitSignal(page.preferences_changed):
        click(page, "notifications")
    assert holder.current.notifications


def test_the_language_acts_at_the_next_start_and_says_so(
    page: SettingsPage, holder: PreferencesHolder, qtbot: QtBot
) -> None:
    language = find(page, QComboBox, "language")
    with qtbot.waitSignal(page.preferences_changed):
        language.setCurrentIndex(language.findText("Deutsch"))
    assert holder.current.language is Language.GERMAN
    assert "next start" in text(page, "language_field_note")


def test_showing_the_page_again_calls_nothing_a_change(page: SettingsPage, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(page.preferences_changed):
        page.hide()
        page.show()
        page.refresh()


# connection


@pytest.mark.parametrize("profile", [SIGNED])
def test_the_connection_says_where_files_go(page: SettingsPage, qtbot: QtBot) -> None:
    turn_to(page, "connection")
    qtbot.waitUntil(lambda: text(page, "fingerprint") == SIGNED.fingerprint)
    said = " ".join(label.accessibleName() for label in find(page, QWidget, "summary").findChildren(QWidget))
    assert all(words in said for words in (f"Office: {OFFICE}", "User name: van-7", "encrypted, with user name"))


@pytest.mark.parametrize("profile", [SIGNED])
def test_the_connection_is_tested_with_the_kept_password(
    page: SettingsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    Link().install(monkeypatch)
    turn_to(page, "connection")
    view = find(page, CheckView, "link_view")
    assert not view.isVisible()
    with qtbot.waitSignal(view.finished) as finished:
        click(page, "test_connection")
    assert finished.args == [True]
    assert view.isVisible()
    assert find(page, QAbstractButton, "test_connection").isEnabled()


@pytest.mark.parametrize("profile", [SIGNED])
def test_the_password_can_be_changed(page: SettingsPage, instance: AppInstance, qtbot: QtBot) -> None:
    turn_to(page, "connection")
    click(page, "change_password")
    dialog = find(page, PasswordDialog, "password_dialog")
    find(dialog, QLineEdit, "password").setText("new one")
    with qtbot.waitSignal(page.password_changed) as changed:
        find(dialog, QDialogButtonBox, "password_buttons").button(QDialogButtonBox.StandardButton.Ok).click()
    assert changed.args == [Condition.RUNNING]
    assert instance.condition is Condition.RUNNING


def test_without_a_password_in_play_there_is_none_to_change(page: SettingsPage) -> None:
    turn_to(page, "connection")
    assert not find(page, QAbstractButton, "change_password").isVisible()
    assert find(page, QAbstractButton, "test_connection").isVisible()


@pytest.mark.parametrize("profile", [None])
def test_before_the_set_up_only_importing_is_offered(page: SettingsPage, qtbot: QtBot) -> None:
    turn_to(page, "connection")
    assert "not set up" in text(page, "not_set_up")
    assert not find(page, QAbstractButton, "test_connection").isVisible()
    with qtbot.waitSignal(page.import_wanted):
        click(page, "import_file")


# advanced


def test_the_data_folder_can_be_opened(
    page: SettingsPage, instance: AppInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    turn_to(page, "advanced")
    assert find(page, QLineEdit, "data_folder").text() == str(instance.paths.data_dir)
    click(page, "open_data_folder")
    assert opened == [QUrl.fromLocalFile(str(instance.paths.data_dir))]


def test_report_and_about_are_wished_for(page: SettingsPage, qtbot: QtBot) -> None:
    turn_to(page, "advanced")
    assert __version__ in text(page, "version")
    with qtbot.waitSignals([page.report_wanted, page.about_wanted]):
        click(page, "make_report")
        click(page, "about")


# all sections


def test_everything_that_can_be_focused_has_a_name(page: SettingsPage) -> None:
    for section in ("general", "sending", "connection", "advanced"):
        turn_to(page, section)
        for widget in find(page, QWidget, f"{section}_section").findChildren(QWidget):
            if not widget.isVisible() or not widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                continue
            if widget.objectName().startswith("qt_"):
                continue  # the line within a spin box
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface.text(QAccessible.Text.Name), f"{widget.objectName()} of {section} has no name"


def test_a_page_that_is_gone_is_not_told_anything(
    instance: AppInstance, worker: Worker, holder: PreferencesHolder, qtbot: QtBot
) -> None:
    page = SettingsPage(instance, worker, holder, MemoryAutostart())
    page.show()
    with qtbot.waitSignal(page.destroyed):
        page.refresh()
        page.deleteLater()
    done: list[bool] = []
    worker.run(lambda: True, done.append)
    qtbot.waitUntil(lambda: done == [True])


def test_keys_alone_reach_every_setting(sending: SettingsPage) -> None:
    find(sending, QCheckBox, "limit_on").setFocus()
    reached = set()
    for _ in range(8):
        focused = QApplication.focusWidget()
        if focused is not None:
            reached.add(focused.objectName())
            QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert {"limit_on", "hours_always", "metered_choice", "awake"} <= reached
