# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Texts and icons that mean something can be read in light and in dark, also when that changes."""

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon, TonedLabel

ROLE = QPalette.ColorRole


def _palette(ground: str, text: str) -> QPalette:
    made = QPalette()
    for role in (ROLE.Window, ROLE.Base, ROLE.AlternateBase, ROLE.Button):
        made.setColor(role, QColor(ground))
    for role in (ROLE.WindowText, ROLE.Text, ROLE.ButtonText):
        made.setColor(role, QColor(text))
    return made


LIGHT, DARK = _palette("#ffffff", "#101010"), _palette("#202020", "#f0f0f0")


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_toned_text_follows_the_palette(window: QWidget) -> None:
    label = TonedLabel("careful", Tone.ATTENTION, window)
    for palette in (LIGHT, DARK, LIGHT):
        window.setPalette(palette)
        ink = label.palette().color(ROLE.WindowText)
        assert ink == theme.colour(Tone.ATTENTION, palette)
        assert theme.contrast(ink, palette.color(ROLE.Window)) >= theme.READABLE


def test_a_toned_text_follows_the_system(window: QWidget, qapp: QApplication, qtbot: QtBot) -> None:
    label = TonedLabel("careful", Tone.ATTENTION, window)
    usual = qapp.palette()
    qapp.setPalette(DARK)
    try:
        wanted = theme.colour(Tone.ATTENTION, DARK)
        qtbot.waitUntil(lambda: label.palette().color(ROLE.WindowText) == wanted)
    finally:
        qapp.setPalette(usual)


def test_a_text_without_a_tone_looks_like_any_other(window: QWidget) -> None:
    label = TonedLabel("calm", Tone.ATTENTION, window)
    label.set_tone(None)
    window.setPalette(DARK)
    assert label.palette().color(ROLE.WindowText) == DARK.color(ROLE.WindowText)


def test_an_icon_is_as_high_as_a_line_and_follows_the_palette(window: QWidget) -> None:
    icon = TonedIcon(IconName.WAIT, Tone.WAITING, window)
    icon.resize(icon.sizeHint())
    assert icon.height() == icon.fontMetrics().height()
    window.setPalette(LIGHT)
    light = icon.grab().toImage()
    window.setPalette(DARK)
    dark = icon.grab().toImage()
    assert dark != light
    icon.show_icon(IconName.WARNING, Tone.ATTENTION)
    assert icon.name is IconName.WARNING
    assert icon.grab().toImage() != dark
