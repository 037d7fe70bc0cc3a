# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import translations
from translatable import Message, Reading, read

# Calls whose text a person reads or hears.
SHOWING = frozenset(
    """
    addAction addButton addItem addItems addMenu addPage addRow addTab insertItem setAccessibleDescription
    setAccessibleName setButtonText setDetailedText setHeaderLabels setHorizontalHeaderLabels setInformativeText
    setItemText setPlaceholderText setPrefix setSpecialValueText setStatusTip setSubTitle setSuffix setText setTitle
    setToolTip setWhatsThis setWindowTitle showMessage
    QAction QCheckBox QCommandLinkButton QGroupBox QLabel QListWidgetItem QMenu QMessageBox QPushButton QRadioButton
    QStandardItem QTableWidgetItem QToolButton QTreeWidgetItem
    about critical getExistingDirectory getOpenFileName getOpenFileNames getSaveFileName getText information question
    warning
    """.split()  # noqa: SIM905 - one word each, and readable
)
SHOWING_KEYWORDS = frozenset(
    """
    accessibleDescription accessibleName detailedText informativeText placeholderText prefix statusTip subTitle suffix
    text title toolTip whatsThis windowTitle
    """.split()  # noqa: SIM905 - one word each, and readable
)
TAGS = re.compile(r"<[^<>]*>|&\w+;")
LOGS = frozenset({"_LOG", "log", "logger"})
SAME_EVERYWHERE = frozenset({"Fieldpost", "SHA-256", "Deutsch", "English"})


def test_every_text_of_the_window_is_translated_and_the_files_are_up_to_date() -> None:
    reading = translations.gather()
    assert [*reading.problems, *translations.amiss(reading.messages)] == []


def test_no_text_that_a_person_reads_escapes_translation() -> None:
    found = [
        f"{path.name}:{line}" for path in translations.UI.rglob("*.py") for line in raw_texts(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        'label.setText("Not sent")',
        'QLabel("Not sent", self)',
        'label.setText(f"{n} files")',
        'QLineEdit(self, placeholderText="Search")',
        'menu.addAction(icon, "Quit", self.quit)',
        'label.setText("Sent" if sent else other)',
        'label.setText("Total: " + total)',
        'QMessageBox.question(self, "Quit", words)',
    ],
)
def test_a_raw_text_is_noticed(code: str) -> None:
    assert list(raw_texts(code)) == [1]


@pytest.mark.parametrize(
    "code",
    [
        'label.setText(self.tr("Not sent"))',
        'label.setText("")',
        'label.setText(f"{a} · {b}")',
        'label.setText("Fieldpost")',
        'label.setText(f"<b>{title}</b> {text}")',
        'QLabel(self, objectName="hint")',
        'label.setText(self.tr("{n} files").format(n=3))',
        '_LOG.warning("cannot be read")',
        'label.setText(names["status"])',
        'label.setText(wording.words(code, "office"))',
    ],
)
def test_what_no_person_reads_or_every_language_shares_may_be_raw(code: str) -> None:
    assert list(raw_texts(code)) == []


def raw_texts(code: str) -> Iterator[int]:
    """The lines where a raw text is shown."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            shown = [word.value for word in node.keywords if word.arg in SHOWING_KEYWORDS]
            if _name(node.func) in SHOWING and not _logs(node.func):
                shown += node.args
            if any(_is_raw(argument) for argument in shown):
                yield node.lineno


def _name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _logs(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id in LOGS


def _is_raw(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return any(char.isalpha() for char in TAGS.sub("", text)) and text not in SAME_EVERYWHERE
        case ast.JoinedStr(values=parts):
            return any(isinstance(part, ast.Constant) and _is_raw(part) for part in parts)
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            return _is_raw(left) or _is_raw(right)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return any(_is_raw(item) for item in items)
        case _:
            return False


def reading_of(tmp_path: Path, code: str) -> Reading:
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    return read(tmp_path.glob("*.py"), frozenset({"codes"}))


def test_texts_are_found_with_their_class_their_comment_and_their_plural(tmp_path: Path) -> None:
    code = """
class Page(QWidget):
    class Inner(QWidget):
        def say(self):
            return self.tr("Within")
    def say(self, n):
        self.tr("One " "text "
                "only")
        self.tr("Open", "a file")
        self.tr("%n file(s)", "", n)
        self.tr("%n part(s)", n=n)
