# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The pictures that documents show: only these are kept in git."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FOLDER: Final = Path("docs/screenshots")
_PICTURE: Final = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")


def documents(root: Path) -> Iterator[Path]:
    """Yield every document that may show pictures: those of the top folder and everything below docs/."""
    yield from sorted(root.glob("*.md"))
    yield from sorted((root / "docs").rglob("*.md"))


def shown_pictures(root: Path) -> set[Path]:
    """Return the pictures of this repository that any document shows, relative to `root`."""
    return {
        (document.parent / target).resolve().relative_to(root.resolve())
        for document in documents(root)
        for target in _PICTURE.findall(document.read_text(encoding="utf-8"))
        if "://" not in target
    }


def copy_shown(made: Path, root: Path, sets: set[str]) -> list[Path]:
    """Copy what documents show of these sets into docs/screenshots; return the pictures that `made` does not hold."""
    missing: list[Path] = []
    for picture in sorted(shown_pictures(root)):
        if FOLDER in picture.parents and picture.parent.name in sets:
            source = made / picture.relative_to(FOLDER)
            if source.is_file():
                (root / picture).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, root / picture)
            else:
                missing.append(picture)
    return missing
