# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What goes along with the frozen program: the parts of Qt, the icon, the licences."""

import struct
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from freezing import licences, qt_parts
from freezing.icon_file import SIZES, write_icon

DRAWING = Path(__file__).parents[3] / "desktop/fieldpost_desktop/ui/widgets/icons/app.svg"


@pytest.mark.parametrize(
    "name",
    [
        r"PySide6\Qt6Core.dll",
        r"PySide6\Qt6Network.dll",
        r"PySide6\QtWidgets.pyd",
        r"PySide6\MSVCP140.dll",
        r"PySide6\pyside6.abi3.dll",
        r"PySide6\plugins\platforms\qwindows.dll",
        r"PySide6\plugins\platforms\qoffscreen.dll",
        r"PySide6\plugins\styles\qmodernwindowsstyle.dll",
        r"PySide6\plugins\networkinformation\qnetworklistmanager.dll",
        r"PySide6\translations\qtbase_de.qm",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/lib/libQt6XcbQpa.so.6",
        "PySide6/QtCore.abi3.so",
        r"fieldpost_desktop\ui\text\translations\fieldpost_de.qm",
        "python312.dll",
        "confluent_kafka.libs/librdkafka.dll",
    ],
)
def test_what_the_app_needs_goes_along(name: str) -> None:
    assert qt_parts.needed(name)


@pytest.mark.parametrize(
    "name",
    [
        r"PySide6\opengl32sw.dll",
        "opengl32sw.dll",
        r"PySide6\Qt6Quick.dll",
        r"PySide6\Qt6OpenGL.dll",
        r"PySide6\QtQml.pyd",
        r"PySide6\plugins\platforms\qdirect2d.dll",
        r"PySide6\plugins\platforms\qminimal.dll",
        r"PySide6\plugins\imageformats\qtiff.dll",
        r"PySide6\plugins\imageformats\qwebp.dll",
        r"PySide6\plugins\tls\qopensslbackend.dll",
        r"PySide6\translations\qtbase_fr.qm",
        r"PySide6\translations\qt_de.qm",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "libQt6Quick.so.6",
    ],
)
def test_what_no_window_of_ours_uses_stays_behind(name: str) -> None:
    assert not qt_parts.needed(name)


def test_the_icon_holds_every_size_and_none_is_empty(tmp_path: Path) -> None:
    content = write_icon(DRAWING, tmp_path / "fieldpost.ico").read_bytes()
    assert struct.unpack_from("<HHH", content) == (0, 1, len(SIZES))
    end = 6 + 16 * len(SIZES)
    for number, size in enumerate(SIZES):
        side, _, _, _, planes, bits, length, offset = struct.unpack_from("<BBBBHHII", content, 6 + 16 * number)
        assert (side or 256, planes, bits, offset) == (size, 1, 32, end)
        assert len(set(content[offset : offset + length])) > 10, "something is painted"
        end += length
    assert end == len(content)


@pytest.mark.parametrize("size", [16, 48, 256])
def test_the_icon_looks_like_the_drawing(tmp_path: Path, size: int) -> None:
    file = write_icon(DRAWING, tmp_path / "one.ico", [size])
    image = QImage(str(file))
    assert (image.width(), image.height()) == (size, size)
    assert image.pixelColor(0, 0).alpha() == 0, "its corners are round"
    below, above = image.pixelColor(size // 2, size - size // 8), image.pixelColor(size // 2, size // 8)
    assert 0 < below.green() < above.green(), "darker below: it does not stand on its head"


@pytest.mark.qt_log_ignore("^Cannot read file")
def test_a_drawing_that_cannot_be_read_makes_no_icon(tmp_path: Path) -> None:
    (tmp_path / "broken.svg").write_text("<svg", encoding="utf-8")
    with pytest.raises(ValueError, match="no drawing"):
        write_icon(tmp_path / "broken.svg", tmp_path / "no.ico")


def test_licences_are_collected_for_what_is_bundled_and_nothing_else(tmp_path: Path) -> None:
    modules = ["PySide6.QtCore", "confluent_kafka.cimpl", "json", "fieldpost_shared.names", "rich.live"]
    folder = licences.collect(modules, tmp_path / "licences", "1.2.3")
    found = {path.name for path in folder.iterdir()}
    assert found == {
        *("README.txt", "fieldpost", "python", "pyinstaller"),
        *("pyside6_essentials", "confluent-kafka", "rich"),
    }
    assert "GNU LESSER" in (folder / "pyside6_essentials/LGPL-3.0.txt").read_text(encoding="utf-8")
    assert "GNU GENERAL" in (folder / "pyside6_essentials/GPL-3.0.txt").read_text(encoding="utf-8")
    said = (folder / "README.txt").read_text(encoding="utf-8")
    assert "Fieldpost 1.2.3" in said
    assert "  rich " in said


def test_a_package_without_a_licence_stops_the_build(tmp_path: Path) -> None:
    metadata = tmp_path / "bare-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: bare\nVersion: 1.0\n", encoding="utf-8")
    with pytest.raises(licences.NoLicence, match=r"bare 1\.0 brings no licence"):
        licences.licence_files(PathDistribution(metadata))
