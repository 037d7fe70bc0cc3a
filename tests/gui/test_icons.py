# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Icons: every drawing is there, in the palette's colour, at the size asked for; the tray's six differ in shape."""

import gc
from collections.abc import Iterator
from importlib import resources
from itertools import combinations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPalette
from PySide6.QtWidgets import QApplication, QPushButton

from fieldpost_desktop.engine.model.events import OverallState
from fieldpost_desktop.ui.widgets import icons
from fieldpost_desktop.ui.widgets.icons import TRAY_SIZES, IconName


@pytest.fixture(autouse=True)
def _same_palette_afterwards(qapp: QApplication) -> Iterator[None]:
    before = QPalette(qapp.palette())
    yield
    qapp.setPalette(before)


def _image(icon: QIcon, size: int = 24, mode: QIcon.Mode = QIcon.Mode.Normal, ratio: float = 1) -> QImage:
    return icon.pixmap(QSize(size, size), ratio, mode).toImage()


def _inks(image: QImage) -> set[str]:
    """The colours of the pixels that are fully covered."""
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


def _mask(image: QImage) -> frozenset[tuple[int, int]]:
    every = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return frozenset(at for at in every if image.pixelColor(*at).alpha() > 127)


def _wear(qapp: QApplication, *, text: str, disabled: str, selected: str) -> None:
    palette = QPalette()
    palette.setColor(QPalette.ColorGroup.Active, QPalette.ColorRole.ButtonText, QColor(text))
    palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText, QColor(disabled))
    palette.setColor(QPalette.ColorGroup.Active, QPalette.ColorRole.HighlightedText, QColor(selected))
    qapp.setPalette(palette)


def test_every_name_has_a_drawing_and_every_drawing_a_name() -> None:
    folder = resources.files("fieldpost_desktop.ui.widgets") / "icons"
    drawn = {file.name.removesuffix(".svg") for file in folder.iterdir()}
    assert drawn == set(IconName) | {f"tray_{state}" for state in OverallState} | {"tray_mark"}


@pytest.mark.parametrize("name", IconName)
def test_no_icon_is_blank_or_cut_off(qapp: QApplication, name: IconName) -> None:
    _wear(qapp, text="#101010", disabled="#808080", selected="#ffffff")
    for size in (16, 24, 48):
        image = _image(icons.icon(name), size)
        assert len(_mask(image)) > size // 3
        if name is not IconName.APP:
            edge = {image.pixelColor(at, side).alpha() for at in range(size) for side in (0, size - 1)}
            assert max(edge) < 128


def test_an_icon_has_the_palettes_colour_in_every_mode(qapp: QApplication) -> None:
    _wear(qapp, text="#123456", disabled="#a0a0a0", selected="#fedcba")
    bar = icons.icon(IconName.ADD)
    assert _inks(_image(bar, 48)) == {"#123456"}
    assert _inks(_image(bar, 48, QIcon.Mode.Active)) == {"#123456"}
    assert _inks(_image(bar, 48, QIcon.Mode.Disabled)) == {"#a0a0a0"}
    assert _inks(_image(bar, 48, QIcon.Mode.Selected)) == {"#fedcba"}


def test_an_icon_that_is_in_use_follows_a_change_to_dark(qapp: QApplication) -> None:
    _wear(qapp, text="#000000", disabled="#808080", selected="#ffffff")
    button = QPushButton(icons.icon(IconName.ADD), "")
    gc.collect()  # Qt alone keeps the engine now
    assert _inks(_image(button.icon(), 48)) == {"#000000"}
    _wear(qapp, text="#eeeeee", disabled="#808080", selected="#000000")
    assert _inks(_image(button.icon(), 48)) == {"#eeeeee"}


def test_a_copied_and_changed_icon_lives_on_by_itself(qapp: QApplication) -> None:
    _wear(qapp, text="#222222", disabled="#808080", selected="#ffffff")
    copied = QIcon(icons.icon(IconName.ADD))
    copied.setIsMask(False)  # makes Qt clone the engine
    gc.collect()
    assert _inks(_image(copied, 48)) == {"#222222"}


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_an_icon_is_drawn_anew_for_each_scale_not_stretched(ratio: float) -> None:
    pixmap = icons.icon(IconName.TICK).pixmap(QSize(20, 20), ratio)
    assert pixmap.size() == QSize(20, 20) * ratio
    assert pixmap.devicePixelRatio() == ratio
    assert pixmap.toImage() == icons.icon(IconName.TICK).pixmap(pixmap.size(), 1.0).toImage()


def test_the_apps_mark_keeps_its_own_colours(qapp: QApplication) -> None:
    light = _image(icons.icon(IconName.APP), 256)
    _wear(qapp, text="#eeeeee", disabled="#808080", selected="#000000")
    assert _image(icons.icon(IconName.APP), 256) == light
    assert len(_inks(light)) > 3


@pytest.mark.parametrize("size", TRAY_SIZES)
@pytest.mark.parametrize(("one", "other"), list(combinations(OverallState, 2)))
def test_the_trays_states_differ_by_shape_and_not_only_by_colour(
    one: OverallState, other: OverallState, size: int
) -> None:
    masks = [_mask(_image(icons.tray_icon(state), size)) for state in (one, other)]
    sign_area = (size * 2 / 3) ** 2
    assert len(masks[0] ^ masks[1]) > sign_area / 8  # an eighth of the sign's square, at least


@pytest.mark.parametrize("state", OverallState)
@pytest.mark.parametrize("taskbar", ["#f3f3f3", "#1c1c1c"])
def test_a_trays_sign_stands_out_from_a_light_and_a_dark_taskbar(state: OverallState, taskbar: str) -> None:
    image = _image(icons.tray_icon(state), 48)
    sign = [image.pixelColor(x, y) for x in range(24, 48) for y in range(24, 48)]
    inks = [colour for colour in sign if colour.alpha() == 255 and colour.name() != "#ffffff"]
    most = max(inks, key=inks.count)
    assert _contrast(most, QColor(taskbar)) >= 3  # what WCAG asks of graphics


def _contrast(one: QColor, other: QColor) -> float:
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("state", OverallState)
def test_a_tray_icon_is_drawn_for_every_size_a_taskbar_asks_for(state: OverallState) -> None:
    icon = icons.tray_icon(state)
    gc.collect()
    assert icon.availableSizes() == [QSize(size, size) for size in TRAY_SIZES]
    assert [_image(icon, size).width() for size in (*TRAY_SIZES, 64)] == [*TRAY_SIZES, 64]
