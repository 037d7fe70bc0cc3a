# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a built Windows program is fit to be given away: `python -m windows.examine FOLDER SELF_TEST.json...`.

That it runs under Wine does not prove this: Wine brings libraries that a laptop does not have.
"""

import json
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fieldpost_shared.version import __version__

WINDOW_EXE: Final = "fieldpost.exe"
CONSOLE_EXE: Final = "fieldpost-console.exe"
MOST_BYTES: Final = 120_000_000
ICONS: Final = 9  # sizes in the program's icon

_PE_OFFSET: Final = 0x3C
_SUBSYSTEM: Final = 24 + 68  # behind the signature and the file header; its place in the optional header
_AMD64: Final = 0x8664
_SUBSYSTEMS: Final = {WINDOW_EXE: (2, "would open a console"), CONSOLE_EXE: (3, "has no console to speak to")}
_WINE_MARK: Final = slice(64, 84)  # behind the DOS header, where Wine looks for it too
_WINE_MARKS: Final = (b"Wine builtin DLL", b"Wine placeholder DLL")
_STAND_IN: Final = b"Fieldpost stand-in for Wine"  # in stand_in.c
# Libraries of the compiler and of Qt, which Wine's own Windows may have and a laptop has not.
_COMES_ALONG: Final = re.compile(rb"(?:(?:vcruntime|msvcp|concrt|vcomp)140\w*|Qt6\w+)\.dll(?=\0)", re.IGNORECASE)
# What would come along if somebody took more of Qt than we need, or let more of the machine in.
_UNWANTED: Final = re.compile(
    r"opengl32sw|d3dcompiler|qdirect2d|qminimal|qtiff|qwebp|Qt6(?:Pdf|Quick|Qml|WebEngine|Multimedia|Charts|OpenGL)"
    r"|icuuc\.dll|uisettings\.dll|mscms\.dll|pyspark|pyarrow|tkinter",
    re.IGNORECASE,
)
_LICENCES: Final = ("fieldpost", "python", "pyside6_essentials", "shiboken6", "confluent-kafka", "pyinstaller")


def problems(folder: Path) -> list[str]:
    """What is wrong with the program in this folder; nothing if it is fit."""
    exes = [problem for name in _SUBSYSTEMS for problem in _exe(folder / name)]
    return [*exes, *_size(folder), *_libraries(folder), *_unwanted(folder), *_licences(folder)]


def failed_parts(result: Path) -> list[str]:
    """What the self-test found not to work; nothing if all is well."""
    try:
        found = json.loads(result.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return [f"{result.name} cannot be read: {error}"]
    if found["ok"] is True:
        return []
    failed = [f"{name}: {part['detail']}" for name, part in found["parts"].items() if part["outcome"] == "failed"]
    return failed or ["the self-test says that not all is well"]


def summary(result: Path) -> str:
    """The outcomes of a self-test in one line."""
    try:
        parts = json.loads(result.read_text(encoding="utf-8"))["parts"]
    except (OSError, ValueError):
        return "no result"
    return ", ".join(f"{name} {part['outcome']}" for name, part in parts.items())


def _exe(exe: Path) -> Iterator[str]:
    if not exe.is_file():
        yield f"{exe.name} is not there"
        return
    image = exe.read_bytes()
    try:
        (header,) = struct.unpack_from("<I", image, _PE_OFFSET)
        signature, machine = struct.unpack_from("<4sH", image, header)
        (subsystem,) = struct.unpack_from("<H", image, header + _SUBSYSTEM)
    except struct.error:
        signature = machine = subsystem = None
    wanted, otherwise = _SUBSYSTEMS[exe.name]
    if (image[:2], signature, machine) != (b"MZ", b"PE\0\0", _AMD64):
        yield f"{exe.name} is no program for 64-bit Windows"
        return
    if subsystem != wanted:
        yield f"{exe.name} {otherwise}"
    yield from _resources(exe.name, image)


def _resources(name: str, image: bytes) -> Iterator[str]:
    """Name and version as Windows shows them, and the icon in all of its sizes."""
    for key, value in {"ProductName": "Fieldpost", "FileVersion": __version__, "OriginalFilename": name}.items():
        before, behind = (re.escape(f"{text}\0".encode("utf-16-le")) for text in (key, value))
        if not re.search(before + rb"(?:\0\0)?" + behind, image):  # a value begins at a multiple of four
            yield f"{name} does not say that its {key} is {value}"
    if struct.pack("<HHHBBBBHH", 0, 1, ICONS, 16, 16, 0, 0, 1, 32) not in image:
        yield f"{name} has not the icon of the app"


def _size(folder: Path) -> Iterator[str]:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if size > MOST_BYTES:
        yield f"{size:,} bytes are more than {MOST_BYTES:,}"


def _libraries(folder: Path) -> Iterator[str]:
    binaries = [path for path in folder.rglob("*") if path.suffix.lower() in {".dll", ".exe", ".pyd"}]
    shipped = {path.name.lower() for path in binaries}
    for path in sorted(binaries):
        image = path.read_bytes()
        if image[_WINE_MARK].startswith(_WINE_MARKS) or _STAND_IN in image:
            yield f"{path.relative_to(folder)} belongs to Wine"
        for name in sorted({match.decode().lower() for match in _COMES_ALONG.findall(image)} - shipped):
            yield f"{path.relative_to(folder)} needs {name}, which Windows does not bring"


def _unwanted(folder: Path) -> Iterator[str]:
    found = (path for path in sorted(folder.rglob("*")) if _UNWANTED.search(path.name))
    yield from (f"{path.relative_to(folder)} should not have come along" for path in found)


def _licences(folder: Path) -> Iterator[str]:
    for package in _LICENCES:
        if not any((folder / "licences" / package).glob("*")):
            yield f"the licence of {package} is not in licences/"


def main() -> int:
    """Print what the self-tests say and what is wrong; 0 if nothing is."""
    folder, *results = (Path(argument) for argument in sys.argv[1:])
    found = problems(folder)
    for result in results:
        print(f"  {result.stem}: {summary(result)}")
        found += [f"{result.stem}: {problem}" for problem in failed_parts(result)]
    for problem in found:
        print(f"  {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