def words(n):
    QCoreApplication.translate("page", "%Ln day(s)", None, n)
    translate("page", "Once"), translate("page", "Once")
"""
    reading = reading_of(tmp_path, code)
    assert reading.problems == []
    assert reading.messages == [
        Message("Inner", "Within"),
        Message("Page", "One text only"),
        Message("Page", "Open", "a file"),
        Message("Page", "%n file(s)", plural=True),
        Message("Page", "%n part(s)", plural=True),
        Message("page", "%Ln day(s)", plural=True),
        Message("page", "Once"),
    ]


@pytest.mark.parametrize(
    "call",
    [
        'self.tr(f"{n} files")',
        'self.tr("a" + "b")',
        'self.tr("a" if n else "b")',
        "self.tr(words)",
        'self.tr("%n files")',
        'other.tr("Text")',
        'QCoreApplication.translate(context, "Text")',
        'QCoreApplication.translate("page", words)',
        'translate("page", "%n file(s)")',
    ],
)
def test_a_text_that_would_get_lost_is_a_problem(tmp_path: Path, call: str) -> None:
    reading = reading_of(tmp_path, f"class Page(QWidget):\n    def say(self, n):\n        {call}\n")
    assert [problem.partition(": ")[0] for problem in reading.problems] == ["page.py:3"]
    assert reading.messages == []


def test_a_plural_that_a_subclass_would_not_find_is_a_problem(tmp_path: Path) -> None:
    code = 'class A(QWidget):\n    def say(self, n):\n        self.tr("%n x(s)", "", n)\nclass B(A):\n    pass\n'
    assert len(reading_of(tmp_path, code).problems) == 1


def test_a_text_of_a_table_need_not_be_a_literal_where_it_is_used(tmp_path: Path) -> None:
    assert reading_of(tmp_path, 'QCoreApplication.translate("codes", row.words)') == Reading()


def test_a_translation_stays_when_texts_come_and_goes_with_its_own(tmp_path: Path) -> None:
    german = tmp_path / "fieldpost_de.ts"
    old, new = Message("Page", "Open…"), Message("Page", "%n file(s)", plural=True)
    translations.update([old], tmp_path)
    text = german.read_text("utf-8").replace(' type="unfinished"></translation>', ">Öffnen…</translation>")
    german.write_text(text, encoding="utf-8", newline="\n")
    assert list(translations.faults(german)) == []

    translations.update([old, new], tmp_path)
    assert "Öffnen…" in german.read_text("utf-8")
    assert list(translations.faults(german)) == ["Page: '%n file(s)' is not translated"]

    translations.update([new], tmp_path)
    assert "Öffnen…" not in german.read_text("utf-8")


def test_files_that_are_behind_the_sources_are_noticed(tmp_path: Path) -> None:
    translations.update([Message("Page", "Old")], tmp_path)
    found = list(translations.amiss([Message("Page", "New")], tmp_path))
    assert "fieldpost_de.ts is not up to date: make translations" in found


def test_a_plural_of_english_is_wanted_too(tmp_path: Path) -> None:
    translations.update([Message("Page", "Plain"), Message("Page", "%n file(s)", plural=True)], tmp_path)
    assert list(translations.faults(tmp_path / "fieldpost_en.ts")) == ["Page: '%n file(s)' is not translated"]


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("Sent.", ""),
        ("Sent.", "  "),
        ("{n} of {all}", "{n} von {alle}"),
        ("%n file(s)", "Dateien"),
        ("{n} and {n}", "{n}"),
        ("&Open", "Öffnen"),
        ("Open", "&Öffnen"),
        ("Open…", "Öffnen"),
        ("Sent.", "Gesendet"),
        ("Name: ", "Name:"),
        ("One\ntwo", "Eins zwei"),
    ],
)
def test_a_translation_unlike_its_source_is_noticed(source: str, translation: str) -> None:
    assert len(list(translations.differences(source, translation))) == 1


@pytest.mark.parametrize(
    ("source", "translation"),
    [("{a} of {b}", "{b}, davon {a}"), ("&Open…", "Ö&ffnen…"), ("R&D && more", "F&E && mehr"), ("“x”", "„x“")],
)
def test_a_translation_may_differ_in_order_and_letters(source: str, translation: str) -> None:
    assert list(translations.differences(source, translation)) == []
