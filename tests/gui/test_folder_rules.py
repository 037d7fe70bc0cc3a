# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A folder's rules: said in one line, typed in plain words, and never changed by only looking at them."""

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QRadioButton, QSpinBox
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.journal.folders import Folder, Waiting
from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_desktop.engine.watching.folder_kind import FolderPreview, FolderView
from fieldpost_desktop.ui.folders import folder_text, patterns
from fieldpost_desktop.ui.folders.rules_dialog import AddFolderDialog
from fieldpost_desktop.ui.folders.rules_form import RulesForm
from fieldpost_shared.codes import Code
from support.gui.hands import find

ALL = FolderRules(
    include=("*.jpg", "a,b.pdf"),
    exclude=("draft*", "raw/"),
    subfolders=False,
    minimum_age_s=5400,
    after=After.MOVE,
    move_to="Done",
    label="Van 7",
    take_existing=False,
)


def _form(qtbot: QtBot, rules: FolderRules, *, may_delete: bool = True) -> RulesForm:
    made = RulesForm(rules, may_delete=may_delete)
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    "rules",
    [
        FolderRules(),
        ALL,
        FolderRules(minimum_age_s=7200),
        FolderRules(minimum_age_s=90),
        FolderRules(after=After.DELETE),
    ],
)
def test_untouched_rules_stay_as_they_are(qtbot: QtBot, rules: FolderRules) -> None:
    assert _form(qtbot, rules).rules() == rules


def test_what_a_person_changes_is_read(qtbot: QtBot) -> None:
    form = _form(qtbot, FolderRules())
    with qtbot.waitSignal(form.changed):
        find(form, QLineEdit, "include").setText("*.jpg, .pdf")
    find(form, QLineEdit, "exclude").setText("draft*")
    find(form, QCheckBox, "subfolders").setChecked(False)
    find(form, QComboBox, "age_unit").setCurrentIndex(1)
    find(form, QSpinBox, "age").setValue(2)
    find(form, QRadioButton, "delete").setChecked(True)
    find(form, QLineEdit, "label").setText(" Van 7 ")
    assert form.rules() == FolderRules(
        include=("*.jpg", "*.pdf"),
        exclude=("draft*",),
        subfolders=False,
        minimum_age_s=7200,
        after=After.DELETE,
        label="Van 7",
    )


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("include", "../x", "Only these files"),
        ("exclude", "/", "Leave out"),
        ("move_to", "a/b", "The folder for sent files"),
        ("label", "a\\b", "The name to file them under"),
    ],
)
def test_what_cannot_be_used_is_said_by_its_label(qtbot: QtBot, field: str, typed: str, said: str) -> None:
    form = _form(qtbot, FolderRules(after=After.MOVE))
    assert form.problem() == ""
    find(form, QLineEdit, field).setText(typed)
    assert said in form.problem()


def test_an_age_beyond_thirty_days_cannot_be_set(qtbot: QtBot) -> None:
    form = _form(qtbot, FolderRules())
    find(form, QSpinBox, "age").setValue(10**6)
    assert form.rules().minimum_age_s == 30 * 86_400
    find(form, QComboBox, "age_unit").setCurrentIndex(1)
    assert form.rules().minimum_age_s == 30 * 86_400


def test_the_name_of_the_subfolder_is_asked_for_only_when_files_are_moved(qtbot: QtBot) -> None:
    form = _form(qtbot, FolderRules())
    target = find(form, QLineEdit, "move_to")
    assert not target.isEnabled()
    find(form, QRadioButton, "move").setChecked(True)
    assert target.isEnabled()
    target.setText("")
    assert form.rules().move_to == "Sent"


def test_deleting_that_is_not_allowed_any_more_becomes_keeping(qtbot: QtBot) -> None:
    assert _form(qtbot, FolderRules(after=After.DELETE), may_delete=False).rules().after is After.KEEP


