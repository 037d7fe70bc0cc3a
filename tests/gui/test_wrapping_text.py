# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Set-up and settings with large letters and long words: nothing is cut off, and nothing was left untranslated."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QLineEdit, QTabWidget, QWidget, QWizard
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.link.check.check import Step
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.vault import MemoryVault
from fieldpost_desktop.ui.connection.check_view import CheckView
from fieldpost_desktop.ui.connection.password_dialog import PasswordDialog
from fieldpost_desktop.ui.settings.page import SettingsPage
from fieldpost_desktop.ui.setup.wizard import PageId, SetupWizard
from fieldpost_desktop.ui.system.autostart import NoAutostart
from fieldpost_desktop.ui.system.preferences import Preferences, PreferencesHolder
from fieldpost_desktop.ui.text import languages
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.codes import Code
from fieldpost_shared.secret import Secret
from support.gui import pseudo_locale
from support.gui.hands import find
from support.gui.setup import SIGNED, BrokenVault, Link, clipped, refused_at, texts
from support.gui.studio import Studio

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # said by the screen that these tests have

WORDY = replace(
    SIGNED,
    name="Straßenverkehrsbehörde Nordrhein-Westfalen",
    bootstrap_servers="kafka-1.field.example.org:9093,kafka-2.field.example.org:9093",
    locked=frozenset({"metered", "bandwidth_limit", "keep_awake"}),
)


def german(app: QApplication) -> Callable[[], None]:
    return languages.install(app, "de").remove


def pseudo(app: QApplication) -> Callable[[], None]:
    translator = pseudo_locale.install(app)
    return lambda: pseudo_locale.remove(translator)


@pytest.fixture(params=[german, pseudo])
def speaking(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    stop = request.param(qapp)
    yield request.param.__name__
    stop()


@pytest.fixture(params=[1, 2])
def large(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[float]:
    """The font as it is at 100 % and at 200 %: windows do not grow with it beyond the screen."""
    before = qapp.font()
    font = QFont(before)
    font.setPointSizeF(before.pointSizeF() * request.param)
    qapp.setFont(font)
    yield request.param
    qapp.setFont(before)


@pytest.fixture
def vault() -> MemoryVault:
    made = MemoryVault()
    made.set(WORDY.id, Secret("kept"))
    return made


@pytest.fixture
def instance(tmp_path: Path, vault: MemoryVault, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppInstance]:
    Link(refused_at(Step.SIGN_IN, Code.SIGN_IN_REFUSED, "no")).install(monkeypatch)
    made = Studio(tmp_path, profile=WORDY, vault=vault).instance(lambda _: None)
    made.start()
    yield made
    made.close()


@pytest.fixture
def worker(qapp: QApplication) -> Iterator[Worker]:  # noqa: ARG001 - Qt must be up
    made = Worker()
    yield made
    made.close()


def check(widget: QWidget | None, speaking: str, qtbot: QtBot) -> None:
    assert widget is not None

    def nothing_is_clipped() -> None:
        assert clipped(widget) == []

    qtbot.waitUntil(nothing_is_clipped)  # Qt lays a page out in several rounds of events
    if speaking == "pseudo":
        shown = [part.text() for part in texts(widget) if not part.objectName().startswith("qt_")]
        assert [
            said for said in shown if not pseudo_locale.is_translated(said) and not _comes_from_elsewhere(said)
        ] == []


def _comes_from_elsewhere(said: str) -> bool:
    """Names and addresses are the same in every language."""
    return said in {WORDY.name, WORDY.sasl_username, WORDY.fingerprint} or said.startswith(("kafka-", "Fieldpost 0"))


@pytest.mark.usefixtures("large")
def test_no_setting_is_clipped(instance: AppInstance, worker: Worker, speaking: str, qtbot: QtBot) -> None:
    page = SettingsPage(instance, worker, PreferencesHolder(instance.paths, Preferences(), worker.run), NoAutostart())
    qtbot.addWidget(page)
    page.resize(560, 420)
    page.show()
    tabs = find(page, QTabWidget, "settings_tabs")
    view = find(page, CheckView, "link_view")
    tabs.setCurrentIndex(2)
    with qtbot.waitSignal(view.finished):
        find(page, QAbstractButton, "test_connection").click()
    for index in range(tabs.count()):
        tabs.setCurrentIndex(index)
        check(tabs.widget(index), speaking, qtbot)


@pytest.mark.usefixtures("large")
def test_no_page_of_the_set_up_is_clipped(
    instance: AppInstance, worker: Worker, speaking: str, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "office.fieldpost"
    path.write_text(profile_file.dump(WORDY), encoding="utf-8")
    wizard = SetupWizard(instance, worker, path)
    qtbot.addWidget(wizard)
    wizard.show()
    qtbot.waitUntil(wizard.button(QWizard.WizardButton.NextButton).isEnabled)
    check(wizard.page(PageId.FILE), speaking, qtbot)
    wizard.next()
    check(wizard.page(PageId.PASSWORD), speaking, qtbot)
    wizard.next()
    qtbot.waitUntil(wizard.button(QWizard.WizardButton.FinishButton).isEnabled)
    check(wizard.page(PageId.TEST), speaking, qtbot)


@pytest.mark.usefixtures("large")
def test_the_password_dialog_is_not_clipped(instance: AppInstance, worker: Worker, speaking: str, qtbot: QtBot) -> None:
    dialog = PasswordDialog(instance, worker)
    qtbot.addWidget(dialog)
    dialog.show()
    check(dialog, speaking, qtbot)
    find(dialog, QLineEdit, "password").setText("x" * 2000)
    find(dialog, QLineEdit, "password").editingFinished.emit()
    check(dialog, speaking, qtbot)


@pytest.mark.parametrize("vault", [BrokenVault()])
@pytest.mark.usefixtures("large")
def test_the_password_dialog_grows_with_what_it_has_to_say(
    instance: AppInstance, worker: Worker, speaking: str, qtbot: QtBot
) -> None:
    dialog = PasswordDialog(instance, worker)
    qtbot.addWidget(dialog)
    dialog.show()
    find(dialog, QLineEdit, "password").setText("new one")
    with qtbot.waitSignal(dialog.changed):
        find(dialog, QDialogButtonBox, "password_buttons").button(QDialogButtonBox.StandardButton.Ok).click()
    check(dialog, speaking, qtbot)
