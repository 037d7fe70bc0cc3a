# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a built Windows program is fit to be given away: `python -m windows.examine FOLDER SELF_TEST.json`.

That it runs under Wine does not prove this: Wine brings libraries that a laptop does not have.
"""

import json
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CONSOLE_EXE: Final = "fieldpost-console.exe"
MOST_BYTES: Final = 120_000_000

_PE_OFFSET: Final = 0x3C
_SUBSYSTEM: Final = 24 + 68  # behind the signature and the file header; its place in the optional header
_AMD64: Final = 0x8664
_CONSOLE: Final = 3
_WINE_MARK: Final = slice(64, 84)  # behind the DOS header, where Wine looks for it too
_WINE_MARKS: Final = (b"Wine builtin DLL", b"Wine placeholder DLL")
# Libraries of the compiler, which Wine has and Windows has only if another program brought them.
_RUNTIME: Final = re.compile(rb"(?:vcruntime|msvcp|concrt|vcomp)140\w*\.dll(?=\0)", re.IGNORECASE)


def problems(folder: Path) -> list[str]:
    """What is wrong with the program in this folder; nothing if it is fit."""
    return [*_exe(folder / CONSOLE_EXE), *_size(folder), *_libraries(folder)]


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
    if (image[:2], signature, machine) != (b"MZ", b"PE\0\0", _AMD64):
        yield f"{exe.name} is no program for 64-bit Windows"
    elif subsystem != _CONSOLE:
        yield f"{exe.name} has no console to speak to"


def _size(folder: Path) -> Iterator[str]:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if size > MOST_BYTES:
        yield f"{size:,} bytes are more than {MOST_BYTES:,}"


def _libraries(folder: Path) -> Iterator[str]:
    binaries = [path for path in folder.rglob("*") if path.suffix.lower() in {".dll", ".exe", ".pyd"}]
    shipped = {path.name.lower() for path in binaries}
    for path in sorted(binaries):
        image = path.read_bytes()
        if image[_WINE_MARK].startswith(_WINE_MARKS):
            yield f"{path.relative_to(folder)} belongs to Wine"
        for name in sorted({match.decode().lower() for match in _RUNTIME.findall(image)} - shipped):
            yield f"{path.relative_to(folder)} needs {name}, which Windows does not bring"


def main() -> int:
    """Print what is wrong; 0 if nothing is."""
    folder, result = (Path(argument) for argument in sys.argv[1:])
    found = [*problems(folder), *failed_parts(result)]
    for problem in found:
        print(f"  {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
