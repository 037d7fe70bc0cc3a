# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Documents that a reader is sent to exist: those that sources name, and the targets of links, pictures and anchors."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from fieldpost_shared import crash_points

HERE: Final = Path(__file__).resolve()
ROOT: Final = HERE.parents[3]
DOCUMENT_FOLDERS: Final = (ROOT, ROOT / "docs", ROOT / "docs/design")
SOURCE_ENDINGS: Final = frozenset({".md", ".nsi", ".py", ".service", ".sh", ".spec", ".toml", ".yaml", ".yml"})
SOURCE_NAMES: Final = frozenset({"Makefile", "run"})  # files without an ending; `run` is what CI starts
# Names of documents that are never there, each with its reason. This file itself is not read.
MADE_UP: Final = {
    "NAME.KIND.md": "the rule by which fragments of the changelog are named",
    "docs/design/a.md": "a document that a test about pictures makes up",
    "folders.added.md": "a fragment that a test of the changelog makes up",
    "pace.fixed.md": "likewise",
}

_NAMED: Final = re.compile(r"(?<![\w*{}])[\w./-]*\w\.md\b(?!\()")  # no pattern such as *.md, no call such as re.md(
_ADDRESS: Final = re.compile(r"\b[a-z]+://[^\s)>\"']+")
_FENCE: Final = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"`[^`\n]*`")
_LINK: Final = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_TAG: Final = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=\"([^\"]+)\"")
_HEADING: Final = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
_ANCHOR: Final = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")
_ELSEWHERE: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@cache
def project_files() -> tuple[Path, ...]:
    """Tracked files, and new ones that are not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return tuple(path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file())


@cache
def documents() -> frozenset[Path]:
    return frozenset(path for path in project_files() if path.suffix == ".md")


def sources() -> Iterator[Path]:
    for path in project_files():
        if path != HERE and (path.suffix in SOURCE_ENDINGS or path.name in SOURCE_NAMES):
            yield path


def resolves(name: str, source: Path) -> bool:
    """Whether it lies beside the source, below the root or a folder of documents, or is the only one of its name."""
    below = name.lstrip("/")  # build tools write the root of the project as a slash
    if any((folder / below).resolve() in documents() for folder in (source.parent, *DOCUMENT_FOLDERS)):
        return True
    return sum(path.name == Path(name).name for path in documents()) == 1


def dangling(text: str, source: Path) -> Iterator[str]:
    """The documents that a text names and that do not exist."""
    for name in _NAMED.findall(_ADDRESS.sub("", text)):
        if name not in MADE_UP and not resolves(name, source):
            yield name


def prose(document: Path) -> str:
    """The text without its blocks of code, in which nothing is a link or a heading."""
    return _FENCE.sub("", document.read_text(encoding="utf-8"))


def slug(heading: str) -> str:
    """The anchor that a heading gets where the repository is shown: words in small letters with hyphens between."""
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")


@cache
def anchors(document: Path) -> frozenset[str]:
    text = prose(document)
    seen: Counter[str] = Counter()
    found = set(_ANCHOR.findall(text))
    for heading in _HEADING.findall(text):
        name = slug(heading)
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return frozenset(found)


def targets(document: Path) -> list[str]:
    text = _CODE.sub("", prose(document))
    return [target for target in (*_LINK.findall(text), *_TAG.findall(text)) if not _ELSEWHERE.match(target)]


def broken(document: Path) -> Iterator[str]:
    """The relative links, pictures and anchors of a document that lead nowhere."""
    for target in targets(document):
        name, _, anchor = unquote(target).partition("#")
        place = (document.parent / name).resolve() if name else document
        is_there = place.exists() and place.is_relative_to(ROOT)
        if not is_there or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
            yield target


def test_every_document_that_a_source_names_exists() -> None:
    missing = {
        f"{source.relative_to(ROOT)} names {name}"
        for source in sources()
        for name in dangling(source.read_text(encoding="utf-8"), source)
    }
    assert missing == set()


def test_every_relative_link_picture_and_anchor_leads_somewhere() -> None:
    wrong = {f"{document.relative_to(ROOT)}: {target}" for document in documents() for target in broken(document)}
    assert wrong == set()


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("the order of nowhere.md.", ["nowhere.md"]),
        ("see docs/design/nowhere.md", ["docs/design/nowhere.md"]),
        ("see protocol.md and docs/protocol.md", []),
        ("hashlib.md5(data) and *.md and notes.mdx", []),
        ("[a](https://example.org/README.md)", []),
    ],
)
def test_a_document_that_is_named_but_not_there_is_found(text: str, missing: list[str]) -> None:
    assert list(dangling(text, ROOT / "shared/fieldpost_shared/codes.py")) == missing


def test_a_link_or_anchor_that_leads_nowhere_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# A `word`, twice\n\n## A word twice\n\n[ok](#a-word-twice) [ok](#a-word-twice-1) [ok](page.md#a-word-twice)\n"
        '[no](#a-word) [no](gone.md) ![no](gone.png) `[code](gone.md)`\n<img src="gone.svg">\n[out](../elsewhere.md)\n'
        "```\n[code](gone.md)\n# no heading\n```\n",
        encoding="utf-8",
    )
    assert list(broken(page)) == ["#a-word", "gone.md", "gone.png", "../elsewhere.md", "gone.svg"]


def test_the_glossary_is_in_order_and_has_each_word_once() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split(" | ") for line in re.findall(r"^\| .+ \|$", text, re.MULTILINE)]
    words = [row[0].strip(" `").casefold() for row in rows[1:]]
    assert words == sorted(set(words))
    assert {len(row) for row in rows} == {3}


def test_the_design_page_about_faults_names_every_crash_point() -> None:
    text = (ROOT / "docs/design/faults.md").read_text(encoding="utf-8")
    _, _, tables = text.partition("## Crash points")
    named = {
        name for line in re.findall(r"^\| (`.+?) \|", tables, re.MULTILINE) for name in re.findall(r"`(\w+)`", line)
    }
    assert named == {*crash_points.UPLOADER, *crash_points.RECEIVER}
