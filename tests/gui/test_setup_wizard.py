# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The set-up: nothing counts before Finish, and then everything does."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QFileDialog, QLabel, QLineEdit, QWidget, QWizard
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.link.check.check import Step
from fieldpost_desktop.engine.model.events import Event, FileChanged
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.vault import MAX_UNITS, MemoryVault
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.ui.connection import summary
from fieldpost_desktop.ui.setup import found_file
from fieldpost_desktop.ui.setup.wizard import PageId, SetupWizard
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.codes import Code
from fieldpost_shared.kafka.security import SaslMechanism, SecurityProtocol
from fieldpost_shared.secret import Secret
from support.gui.hands import click, find, text
from support.gui.setup import PASSWORD, SIGNED, BrokenVault, Link, refused_at
from support.gui.studio import OFFICE, PROFILE, Studio

# A wizard tells the screen how large it may be; the one that these tests have does not listen, and says so.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
Button = QWizard.WizardButton


def settings_file(folder: Path, profile: Profile = SIGNED, name: str = "office.fieldpost") -> Path:
    path = folder / name
    path.write_text(profile_file.dump(profile), encoding="utf-8")
    return path


@dataclass
class Guide:
    """Walks through the wizard as a person does."""

    wizard: SetupWizard
    folder: Path
    qtbot: QtBot

    def can(self, kind: Button) -> bool:
        button = self.wizard.button(kind)
        return button.isVisible() and button.isEnabled()

    def wait_for(self, kind: Button) -> None:
        self.qtbot.waitUntil(lambda: self.can(kind))

    def read(self, profile: Profile = SIGNED) -> None:
        self.wizard.read(settings_file(self.folder, profile))
        self.wait_for(Button.NextButton)

    def read_nonsense(self, content: str = "{") -> QWidget:
        path = self.folder / "bad.fieldpost"
        path.write_text(content, encoding="utf-8")
        self.wizard.read(path)
        trouble = find(find(self.wizard, QWidget, "file_page"), QWidget, "trouble")
        self.qtbot.waitUntil(trouble.isVisible)
        return trouble

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


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the program, where the wizard looks by itself."""
    made = tmp_path / "program"
    made.mkdir()
    monkeypatch.setattr(sys, "argv", [str(made / "fieldpost")])
    monkeypatch.setattr(sys, "executable", str(made / "python"))
    return made


@pytest.fixture(autouse=True)
def link(monkeypatch: pytest.MonkeyPatch) -> Link:
    return Link().install(monkeypatch)


@pytest.fixture
def vault() -> MemoryVault:
    return MemoryVault()


@pytest.fixture
def instance(tmp_path: Path, vault: MemoryVault) -> Iterator[AppInstance]:
    made = Studio(tmp_path, profile=None, vault=vault).instance(lambda _: None)
    assert made.start() is Condition.NOT_SET_UP
    yield made
    made.close()


@pytest.fixture
def worker(qapp: QApplication) -> Iterator[Worker]:  # noqa: ARG001 - Qt must be up
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def open_wizard(worker: Worker, tmp_path: Path, qtbot: QtBot) -> Callable[..., Guide]:
    def opened(instance: AppInstance, path: Path | None = None) -> Guide:
        wizard = SetupWizard(instance, worker, path)
        qtbot.addWidget(wizard)
        wizard.show()
        return Guide(wizard, tmp_path, qtbot)

    return opened


@pytest.fixture
def guide(instance: AppInstance, open_wizard: Callable[..., Guide]) -> Guide:
    return open_wizard(instance)


# the settings file


def test_a_settings_file_is_told_in_plain_words_before_it_counts(guide: Guide, instance: AppInstance) -> None:
    assert not guide.can(Button.NextButton)
    guide.read()
    said = [label.text() for label in find(guide.wizard, QWidget, "summary").findChildren(QLabel)]
    for words in (
        OFFICE,
        "127.0.0.1:9",
        "van-7",
        SIGNED.client_name(*profile_file.this_user_and_host()),
        "encrypted, with user name and password",
        "files up to 4 GB",
        "connections that cost money",
    ):
        assert words in said
    assert text(guide.wizard, "fingerprint") == SIGNED.fingerprint
    assert instance.profile is None
    assert not instance.paths.profile.exists()


@pytest.mark.parametrize(
    ("protocol", "mechanism", "words"),
    [
        ("PLAINTEXT", "SCRAM-SHA-512", "not encrypted, without user name and password"),
        ("SSL", "SCRAM-SHA-512", "encrypted, without user name and password"),
        ("SASL_PLAINTEXT", "PLAIN", "not encrypted, with user name and password"),
        ("SASL_SSL", "SCRAM-SHA-256", "encrypted, with user name and password"),
        ("SASL_SSL", "GSSAPI", "encrypted, with your sign-in to this computer"),
        ("SASL_PLAINTEXT", "GSSAPI", "not encrypted, with your sign-in to this computer"),
    ],
)
def test_security_is_told_in_plain_words(protocol: str, mechanism: str, words: str) -> None:
    profile = replace(PROFILE, security_protocol=SecurityProtocol(protocol), sasl_mechanism=SaslMechanism(mechanism))
    assert summary.security_words(profile) == words


def test_an_office_name_is_never_read_as_html(guide: Guide) -> None:
    guide.read(replace(SIGNED, name="<b>Head</b> office"))
    shown = [label for label in guide.wizard.findChildren(QLabel) if "<b>" in label.text()]
    assert shown
    assert {label.textFormat() for label in shown} == {Qt.TextFormat.PlainText}


@pytest.mark.parametrize(
    ("content", "label", "raw"), [("{", "P1", "not JSON"), ('{"version": 99}', "P2", "version 99")]
)
def test_a_file_that_cannot_be_used_is_told_with_the_raw_text_under_details(
    guide: Guide, content: str, label: str, raw: str
) -> None:
    trouble = guide.read_nonsense(content)
    assert f"({label})" in text(trouble, "trouble_sentence")
    assert raw not in text(trouble, "trouble_sentence")
    details = find(trouble, QLabel, "trouble_details")
    assert not details.isVisible()
    click(trouble, "trouble_more")
    assert details.isVisible()
    assert raw in details.text()
    assert not guide.can(Button.NextButton)


def test_a_good_file_after_a_bad_one_is_taken(guide: Guide) -> None:
    trouble = guide.read_nonsense()
    guide.read()
    assert not trouble.isVisible()


def test_a_bad_file_after_a_good_one_takes_the_good_one_back(guide: Guide) -> None:
    guide.read()
    guide.read_nonsense()
    assert not guide.can(Button.NextButton)
    assert not find(guide.wizard, QWidget, "summary").isVisible()


def test_a_file_beside_the_program_is_found_by_itself(
    instance: AppInstance, open_wizard: Callable[..., Guide], beside: Path
) -> None:
    settings_file(beside)
    guide = open_wizard(instance)
    guide.wait_for(Button.NextButton)
    assert "office.fieldpost" in text(guide.wizard, "file_hint")


def test_a_file_that_was_opened_goes_before_one_beside_the_program(
    instance: AppInstance, open_wizard: Callable[..., Guide], beside: Path, tmp_path: Path
) -> None:
    settings_file(beside)
    guide = open_wizard(instance, settings_file(tmp_path, name="other.fieldpost"))
    guide.wait_for(Button.NextButton)
    assert "other.fieldpost" in text(guide.wizard, "file_hint")


def test_a_file_that_is_opened_later_begins_the_set_up_again(guide: Guide, tmp_path: Path) -> None:
    guide.to_password()
    guide.wizard.read(settings_file(tmp_path, replace(SIGNED, name="Other office"), "other.fieldpost"))
    guide.wait_for(Button.NextButton)
    assert guide.wizard.currentId() == PageId.FILE
    assert "other.fieldpost" in text(guide.wizard, "file_hint")


def test_the_first_settings_file_by_name_is_found(tmp_path: Path) -> None:
    for name in ("b.fieldpost", "A.FIELDPOST", "c.txt"):
        (tmp_path / name).touch()
    (tmp_path / "0.fieldpost").mkdir()
    assert found_file.first_in([tmp_path / "nowhere", tmp_path]) == tmp_path / "A.FIELDPOST"
    assert found_file.first_in([tmp_path / "0.fieldpost"]) is None


def test_a_file_can_be_looked_for(guide: Guide, tmp_path: Path) -> None:
    click(guide.wizard, "browse")
    dialog = find(guide.wizard, QFileDialog, "look_for_file")
    assert any("*.fieldpost" in names for names in dialog.nameFilters())
    dialog.fileSelected.emit(str(settings_file(tmp_path)))
    dialog.reject()
    guide.wait_for(Button.NextButton)


def test_a_file_can_be_dropped_on_the_page(guide: Guide, tmp_path: Path) -> None:
    page = find(guide.wizard, QWidget, "file_page")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(settings_file(tmp_path)))])
    buttons, keys, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    entering = QDragEnterEvent(QPoint(9, 9), copy, mime, buttons, keys)
    QApplication.sendEvent(page, entering)
    assert entering.isAccepted()
    assert "Let go" in text(guide.wizard, "file_hint")
    QApplication.sendEvent(page, QDragLeaveEvent())
    assert "Drop the file here" in text(guide.wizard, "file_hint")
    QApplication.sendEvent(page, QDragEnterEvent(QPoint(9, 9), copy, mime, buttons, keys))
    QApplication.sendEvent(page, QDropEvent(QPointF(9, 9), copy, mime, buttons, keys))
    guide.wait_for(Button.NextButton)


@pytest.mark.parametrize(
    "urls", [["file:///photo.jpg"], ["file:///a.fieldpost", "file:///b.fieldpost"], ["http://x/a.fieldpost"]]
)
def test_nothing_else_can_be_dropped(guide: Guide, urls: list[str]) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl(url) for url in urls])
    event = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(find(guide.wizard, QWidget, "file_page"), event)
    assert not event.isAccepted()


# name and password


def test_the_password_page_is_left_out_where_none_is_needed(guide: Guide) -> None:
    guide.read(PROFILE)
    guide.wizard.next()
    assert guide.wizard.currentId() == PageId.TEST
    guide.wait_for(Button.FinishButton)


def test_the_user_name_comes_from_the_settings_file(guide: Guide) -> None:
    password = guide.to_password()
    user = find(guide.wizard, QLineEdit, "user_name")
    assert (user.text(), user.isReadOnly()) == ("van-7", True)
    assert not guide.can(Button.NextButton)
    password.setText(PASSWORD)
    assert guide.can(Button.NextButton)


def test_a_settings_file_without_a_user_name_asks_for_it(guide: Guide, instance: AppInstance) -> None:
    guide.to_password(replace(SIGNED, sasl_username="")).setText(PASSWORD)
    assert not guide.can(Button.NextButton)
    find(guide.wizard, QLineEdit, "user_name").setText(" van-8 ")
    guide.wizard.next()
    guide.wait_for(Button.FinishButton)
    guide.finish()
    assert instance.profile == replace(SIGNED, sasl_username="van-8")


def test_a_user_name_that_was_typed_can_be_typed_again(guide: Guide) -> None:
    guide.to_password(replace(SIGNED, sasl_username="")).setText(PASSWORD)
    find(guide.wizard, QLineEdit, "user_name").setText("van-8")
    guide.wizard.next()
    guide.wait_for(Button.FinishButton)
    guide.wizard.back()
    guide.wizard.back()
    guide.wizard.next()
    assert not find(guide.wizard, QLineEdit, "user_name").isReadOnly()


def test_a_password_is_hidden_until_a_person_shows_it(guide: Guide) -> None:
    password = guide.to_password()
    assert password.echoMode() is QLineEdit.EchoMode.Password
    find(guide.wizard, QCheckBox, "show_password").setChecked(True)
    assert password.echoMode() is QLineEdit.EchoMode.Normal
    find(guide.wizard, QCheckBox, "show_password").setChecked(False)
    assert password.echoMode() is QLineEdit.EchoMode.Password


@pytest.mark.parametrize(
    ("typed", "fits"),
    [("x" * MAX_UNITS, True), ("x" * (MAX_UNITS + 1), False), ("😀" * (MAX_UNITS // 2 + 1), False)],
)
def test_a_password_that_is_too_long_is_refused_in_plain_words_when_typing_ends(
    guide: Guide, typed: str, fits: bool
) -> None:
    password = guide.to_password()
    password.setText(typed)
    problem = find(guide.wizard, QLabel, "password_problem")
    assert not problem.isVisible()
    password.editingFinished.emit()
    assert problem.isVisible() is not fits
    assert guide.can(Button.NextButton) is fits
    assert fits or "too long" in problem.text()


def test_a_character_that_cannot_be_sent_is_refused(guide: Guide) -> None:
    password = guide.to_password()
    password.setText("a\0b")
    password.editingFinished.emit()
    assert "cannot be sent" in text(guide.wizard, "password_problem")
    assert not guide.can(Button.NextButton)


def test_it_is_said_where_the_password_is_kept(guide: Guide) -> None:
    guide.to_password()
    assert "never in a file" in text(guide.wizard, "password_place")


def test_going_back_forgets_the_password(guide: Guide) -> None:
    guide.to_password().setText(PASSWORD)
    guide.wizard.back()
    guide.wizard.next()
    assert find(guide.wizard, QLineEdit, "password").text() == ""


# test and finish


def test_finishing_sets_everything_up(guide: Guide, instance: AppInstance, vault: MemoryVault) -> None:
    guide.to_test()
    assert guide.wizard.button(Button.FinishButton).text() == "&Finish"
    assert guide.finish() is Condition.RUNNING
    assert not guide.wizard.isVisible()
    assert instance.profile == SIGNED
    assert vault.get(SIGNED.id) == Secret(PASSWORD)
    assert json.loads(instance.paths.profile.read_text(encoding="utf-8"))["name"] == OFFICE
    assert PASSWORD not in "".join(field.text() for field in guide.wizard.findChildren(QLineEdit))


def test_nothing_can_be_finished_while_the_test_runs(guide: Guide, link: Link) -> None:
    link.hold_at = Step.SECURE
    guide.to_password().setText(PASSWORD)
    guide.wizard.next()
    assert not guide.can(Button.FinishButton)
    link.go_on.set()
    guide.wait_for(Button.FinishButton)


def test_a_failed_test_can_be_finished_anyway(guide: Guide, instance: AppInstance, link: Link) -> None:
    link.results = refused_at(Step.REACH, Code.NO_CONNECTION)
    guide.to_test()
    assert guide.wizard.button(Button.FinishButton).text() == "&Finish anyway"
    assert "goes on trying" in text(guide.wizard, "verdict")
    guide.finish()
    assert instance.condition is Condition.RUNNING


def test_cancelling_leaves_everything_as_it_was(guide: Guide, instance: AppInstance, vault: MemoryVault) -> None:
    guide.to_test()
    guide.wizard.reject()
    assert instance.profile is None
    assert not instance.paths.profile.exists()
    assert vault.get(SIGNED.id) is None


@pytest.mark.parametrize("vault", [BrokenVault()])
def test_a_keyring_that_fails_is_told_and_sending_begins_all_the_same(guide: Guide, instance: AppInstance) -> None:
    guide.to_test()
    assert guide.finish() is Condition.RUNNING
    assert instance.condition is Condition.RUNNING
    page = find(guide.wizard, QWidget, "test_page")
    sentences = [label.text() for label in page.findChildren(QLabel, "trouble_sentence") if label.isVisible()]
    assert len(sentences) == 1
    assert "(K1)" in sentences[0]
    assert guide.wizard.button(Button.FinishButton).text() == "&Close"
    assert not guide.can(Button.BackButton)
    guide.wizard.button(Button.FinishButton).click()
    assert not guide.wizard.isVisible()


def test_files_that_wait_for_another_office_keep_the_old_settings(
    tmp_path: Path, open_wizard: Callable[..., Guide], qtbot: QtBot
) -> None:
    studio = Studio(tmp_path / "busy")
    studio.gate.held = True
    events: list[Event] = []
    instance = studio.instance(events.append)
    with closing(Store.open(studio.paths.journal)) as store:
        targets.bind(store, instance.spec_for(PROFILE).target, studio.paths)
    assert instance.start() is Condition.RUNNING
    instance.add(DroppedFiles.of([str(studio.file("letter.txt"))]))
    qtbot.waitUntil(lambda: any(isinstance(event, FileChanged) for event in events))
    guide = open_wizard(instance)
    guide.to_test()
    with qtbot.assertNotEmitted(guide.wizard.adopted):
        guide.wizard.button(Button.FinishButton).click()
        guide.wait_for(Button.FinishButton)
    assert guide.wizard.isVisible()
    assert instance.profile == PROFILE
    instance.close()


def test_the_same_office_again_may_keep_its_password(
    guide: Guide, instance: AppInstance, vault: MemoryVault, open_wizard: Callable[..., Guide]
) -> None:
    guide.to_test()
    guide.finish()
    again = open_wizard(instance)
    assert again.to_password().placeholderText() != ""
    again.wizard.next()
    again.wait_for(Button.FinishButton)
    assert again.finish() is Condition.RUNNING
    assert vault.get(SIGNED.id) == Secret(PASSWORD)


def test_no_password_reaches_a_name_a_text_the_log_or_the_clipboard(
    guide: Guide, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    QGuiApplication.clipboard().clear()
    guide.to_test()
    said = [label.text() for label in guide.wizard.findChildren(QLabel)]
    named = [
        child.objectName() + child.accessibleName() + child.toolTip() for child in guide.wizard.findChildren(QWidget)
    ]
    guide.finish()
    assert PASSWORD not in "".join((*said, *named, caplog.text, QGuiApplication.clipboard().text()))


def test_a_wizard_may_be_closed_while_the_test_runs(
    instance: AppInstance, worker: Worker, link: Link, tmp_path: Path, qtbot: QtBot
) -> None:
    link.hold_at = Step.SECURE
    wizard = SetupWizard(instance, worker)
    wizard.show()
    Guide(wizard, tmp_path, qtbot).to_password().setText(PASSWORD)
    wizard.next()
    with qtbot.waitSignal(wizard.destroyed):
        wizard.reject()
        wizard.deleteLater()
    link.go_on.set()
    done: list[bool] = []
    worker.run(lambda: True, done.append)
    qtbot.waitUntil(lambda: done == [True])
