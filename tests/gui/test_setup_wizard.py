# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The set-up: nothing counts before Finish, and then everything does."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QWidget, QWizard
from pytestqt.qtbot import QtBot

from fieldpost_desktop import target as targets
from fieldpost_desktop.engine import profiles
from fieldpost_desktop.engine.events import Event, FileChanged
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.link_check import Step
from fieldpost_desktop.engine.profiles import Profile
from fieldpost_desktop.engine.vault import MAX_UNITS, MemoryVault
from fieldpost_desktop.station import Condition, Station
from fieldpost_desktop.ui.setup import found_file
from fieldpost_desktop.ui.setup.wizard import PageId, SetupWizard
from fieldpost_desktop.ui.worker import Worker
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.secret import Secret
from gui_hands import click, find, text
from gui_kit import OFFICE, PROFILE, Studio
from setup_kit import PASSWORD, SIGNED, Link, refused_at

Button = QWizard.WizardButton
# A wizard tells the screen how large it may be; the one that these tests have does not listen, and says so.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


class BrokenVault(MemoryVault):
    """A keyring that takes nothing."""

    def set(self, profile_id: str, password: Secret) -> None:
        raise FieldpostError(Code.KEYRING_FAILED, f"write: locked for {profile_id}, {password}")


@pytest.fixture(autouse=True)
def nothing_beside_the_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder where the wizard looks by itself."""
    beside = tmp_path / "program"
    beside.mkdir()
    monkeypatch.setattr(sys, "argv", [str(beside / "fieldpost")])
    monkeypatch.setattr(sys, "executable", str(beside / "python"))
    return beside


@pytest.fixture
def link(monkeypatch: pytest.MonkeyPatch) -> Link:
    return Link().install(monkeypatch)


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return Studio(tmp_path, profile=None)


@pytest.fixture
def station(studio: Studio) -> Iterator[Station]:
    made = studio.station(lambda _: None)
    assert made.start() is Condition.NOT_SET_UP
    yield made
    made.close()


@pytest.fixture
def worker(qapp: QApplication) -> Iterator[Worker]:  # noqa: ARG001 - Qt must be up
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def wizard(station: Station, worker: Worker, qtbot: QtBot) -> SetupWizard:
    made = SetupWizard(station, worker)
    qtbot.addWidget(made)
    made.show()
    return made


def settings_file(folder: Path, profile: Profile = SIGNED, name: str = "office.fieldpost") -> Path:
    path = folder / name
    path.write_text(profiles.dump(profile), encoding="utf-8")
    return path


@dataclass
class Guide:
    """Walks somebody through the wizard."""

    wizard: SetupWizard
    folder: Path
    qtbot: QtBot

    def can(self, kind: Button) -> bool:
        button = self.wizard.button(kind)
        return button.isVisible() and button.isEnabled()

    def read(self, profile: Profile = SIGNED) -> None:
        self.wizard.read(settings_file(self.folder, profile))
        self.wait_for(Button.NextButton)

    def to_password(self, profile: Profile = SIGNED) -> QLineEdit:
        self.read(profile)
        self.wizard.next()
        assert self.wizard.currentId() == PageId.PASSWORD
        return find(self.wizard, QLineEdit, "password")

    def to_test(self) -> None:
        self.to_password().setText(PASSWORD)
        self.wizard.next()
        assert self.wizard.currentId() == PageId.TEST
        self.wait_for(Button.FinishButton)

    def finish(self) -> Condition:
        with self.qtbot.waitSignal(self.wizard.adopted) as adopted:
            self.wizard.button(Button.FinishButton).click()
        assert adopted.args is not None
        return Condition(adopted.args[0])

    def wait_for(self, kind: Button) -> None:
        self.qtbot.waitUntil(lambda: self.can(kind))


@pytest.fixture
def guide(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> Guide:
    return Guide(wizard, tmp_path, qtbot)


# the settings file


def test_a_settings_file_is_told_in_plain_words_before_it_counts(
    wizard: SetupWizard, station: Station, tmp_path: Path, qtbot: QtBot
) -> None:
    assert not guide.can(Button.NextButton)
    guide.read()
    said = [label.text() for label in find(wizard, QWidget, "summary").findChildren(QLabel)]
    for words in (
        OFFICE,
        "127.0.0.1:9",
        "van-7",
        SIGNED.client_name(*profiles.this_user_and_host()),
        "encrypted, with user name and password",
        "files up to 4 GB",
        "connections that cost money",
    ):
        assert words in said
    assert text(wizard, "fingerprint") == SIGNED.fingerprint
    assert station.profile is None
    assert not station.paths.profile.exists()


def test_an_office_name_is_never_read_as_html(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    guide.read(replace(SIGNED, name="<b>Head</b> office"))
    formats = {
        label.textFormat() for label in find(wizard, QWidget, "summary").findChildren(QLabel) if label.wordWrap()
    }
    assert formats == {Qt.TextFormat.PlainText}


@pytest.mark.parametrize(
    ("content", "label", "raw"),
    [("{", "P1", "not JSON"), ('{"version": 99}', "P2", "version 99")],
)
def test_a_file_that_cannot_be_used_is_told_with_the_raw_text_under_details(
    wizard: SetupWizard, tmp_path: Path, qtbot: QtBot, content: str, label: str, raw: str
) -> None:
    path = tmp_path / "bad.fieldpost"
    path.write_text(content, encoding="utf-8")
    wizard.read(path)
    trouble = find(find(wizard, QWidget, "file_page"), QWidget, "trouble")
    qtbot.waitUntil(trouble.isVisible)
    assert f"({label})" in text(trouble, "trouble_sentence")
    assert raw not in text(trouble, "trouble_sentence")
    details = find(trouble, QLabel, "trouble_details")
    assert not details.isVisible()
    click(trouble, "trouble_more")
    assert details.isVisible()
    assert raw in details.text()
    assert not guide.can(Button.NextButton)


def test_a_good_file_after_a_bad_one_is_taken(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    bad = tmp_path / "bad.fieldpost"
    bad.write_text("{", encoding="utf-8")
    wizard.read(bad)
    trouble = find(find(wizard, QWidget, "file_page"), QWidget, "trouble")
    qtbot.waitUntil(trouble.isVisible)
    guide.read()
    assert not trouble.isVisible()


def test_a_bad_file_after_a_good_one_takes_the_good_one_back(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    guide.read()
    bad = tmp_path / "bad.fieldpost"
    bad.write_text("{", encoding="utf-8")
    wizard.read(bad)
    assert not guide.can(Button.NextButton)
    assert not find(wizard, QWidget, "summary").isVisible()


def test_a_file_beside_the_program_is_found_by_itself(
    station: Station, worker: Worker, nothing_beside_the_program: Path, qtbot: QtBot
) -> None:
    settings_file(nothing_beside_the_program)
    wizard = SetupWizard(station, worker)
    qtbot.addWidget(wizard)
    wizard.show()
    qtbot.waitUntil(lambda: guide.can(Button.NextButton))
    assert "office.fieldpost" in text(wizard, "file_hint")


def test_a_file_that_was_opened_goes_before_one_beside_the_program(
    station: Station, worker: Worker, nothing_beside_the_program: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    settings_file(nothing_beside_the_program)
    opened = settings_file(tmp_path, replace(SIGNED, name="Other office"), "other.fieldpost")
    wizard = SetupWizard(station, worker, opened)
    qtbot.addWidget(wizard)
    wizard.show()
    qtbot.waitUntil(lambda: guide.can(Button.NextButton))
    assert "other.fieldpost" in text(wizard, "file_hint")


def test_a_file_can_be_dropped_on_the_page(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    page = find(wizard, QWidget, "file_page")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(settings_file(tmp_path)))])
    buttons, keys, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    entering = QDragEnterEvent(QPoint(9, 9), copy, mime, buttons, keys)
    QApplication.sendEvent(page, entering)
    assert entering.isAccepted()
    assert "Let go" in text(wizard, "file_hint")
    QApplication.sendEvent(page, QDropEvent(QPointF(9, 9), copy, mime, buttons, keys))
    qtbot.waitUntil(lambda: guide.can(Button.NextButton))


@pytest.mark.parametrize(
    "urls", [["file:///photo.jpg"], ["file:///a.fieldpost", "file:///b.fieldpost"], ["http://x/a.fieldpost"]]
)
def test_nothing_else_can_be_dropped(wizard: SetupWizard, urls: list[str]) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl(url) for url in urls])
    event = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(find(wizard, QWidget, "file_page"), event)
    assert not event.isAccepted()


# name and password


def test_the_password_page_is_left_out_where_none_is_needed(
    wizard: SetupWizard, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    assert link.results
    guide.read(PROFILE)
    wizard.next()
    assert wizard.currentId() == PageId.TEST
    qtbot.waitUntil(lambda: guide.can(Button.FinishButton))


def test_the_user_name_comes_from_the_settings_file(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    password = guide.to_password()
    user = find(wizard, QLineEdit, "user_name")
    assert (user.text(), user.isReadOnly()) == ("van-7", True)
    assert not guide.can(Button.NextButton)
    password.setText(PASSWORD)
    assert guide.can(Button.NextButton)


def test_a_settings_file_for_everybody_asks_for_the_user_name(
    wizard: SetupWizard, station: Station, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    assert link.results
    guide.to_password(replace(SIGNED, sasl_username="")).setText(PASSWORD)
    assert not guide.can(Button.NextButton)
    find(wizard, QLineEdit, "user_name").setText(" van-8 ")
    wizard.next()
    qtbot.waitUntil(lambda: guide.can(Button.FinishButton))
    with qtbot.waitSignal(wizard.adopted):
        wizard.button(Button.FinishButton).click()
    assert station.profile is not None
    assert station.profile.sasl_username == "van-8"


def test_a_password_is_hidden_until_somebody_wants_to_see_it(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    password = guide.to_password()
    assert password.echoMode() is QLineEdit.EchoMode.Password
    find(wizard, QCheckBox, "show_password").setChecked(True)
    assert password.echoMode() is QLineEdit.EchoMode.Normal
    find(wizard, QCheckBox, "show_password").setChecked(False)
    assert password.echoMode() is QLineEdit.EchoMode.Password


@pytest.mark.parametrize("length", [MAX_UNITS, MAX_UNITS + 1])
def test_a_password_that_is_too_long_is_refused_in_plain_words_when_typing_ends(
    wizard: SetupWizard, tmp_path: Path, qtbot: QtBot, length: int
) -> None:
    password = guide.to_password()
    password.setText("x" * length)
    problem = find(wizard, QLabel, "password_problem")
    assert not problem.isVisible()
    qtbot.keyClick(password, Qt.Key.Key_Tab)
    find(wizard, QCheckBox, "show_password").setFocus()
    password.editingFinished.emit()
    fits = length <= MAX_UNITS
    assert problem.isVisible() is not fits
    assert guide.can(Button.NextButton) is fits
    assert fits or "too long" in problem.text()


def test_a_character_that_cannot_be_sent_is_refused(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    password = guide.to_password()
    password.setText("a\0b")
    password.editingFinished.emit()
    assert "cannot be sent" in text(wizard, "password_problem")
    assert not guide.can(Button.NextButton)


def test_it_is_said_where_the_password_is_kept(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    guide.to_password()
    assert "never in a file" in text(wizard, "password_place")


def test_going_back_forgets_the_password(wizard: SetupWizard, tmp_path: Path, qtbot: QtBot) -> None:
    guide.to_password().setText(PASSWORD)
    wizard.back()
    wizard.next()
    assert find(wizard, QLineEdit, "password").text() == ""


# test and finish


def test_finishing_sets_everything_up(
    wizard: SetupWizard, station: Station, studio: Studio, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    assert link.results
    guide.to_test()
    assert wizard.button(Button.FinishButton).text() == "&Finish"
    with qtbot.waitSignal(wizard.adopted) as adopted:
        wizard.button(Button.FinishButton).click()
    assert adopted.args == [Condition.RUNNING]
    qtbot.waitUntil(lambda: not wizard.isVisible())
    assert station.profile == SIGNED
    assert studio.vault.get(SIGNED.id) == Secret(PASSWORD)
    assert json.loads(station.paths.profile.read_text(encoding="utf-8"))["name"] == OFFICE
    assert PASSWORD not in "".join(field.text() for field in wizard.findChildren(QLineEdit))


def test_a_failed_test_can_be_finished_anyway(
    wizard: SetupWizard, station: Station, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    link.results = refused_at(Step.REACH, Code.NO_CONNECTION)
    guide.to_test()
    assert wizard.button(Button.FinishButton).text() == "&Finish anyway"
    assert "goes on trying" in text(wizard, "verdict")
    with qtbot.waitSignal(wizard.adopted):
        wizard.button(Button.FinishButton).click()
    assert station.condition is Condition.RUNNING


def test_cancelling_leaves_everything_as_it_was(
    wizard: SetupWizard, station: Station, studio: Studio, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    assert link.results
    guide.to_test()
    wizard.reject()
    assert station.profile is None
    assert not station.paths.profile.exists()
    assert studio.vault.get(SIGNED.id) is None


def test_a_keyring_that_fails_is_told_and_sending_begins_all_the_same(
    wizard: SetupWizard, station: Station, studio: Studio, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    assert link.results
    object.__setattr__(station._around, "vault", BrokenVault())
    assert studio.vault.get(SIGNED.id) is None
    guide.to_test()
    with qtbot.waitSignal(wizard.adopted) as adopted:
        wizard.button(Button.FinishButton).click()
    assert adopted.args == [Condition.RUNNING]
    page = find(wizard, QWidget, "test_page")
    assert wizard.isVisible()
    sentences = [label.text() for label in page.findChildren(QLabel, "trouble_sentence") if label.isVisible()]
    assert len(sentences) == 1
    assert "(K1)" in sentences[0]
    assert wizard.button(Button.FinishButton).text() == "&Close"
    assert not guide.can(Button.BackButton)
    wizard.button(Button.FinishButton).click()
    assert not wizard.isVisible()


def test_files_that_wait_for_another_office_keep_the_old_settings(
    tmp_path: Path, worker: Worker, link: Link, qtbot: QtBot
) -> None:
    assert link.results
    studio = Studio(tmp_path / "busy")
    studio.gate.held = True
    events: list[Event] = []
    station = studio.station(events.append)
    with closing(Store.open(studio.paths.journal)) as store:
        targets.bind(store, station.instance(PROFILE).target, studio.paths)
    assert station.start() is Condition.RUNNING
    station.add([str(studio.file("letter.txt"))])
    qtbot.waitUntil(lambda: any(isinstance(event, FileChanged) for event in events))
    wizard = SetupWizard(station, worker)
    qtbot.addWidget(wizard)
    wizard.show()
    guide.to_test()
    with qtbot.assertNotEmitted(wizard.adopted):
        wizard.button(Button.FinishButton).click()
        qtbot.waitUntil(lambda: guide.can(Button.FinishButton))
    assert wizard.isVisible()
    assert station.profile == PROFILE
    station.close()


def test_the_same_office_again_may_keep_its_password(
    wizard: SetupWizard, station: Station, studio: Studio, link: Link, tmp_path: Path, worker: Worker, qtbot: QtBot
) -> None:
    assert link.results
    guide.to_test()
    with qtbot.waitSignal(wizard.adopted):
        wizard.button(Button.FinishButton).click()
    again = SetupWizard(station, worker)
    qtbot.addWidget(again)
    again.show()
    password = go_to_password(again, tmp_path, qtbot)
    assert password.placeholderText() != ""
    again.next()
    qtbot.waitUntil(lambda: can(again, Button.FinishButton))
    with qtbot.waitSignal(again.adopted):
        again.button(Button.FinishButton).click()
    assert studio.vault.get(SIGNED.id) == Secret(PASSWORD)
    assert station.condition is Condition.RUNNING


def test_no_password_reaches_a_name_a_text_or_the_clipboard(
    wizard: SetupWizard, link: Link, tmp_path: Path, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    assert link.results
    caplog.set_level("DEBUG")
    QGuiApplication.clipboard().clear()
    guide.to_test()
    said = [label.text() + label.accessibleName() for label in wizard.findChildren(QLabel)]
    named = [child.objectName() + child.accessibleName() + child.toolTip() for child in wizard.findChildren(QWidget)]
    assert PASSWORD not in "".join((*said, *named, caplog.text, QGuiApplication.clipboard().text()))


def test_a_wizard_that_is_closed_while_the_test_runs_is_not_missed(
    station: Station, worker: Worker, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    link.hold_at = Step.SECURE
    wizard = SetupWizard(station, worker)
    wizard.show()
    guide.to_password().setText(PASSWORD)
    wizard.next()
    assert not guide.can(Button.FinishButton)
    with qtbot.waitSignal(wizard.destroyed):
        wizard.reject()
        wizard.deleteLater()
    link.go_on.set()


# beside the program


def test_the_first_settings_file_by_name_is_found(tmp_path: Path) -> None:
    for name in ("b.fieldpost", "A.FIELDPOST", "c.txt"):
        (tmp_path / name).touch()
    (tmp_path / "0.fieldpost").mkdir()
    assert found_file.first_in([tmp_path / "nowhere", tmp_path]) == tmp_path / "A.FIELDPOST"


def test_no_settings_file_is_no_error(tmp_path: Path) -> None:
    assert found_file.first_in([tmp_path, tmp_path / "nowhere"]) is None
