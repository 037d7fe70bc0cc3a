# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication

from fieldpost_desktop.engine.model.parts_map import PartState
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import theme

LIGHT = {"window": "#f3f3f3", "base": "#ffffff", "alternate": "#ececec", "text": "#1b1b1b"}
DARK = {"window": "#202020", "base": "#191919", "alternate": "#2b2b2b", "text": "#ffffff"}
HIGH_CONTRAST = {"window": "#000000", "base": "#000000", "alternate": "#000000", "text": "#ffff00"}
MILKY = {"window": "#9a9a9a", "base": "#a5a5a5", "alternate": "#8f8f8f", "text": "#000000"}


def palette(colours: dict[str, str]) -> QPalette:
    made = QPalette(QColor(colours["window"]))
    made.setColor(QPalette.ColorRole.Window, QColor(colours["window"]))
    made.setColor(QPalette.ColorRole.Base, QColor(colours["base"]))
    made.setColor(QPalette.ColorRole.AlternateBase, QColor(colours["alternate"]))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText):
        made.setColor(role, QColor(colours["text"]))
    return made


@pytest.fixture(params=[LIGHT, DARK, HIGH_CONTRAST, MILKY], ids=["light", "dark", "high-contrast", "milky"])
def any_palette(request: pytest.FixtureRequest, qapp: QApplication) -> QPalette:  # noqa: ARG001 - colours need Qt
    return palette(request.param)


def test_contrast_is_reckoned_as_wcag_does() -> None:
    assert theme.contrast(QColor("white"), QColor("black")) == pytest.approx(21.0)
    assert theme.contrast(QColor("#767676"), QColor("white")) == pytest.approx(4.54, abs=0.01)
    assert theme.contrast(QColor("#123456"), QColor("#123456")) == 1.0


@pytest.mark.parametrize("tone", Tone)
def test_every_tone_can_be_read_on_every_ground(any_palette: QPalette, tone: Tone) -> None:
    for role in (QPalette.ColorRole.Base, QPalette.ColorRole.AlternateBase, QPalette.ColorRole.Window):
        assert theme.contrast(theme.colour(tone, any_palette), any_palette.color(role)) >= theme.READABLE


@pytest.mark.parametrize("tone", Tone)
def test_the_text_of_every_banner_can_be_read(any_palette: QPalette, tone: Tone) -> None:
    banner = theme.banner(tone, any_palette)
    assert theme.contrast(banner.text, banner.background) >= theme.READABLE


@pytest.mark.parametrize("part", [part for part in PartState if part is not PartState.NOT_SENT])
def test_parts_that_are_somewhere_stand_out_from_the_bar(any_palette: QPalette, part: PartState) -> None:
    assert theme.contrast(theme.part(part, any_palette), any_palette.color(QPalette.ColorRole.Base)) >= theme.VISIBLE


def test_the_outline_of_the_bar_can_be_seen(any_palette: QPalette) -> None:
    assert theme.contrast(theme.outline(any_palette), any_palette.color(QPalette.ColorRole.Window)) >= theme.VISIBLE


def test_parts_differ_without_colours_too() -> None:
    assert len({theme.hatch(part) for part in PartState}) == len(PartState)
    assert theme.hatch(PartState.CONFIRMED) is Qt.BrushStyle.SolidPattern


def test_tones_differ_from_each_other() -> None:
    for colours in (LIGHT, DARK):
        assert len({theme.colour(tone, palette(colours)).rgb() for tone in Tone}) == len(Tone)


def test_a_palette_that_allows_no_contrast_gets_the_best_there_is() -> None:
    split = palette({"window": "#ffffff", "base": "#000000", "alternate": "#777777", "text": "#000000"})
    assert theme.colour(Tone.WORKING, split).name() in {"#000000", "#ffffff"}


def test_distances_grow_with_the_font(qapp: QApplication) -> None:  # noqa: ARG001 - fonts need Qt
    small, large = QFont(), QFont()
    small.setPointSize(9)
    large.setPointSize(18)
    assert 1 <= theme.gap(QFontMetrics(small)) < theme.gap(QFontMetrics(large))
    assert theme.gap(QFontMetrics(small), 0.001) == 1
