# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The program as a ZIP that needs no installation: `python -m installer.portable FOLDER OUT.zip`."""

import sys
import zipfile
from pathlib import Path
from typing import Final

TOP: Final = "Fieldpost"  # one folder, so that unpacking in a full place does not spill
_MOMENT: Final = (2026, 1, 1, 0, 0, 0)  # always the same: the same files make the same ZIP
_READABLE: Final = 0o100644 << 16


def pack(folder: Path, out: Path) -> None:
    """All files of the folder, in the order of their names."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            if file.name.startswith(".made-from-"):
                continue  # a stamp of the build
            entry = zipfile.ZipInfo(f"{TOP}/{file.relative_to(folder).as_posix()}", _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _READABLE
            archive.writestr(entry, file.read_bytes())


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
