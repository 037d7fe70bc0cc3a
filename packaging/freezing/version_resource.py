# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What Windows shows under Properties, and as the name of the program in its notices and in the Task Manager."""

import re
from typing import Final

from PyInstaller.utils.win32.versioninfo import (  # type: ignore[import-untyped]  # it ships no types
    FixedFileInfo,
    StringFileInfo,
    StringStruct,
    StringTable,
    VarFileInfo,
    VarStruct,
    VSVersionInfo,
)

_ENGLISH: Final = 0x0409
_UNICODE: Final = 0x04B0


def version_resource(version: str, program: str) -> VSVersionInfo:
    """For the program of that name, without its ending."""
    numbers = (*(int(part) for part in re.findall(r"\d+", version)[:3]), 0)
    texts = {
        "CompanyName": "The Fieldpost authors",
        "FileDescription": "Fieldpost",
        "FileVersion": version,
        "InternalName": program,
        "LegalCopyright": "The Fieldpost authors, Apache-2.0",
        "OriginalFilename": f"{program}.exe",
        "ProductName": "Fieldpost",
        "ProductVersion": version,
    }
    table = StringTable(f"{_ENGLISH:04X}{_UNICODE:04X}", [StringStruct(*text) for text in texts.items()])
    translation = VarStruct("Translation", [_ENGLISH, _UNICODE])
    return VSVersionInfo(FixedFileInfo(numbers, numbers), [StringFileInfo([table]), VarFileInfo([translation])])
