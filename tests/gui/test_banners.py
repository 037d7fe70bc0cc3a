# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Banners: one for each cause, and each says only what is true now."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.model.events import OverallState, OverallStatus
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_desktop.ui.shell.header import Header
from fieldpost_desktop.ui.widgets.banners import BannerContent, Banners, BannerView
from fieldpost_shared.clock import FakeClock


@pytest.fixture
def banners(qtbot: QtBot) -> Banners:
    made = Banners()
    qtbot.addWidget(made)
    made.show()
    return made


def view(banners: Banners) -> BannerView:
    found = banners.findChild(BannerView)
    assert found is not None
    return found


def test_a_banner_that_loses_its_button_shows_none(banners: Banners) -> None:
    banners.show_banner("hold", BannerContent("No connection.", button="Try now", act=lambda: None))
    assert view(banners).button.isVisibleTo(view(banners))
    banners.show_banner("hold", BannerContent("Storage is full."))
    assert not view(banners).button.isVisibleTo(view(banners))


def test_a_title_without_a_full_stop_gets_one_before_a_sentence(banners: Banners) -> None:
    banners.show_banner("hold", BannerContent("Paused until 11:47", "Sending goes on by itself then."))
    assert view(banners).accessibleName() == "Paused until 11:47. Sending goes on by itself then."
    banners.show_banner("hold", BannerContent("Paused until 11:47"))
    assert view(banners).accessibleName() == "Paused until 11:47"


def test_what_a_name_holds_is_not_taken_for_markup(banners: Banners) -> None:
    banners.show_banner("hold", BannerContent("No connection to <Bits & Co>."))
    words = [label.text() for label in view(banners).findChildren(QLabel) if label.text()]
    assert words == ["<b>No connection to &lt;Bits &amp; Co&gt;.</b>"]


def test_while_paused_the_button_only_resumes(qtbot: QtBot) -> None:
    header = Header(FakeClock())
    qtbot.addWidget(header)
    paused = OverallStatus(OverallState.PAUSED, hold=Hold(HoldKind.PAUSED))
    header.show_status(paused, "Head office", 0)
    assert header.pause.menu() is None
    header.show_status(OverallStatus(OverallState.WORKING), "Head office", 0)
    assert header.pause.menu() is not None
