# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The question before much is sent: only when it is much, live while it counts, and no means no."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.environment import AppEnvironment
from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile.vault import MemoryVault
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.engine.sources.preview import Preview
from fieldpost_desktop.ui.dialogs.send_question import SendQuestion
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.gui.hands import click, find, is_gone, let_everything_come_back, text
from support.gui.studio import Studio


class CountingInstance(AppInstance):
    """Counts as the test says: tells `before`, waits to be let on, answers `after`."""

    def __init__(self, studio: Studio) -> None:
        super().__init__(AppEnvironment(paths=studio.paths, vault=MemoryVault(), clock=studio.clock), lambda _: None)
        self.before = Preview()
        self.after: Preview | FieldpostError = Preview(complete=True)
        self.go_on = threading.Event()
        self.was_stopped = threading.Event()

    def count(self, paths: Sequence[str], found: DroppedFiles, going_on: Callable[[Preview], bool]) -> Preview:
        del paths, found
        going_on(self.before)
        self.go_on.wait(10)
        if not going_on(self.before):
            self.was_stopped.set()
            return self.before
        if isinstance(self.after, FieldpostError):
            raise self.after
        return self.after


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def instance(studio: Studio) -> Iterator[CountingInstance]:
    made = CountingInstance(studio)
    yield made
    made.go_on.set()


@pytest.fixture
def question(instance: CountingInstance, worker: Worker, qtbot: QtBot) -> SendQuestion:
    made = SendQuestion(instance, worker, ["photos"], count=instance.count)
    qtbot.addWidget(made)
    return made


def _words(question: SendQuestion) -> str:
    return text(question, "question")


def _send(question: SendQuestion) -> QPushButton:
    return find(question, QPushButton, "send")


def test_little_is_sent_without_a_question(studio: Studio, worker: Worker, qtbot: QtBot) -> None:
    paths = [str(studio.file(name)) for name in ("a.jpg", "b.jpg")]
    question = SendQuestion(studio.instance(lambda _: None), worker, paths)
    qtbot.addWidget(question)
    with qtbot.waitSignal(question.accepted):
        question.begin()
    assert not question.isVisible()


def test_more_than_a_hundred_files_are_asked_about(studio: Studio, worker: Worker, qtbot: QtBot) -> None:
    for number in range(101):
        studio.file(f"many/{number}.txt", size=10)
    question = SendQuestion(studio.instance(lambda _: None), worker, [str(studio.folder / "sources" / "many")])
    qtbot.addWidget(question)
    question.begin()
    qtbot.waitUntil(lambda: question.isVisible() and _send(question).isEnabled())
    assert _words(question) == "Send 101 file(s) (1 kB)?"
    with qtbot.waitSignal(question.accepted):
        click(question, "send")


def test_more_than_a_gigabyte_is_asked_about(instance: CountingInstance, question: SendQuestion, qtbot: QtBot) -> None:
    instance.after = Preview(files=2, size=1_200_000_000, refused=3, complete=True)
    instance.go_on.set()
    question.begin()
    qtbot.waitUntil(question.isVisible)
    assert _words(question) == "Send 2 file(s) (1.2 GB)?"
    assert text(question, "note") == "3 more file(s) cannot be sent; the list will say why."


def test_the_count_is_shown_while_it_goes_on_and_cannot_be_accepted_yet(
    instance: CountingInstance, question: SendQuestion, qtbot: QtBot
) -> None:
    instance.before = Preview(files=200, size=3_000_000)
    question.begin()
    qtbot.waitUntil(question.isVisible)
    assert _words(question) == "Counting… 200 file(s) (3 MB) so far."
    assert find(question, QProgressBar, "counting").isVisible()
    assert not _send(question).isEnabled()
    instance.after = Preview(files=214, size=3_500_000, complete=True)
    instance.go_on.set()
    qtbot.waitUntil(_send(question).isEnabled)
    assert _words(question) == "Send 214 file(s) (3.5 MB)?"
    assert not find(question, QProgressBar, "counting").isVisible()


def test_slow_counting_shows_itself_even_if_it_is_little(
    instance: CountingInstance, question: SendQuestion, qtbot: QtBot
) -> None:
    question.begin()
    qtbot.waitUntil(question.isVisible)
    instance.after = Preview(files=1, size=1, complete=True)
    with qtbot.waitSignal(question.accepted):
        instance.go_on.set()


def test_cancel_ends_the_counting_and_nothing_is_sent(
    instance: CountingInstance, question: SendQuestion, qtbot: QtBot
) -> None:
    instance.before = Preview(files=200, size=3_000_000)
    question.begin()
    qtbot.waitUntil(question.isVisible)
    accepted: list[bool] = []
    question.accepted.connect(lambda: accepted.append(True))
    with qtbot.waitSignal(question.rejected):
        click(question, "cancel")
    instance.go_on.set()
    qtbot.waitUntil(instance.was_stopped.is_set)
    assert not accepted
    assert not question.isVisible()


def test_an_answer_to_a_dialog_that_is_gone_does_no_harm(
    instance: CountingInstance, worker: Worker, qtbot: QtBot
) -> None:
    question = SendQuestion(instance, worker, ["photos"], count=instance.count)
    question.finished.connect(question.deleteLater)
    question.begin()
    question.reject()
    qtbot.waitUntil(lambda: is_gone(question))
    instance.go_on.set()
    qtbot.waitUntil(instance.was_stopped.is_set)
    let_everything_come_back(worker, qtbot)  # a call into a deleted dialog would raise
    assert instance.was_stopped.is_set()


def test_an_empty_folder_is_said_to_be_empty(studio: Studio, worker: Worker, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    question = SendQuestion(studio.instance(lambda _: None), worker, [str(tmp_path / "empty")])
    qtbot.addWidget(question)
    question.begin()
    qtbot.waitUntil(question.isVisible)
    assert _words(question) == "There is nothing to send in there."
    assert find(question, QDialogButtonBox, "buttons").standardButtons() == QDialogButtonBox.StandardButton.Close


def test_a_failure_is_said_in_words(instance: CountingInstance, question: SendQuestion, qtbot: QtBot) -> None:
    instance.after = FieldpostError(Code.DRIVE_GONE)
    instance.go_on.set()
    question.begin()
    qtbot.waitUntil(question.isVisible)
    assert "The drive is not there." in _words(question)
