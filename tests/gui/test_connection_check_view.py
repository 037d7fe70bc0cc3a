# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The connection test on the screen: each step as it ends, and what to do at the first that fails."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QProgressBar, QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.link.check.check import Step
from fieldpost_desktop.ui.connection.check_view import CheckView
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon
from fieldpost_shared.codes import Code
from fieldpost_shared.secret import Secret
from support.gui.hands import click, find, text
from support.gui.setup import SIGNED, Link, refused_at
from support.gui.studio import PROFILE, Studio

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # said by the screen that these tests have


@pytest.fixture
def link(monkeypatch: pytest.MonkeyPatch) -> Link:
    return Link().install(monkeypatch)


@pytest.fixture
def instance(tmp_path: Path) -> AppInstance:
    return Studio(tmp_path, profile=None).instance(lambda _: None)


@pytest.fixture
def worker(qapp: QApplication) -> Iterator[Worker]:  # noqa: ARG001 - Qt must be up
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def view(instance: AppInstance, worker: Worker, qtbot: QtBot) -> CheckView:
    made = CheckView(instance, worker)
    qtbot.addWidget(made)
    made.show()
    return made


def sign(view: CheckView, step: Step) -> IconName | None:
    shown = find(view, TonedIcon, f"link_{step}_sign")
    return shown.name if shown.isVisible() else None


def run(view: CheckView, qtbot: QtBot) -> bool:
    with qtbot.waitSignal(view.finished) as finished:
        view.start(PROFILE, None)
    assert finished.args is not None
    return bool(finished.args[0])


@pytest.mark.usefixtures("link")
def test_a_test_that_goes_well_has_seven_ticks_and_its_time(view: CheckView, qtbot: QtBot) -> None:
    assert run(view, qtbot)
    assert {sign(view, step) for step in Step} == {IconName.TICK}
    assert text(view, "link_total").startswith("Everything works. It took 0")
    assert not find(view, QWidget, "trouble").isVisible()


def test_the_first_cross_comes_with_code_and_advice_and_the_rest_is_skipped(
    view: CheckView, link: Link, qtbot: QtBot
) -> None:
    link.results = refused_at(Step.SIGN_IN, Code.SIGN_IN_REFUSED, "SASL: no")
    assert not run(view, qtbot)
    assert [sign(view, step) for step in Step] == [IconName.TICK] * 3 + [IconName.CROSS] + [None] * 3
    assert "(A1)" in text(view, "trouble_sentence")
    assert text(view, "link_sign_in_result") == "Failed"
    assert text(view, "link_office_result") == "Not tried"
    click(view, "trouble_more")
    assert "SASL: no" in text(view, "trouble_details")


def test_the_step_that_runs_is_shown_and_nothing_can_be_started_meanwhile(
    view: CheckView, link: Link, qtbot: QtBot
) -> None:
    link.hold_at = Step.SECURE
    view.start(PROFILE, None)
    assert view.running
    qtbot.waitUntil(lambda: sign(view, Step.SECURE) is IconName.WAIT)
    assert [sign(view, step) for step in (Step.FIND, Step.REACH, Step.SIGN_IN)] == [IconName.TICK, IconName.TICK, None]
    assert not find(view, QAbstractButton, "test_again").isEnabled()
    assert find(view, QProgressBar, "link_progress").isVisible()
    with qtbot.waitSignal(view.finished):
        link.go_on.set()
    assert not find(view, QProgressBar, "link_progress").isVisible()
    assert not view.running


def test_testing_again_forgets_what_failed_before(view: CheckView, link: Link, qtbot: QtBot) -> None:
    good = link.results
    link.results = refused_at(Step.FIND, Code.SERVER_NOT_FOUND)
    assert not run(view, qtbot)
    link.results = good
    with qtbot.waitSignal(view.finished) as finished:
        click(view, "test_again")
    assert finished.args == [True]
    assert not find(view, QWidget, "trouble").isVisible()


def test_a_test_without_a_password_says_so(view: CheckView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.finished) as finished:
        view.start(SIGNED, None)
    assert finished.args == [False]
    assert find(view, QWidget, "trouble").isVisible()
    assert [sign(view, step) for step in Step] == [None] * 7


def test_a_server_that_is_not_there_is_found_out_by_the_real_test(view: CheckView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.finished, timeout=30_000) as finished:
        view.start(PROFILE, Secret("unused"))
    assert finished.args == [False]
    assert sign(view, Step.REACH) is IconName.CROSS


def test_a_forgotten_test_ends_unheard(view: CheckView, link: Link, qtbot: QtBot) -> None:
    link.hold_at = Step.REACH
    view.start(PROFILE, None)
    with qtbot.assertNotEmitted(view.finished, wait=100):
        view.forget()
        link.go_on.set()
    assert not view.running


@pytest.mark.usefixtures("link")
def test_each_result_is_read_with_the_name_of_its_step(view: CheckView, qtbot: QtBot) -> None:
    assert run(view, qtbot)
    assert find(view, QLabel, "link_find_result").accessibleName() == "Find the server: Found"
