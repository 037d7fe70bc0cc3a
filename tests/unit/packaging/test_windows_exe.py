# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The Windows program: what is looked at in a built one, and the one that `make exe` built here, if it did."""

import json
import struct
from pathlib import Path

import pytest

from fieldpost_shared.version import __version__
from windows.examine import CONSOLE_EXE, ICONS, MOST_BYTES, WINDOW_EXE, failed_parts, problems

RELEASE = Path(__file__).parents[3] / "dist/windows"
CONSOLE, WINDOW = 3, 2
AMD64, I386 = 0x8664, 0x14C
PACKAGES = ("confluent-kafka", "fieldpost", "pyinstaller", "pyside6_essentials", "python", "shiboken6")


def image(*, machine: int = AMD64, subsystem: int = CONSOLE, behind: bytes = b"") -> bytes:
    """As much of a Windows program as tells what it is; `behind` follows its headers."""
    dos = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x80)
    file_header = struct.pack("<4sH", b"PE\0\0", machine).ljust(24, b"\0")
    return dos.ljust(0x80, b"\0") + file_header + bytes(68) + struct.pack("<H", subsystem) + behind


def program(name: str, *, version: str = __version__, icons: int = ICONS) -> bytes:
    """One of our programs, with what it says of itself."""
    texts = {"ProductName": "Fieldpost", "FileVersion": version, "OriginalFilename": name}
    said = b"".join(f"{key}\0{value}\0".encode("utf-16-le") for key, value in texts.items())
    icon = struct.pack("<HHHBBBBHH", 0, 1, icons, 16, 16, 0, 0, 1, 32)
    return image(subsystem=WINDOW if name == WINDOW_EXE else CONSOLE, behind=said + icon)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program that is fit, as far as can be seen."""
    (tmp_path / "_internal").mkdir()
    for name in (WINDOW_EXE, CONSOLE_EXE):
        (tmp_path / name).write_bytes(program(name))
    for package in PACKAGES:
        (tmp_path / "licences" / package).mkdir(parents=True)
        (tmp_path / "licences" / package / "LICENSE").write_text("You may.", encoding="utf-8")
    (tmp_path / "_internal/VCRUNTIME140.dll").write_bytes(image())
    (tmp_path / "_internal/python.dll").write_bytes(image(behind=b"\0vcruntime140.dll\0KERNEL32.dll\0"))
    return tmp_path


@pytest.fixture
def built() -> Path:
    """The result of `make exe`, which hands over only what passed every trial."""
    if not (RELEASE / "fieldpost.png").is_file():
        pytest.skip("no Windows program was built here: `make exe` does it")
    return RELEASE


def test_a_fit_program_has_no_problems(folder: Path) -> None:
    assert problems(folder) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (program(CONSOLE_EXE).replace(image(), image(subsystem=WINDOW)), "has no console to speak to"),
        (image(machine=I386), "is no program for 64-bit Windows"),
        (b"#!/bin/sh\n", "is no program for 64-bit Windows"),
        (b"", "is no program for 64-bit Windows"),
    ],
)
def test_something_else_than_a_console_program_is_noticed(folder: Path, content: bytes, words: str) -> None:
    (folder / CONSOLE_EXE).write_bytes(content)
    assert problems(folder) == [f"{CONSOLE_EXE} {words}"]


def test_a_window_that_would_open_a_console_too_is_noticed(folder: Path) -> None:
    (folder / WINDOW_EXE).write_bytes(program(WINDOW_EXE).replace(image(subsystem=WINDOW), image()))
    assert problems(folder) == [f"{WINDOW_EXE} would open a console"]


@pytest.mark.parametrize("name", [WINDOW_EXE, CONSOLE_EXE])
def test_a_missing_program_is_noticed(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert problems(folder) == [f"{name} is not there"]


def test_a_program_that_says_another_version_is_noticed(folder: Path) -> None:
    (folder / WINDOW_EXE).write_bytes(program(WINDOW_EXE, version="0.0.9"))
    assert problems(folder) == [f"{WINDOW_EXE} does not say that its FileVersion is {__version__}"]


def test_a_program_with_another_icon_is_noticed(folder: Path) -> None:
    (folder / CONSOLE_EXE).write_bytes(program(CONSOLE_EXE, icons=1))
    assert problems(folder) == [f"{CONSOLE_EXE} has not the icon of the app"]


def test_a_missing_licence_is_noticed(folder: Path) -> None:
    (folder / "licences/shiboken6/LICENSE").unlink()
    assert problems(folder) == ["the licence of shiboken6 is not in licences/"]


@pytest.mark.parametrize("name", ["Qt6WebEngineCore.dll", "Qt6Charts.dll", "opengl32sw.dll", "qwebp.dll", "icuuc.dll"])
def test_what_should_not_have_come_along_is_noticed(folder: Path, name: str) -> None:
    (folder / "_internal" / name).write_bytes(image())
    assert problems(folder) == [f"{Path('_internal') / name} should not have come along"]


def test_a_library_of_qt_that_was_left_out_by_mistake_is_noticed(folder: Path) -> None:
    (folder / "_internal/QtGui.pyd").write_bytes(image(behind=b"\0Qt6Gui.dll\0KERNEL32.dll\0"))
    assert problems(folder) == [f"{Path('_internal/QtGui.pyd')} needs qt6gui.dll, which Windows does not bring"]


def test_a_program_that_grew_too_big_is_noticed(folder: Path) -> None:
    with (folder / "_internal/data").open("wb") as file:
        file.truncate(MOST_BYTES)
    (problem,) = problems(folder)
    assert problem.endswith(f"bytes are more than {MOST_BYTES:,}")


@pytest.mark.parametrize("mark", [b"Wine builtin DLL", b"Wine placeholder DLL"])
def test_a_library_of_wine_is_noticed(folder: Path, mark: bytes) -> None:
    library = image()
    (folder / "_internal/ucrtbase.DLL").write_bytes(library[:64] + mark + library[64 + len(mark) :])
    assert problems(folder) == [f"{Path('_internal/ucrtbase.DLL')} belongs to Wine"]


def test_the_stand_in_for_wine_is_noticed_under_any_name(folder: Path) -> None:
    source = (Path(__file__).parents[3] / "packaging/windows/stand_in.c").read_bytes()
    mark = b"Fieldpost stand-in for Wine"
    assert mark in source
    (folder / "_internal/harmless.dll").write_bytes(image(behind=mark))
    assert problems(folder) == [f"{Path('_internal/harmless.dll')} belongs to Wine"]


def test_a_compiler_library_that_only_wine_would_bring_is_noticed(folder: Path) -> None:
    (folder / "_internal/kafka.pyd").write_bytes(image(behind=b"\0MSVCP140.dll\0msvcp140.dll\0VCRUNTIME140.dll\0"))
    assert problems(folder) == [
        f"{Path('_internal/kafka.pyd')} needs msvcp140.dll, which Windows does not bring",
    ]


@pytest.mark.parametrize(
    ("result", "problem"),
    [
        (
            {
                "ok": False,
                "parts": {
                    "vault": {"outcome": "failed", "detail": "no vault"},
                    "tls": {"outcome": "ok", "detail": ""},
                    "tray": {"outcome": "skipped", "detail": "no screen"},
                },
            },
            "vault: no vault",
        ),
        ({"ok": False, "parts": {}}, "the self-test says that not all is well"),
    ],
)
def test_a_failed_self_test_names_the_part(tmp_path: Path, result: object, problem: str) -> None:
    (tmp_path / "result.json").write_text(json.dumps(result), encoding="utf-8")
    assert failed_parts(tmp_path / "result.json") == [problem]


@pytest.mark.parametrize("text", ["", "Segmentation fault"])
def test_a_self_test_without_a_result_is_a_failed_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "result.json").write_text(text, encoding="utf-8")
    (problem,) = failed_parts(tmp_path / "result.json")
    assert problem.startswith("result.json cannot be read")


def test_the_built_program_is_fit_to_be_given_away(built: Path) -> None:
    assert problems(built / "fieldpost") == []


@pytest.mark.parametrize("program_name", ["fieldpost", "fieldpost-console"])
def test_the_built_programs_passed_their_own_test(built: Path, program_name: str) -> None:
    assert failed_parts(built / f"{program_name}.json") == []
    result = json.loads((built / f"{program_name}.json").read_text(encoding="utf-8"))
    assert result["about"]["packaged"] == "yes"
    assert result["about"]["system"].startswith("Windows")
    outcomes = {name: part["outcome"] for name, part in result["parts"].items()}
    assert outcomes == dict.fromkeys(outcomes, "ok"), "nothing was skipped"
    assert {"window", "tray", "vault", "watcher", "journal", "tls", "kafka", "languages", "bundle"} <= outcomes.keys()


def test_the_built_program_sent_a_file_to_a_real_receiver(built: Path) -> None:
    said = json.loads((built / "delivery.json").read_text(encoding="utf-8"))
    assert said["state"] == "confirmed"
    assert said["size"] == 5_000_000


def test_the_built_program_leaves_out_what_it_does_not_use(built: Path) -> None:
    names = {path.name.lower() for path in (built / "fieldpost").rglob("*")}
    assert names.isdisjoint({"pyspark", "pyarrow", "setuptools", "tkinter", "_wmi.pyd", "fieldpost_receiver"})
    plugins = {path.parent.name for path in (built / "fieldpost").rglob("plugins/*/*")}
    assert plugins == {"iconengines", "imageformats", "networkinformation", "platforms", "styles"}
    translations = {path.name for path in (built / "fieldpost/_internal/PySide6/translations").iterdir()}
    assert translations == {"qtbase_de.qm"}