def test_the_question_about_files_already_there_comes_first_by_tab(qtbot: QtBot) -> None:
    dialog = AddFolderDialog(FolderPreview("photos", 3, 10, complete=True), FolderRules(), may_delete=False)
    qtbot.addWidget(dialog)
    order = []
    at = dialog.nextInFocusChain()
    while at is not None and at is not dialog:
        order.append(at.objectName())
        at = at.nextInFocusChain()
    assert order.index("existing_yes") < order.index("include") < order.index("label") < order.index("ok")


def test_no_word_is_cut_off_where_there_is_little_room(qtbot: QtBot) -> None:
    dialog = AddFolderDialog(FolderPreview("photos", 3, 10, complete=True), FolderRules(), may_delete=True)
    qtbot.addWidget(dialog)
    dialog.resize(330, 300)
    dialog.show()
    labels = [label for label in dialog.findChildren(QLabel) if label.isVisible() and label.wordWrap()]
    assert len(labels) > 3
    for label in labels:
        assert label.height() >= label.heightForWidth(label.width()), label.text()


@pytest.mark.parametrize(
    "given", [(), ("*.jpg",), ("*.jpg", "*.pdf"), ("a, b.txt", "raw/"), ("photos/**/*.tif", "[ab]*.doc")]
)
def test_patterns_come_back_as_they_were_written(given: tuple[str, ...]) -> None:
    assert patterns.read(patterns.write(given)) == given


def test_a_bare_extension_means_all_files_that_have_it() -> None:
    assert patterns.read(" .jpg,, *.jpg , .tar.gz") == ("*.jpg", ".tar.gz")


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (FolderRules(), "All files, with subfolders; after confirmation: keep"),
        (
            ALL,
            (
                'Only *.jpg, "a,b.pdf", but not draft*, raw/, without subfolders, at least 90 minute(s) old,'
                " filed under “Van 7”; after confirmation: move to “Done”"
            ),
        ),
        (
            FolderRules(minimum_age_s=7200, after=After.DELETE),
            "All files, with subfolders, at least 2 hour(s) old; after confirmation: delete",
        ),
        (
            FolderRules(minimum_age_s=90),
            "All files, with subfolders, at least 90 second(s) old; after confirmation: keep",
        ),
    ],
)
def test_rules_are_one_readable_line(rules: FolderRules, line: str) -> None:
    assert folder_text.rules_line(rules) == line


def _view(
    *,
    waiting: Waiting | None = None,
    rules: FolderRules | None = None,
    enabled: bool = True,
    scanned_ns: int | None = 1,
    code: Code | None = None,
    detail: str = "",
) -> FolderView:
    folder = Folder(1, "photos", rules or FolderRules(), enabled, 0, scanned_ns, code, detail)
    return FolderView(folder, waiting or Waiting())


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (_view(enabled=False, code=Code.FOLDER_GONE), "Switched off. New files are not noticed."),
        (_view(code=Code.FOLDER_GONE), "The folder is not there. Fieldpost goes on looking for it."),
        (_view(code=Code.FILE_UNREADABLE, detail="raw (Denied)"), "Not all of it can be read: raw (Denied)."),
        (_view(code=Code.FILE_UNREADABLE), "Not all of it can be read. Fieldpost tries again by itself."),
        (_view(scanned_ns=None), "Being checked for the first time…"),
    ],
)
def test_a_folder_says_how_it_is(view: FolderView, sentence: str) -> None:
    assert folder_text.state_sentence(view) == sentence


@pytest.mark.parametrize(
    ("view", "end"),
    [
        (_view(waiting=Waiting(3)), ", 3 waiting (still being written)"),
        (_view(waiting=Waiting(3, 2)), ", 3 waiting (2 open in another program)"),
        (
            _view(waiting=Waiting(3), rules=FolderRules(minimum_age_s=60)),
            ", 3 waiting (still being written, or not old enough)",
        ),
    ],
)
def test_waiting_files_are_counted_with_their_reason(view: FolderView, end: str) -> None:
    sentence = folder_text.state_sentence(view)
    assert sentence.startswith("Last checked ")
    assert sentence.endswith(end)


def test_nothing_waiting_needs_no_words() -> None:
    assert "," not in folder_text.state_sentence(_view())
