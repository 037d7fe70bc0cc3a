# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The Windows program: what is looked at in a built one, and the one that `make exe` built here, if it did."""

import json
import struct
from pathlib import Path

import pytest

from windows.examine import CONSOLE_EXE, MOST_BYTES, failed_parts, problems

BUILD = Path(__file__).parents[3] / "build/windows"
CONSOLE, WINDOW = 3, 2
AMD64, I386 = 0x8664, 0x14C


def image(*, machine: int = AMD64, subsystem: int = CONSOLE, behind: bytes = b"") -> bytes:
    """As much of a Windows program as tells what it is; `behind` follows its headers."""
    dos = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x80)
    file_header = struct.pack("<4sH", b"PE\0\0", machine).ljust(24, b"\0")
    return dos.ljust(0x80, b"\0") + file_header + bytes(68) + struct.pack("<H", subsystem) + behind


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program that is fit, as far as can be seen."""
    (tmp_path / "_internal").mkdir()
    (tmp_path / CONSOLE_EXE).write_bytes(image())
    (tmp_path / "_internal/VCRUNTIME140.dll").write_bytes(image())
    (tmp_path / "_internal/python.dll").write_bytes(image(behind=b"\0vcruntime140.dll\0KERNEL32.dll\0"))
    return tmp_path


@pytest.fixture
def built() -> Path:
    """The result of `make exe`; its last step writes the self-test's result."""
    if not (BUILD / "self-test.json").is_file():
        pytest.skip("no Windows program was built here: `make exe` does it")
    return BUILD


def test_a_fit_program_has_no_problems(folder: Path) -> None:
    assert problems(folder) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (image(subsystem=WINDOW), "has no console to speak to"),
        (image(machine=I386), "is no program for 64-bit Windows"),
        (b"#!/bin/sh\n", "is no program for 64-bit Windows"),
        (b"", "is no program for 64-bit Windows"),
    ],
)
def test_something_else_than_a_console_program_is_noticed(folder: Path, content: bytes, words: str) -> None:
    (folder / CONSOLE_EXE).write_bytes(content)
    assert problems(folder) == [f"{CONSOLE_EXE} {words}"]


def test_a_missing_program_is_noticed(folder: Path) -> None:
    (folder / CONSOLE_EXE).unlink()
    assert problems(folder) == [f"{CONSOLE_EXE} is not there"]


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
    assert problems(built / "dist/fieldpost") == []


def test_the_built_program_passed_its_own_test(built: Path) -> None:
    assert failed_parts(built / "self-test.json") == []
    about = json.loads((built / "self-test.json").read_text(encoding="utf-8"))["about"]
    assert about["packaged"] == "yes"
    assert about["system"].startswith("Windows")


def test_the_built_program_leaves_out_what_it_does_not_use(built: Path) -> None:
    names = {path.name.lower() for path in (built / "dist/fieldpost").rglob("*")}
    assert names.isdisjoint({"pyside6", "pyspark", "setuptools", "tkinter", "_wmi.pyd"})
