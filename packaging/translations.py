# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`make translations`: brings the .ts and .qm files of the window up to date; `--check` says what is amiss instead.

What to write in `ui/` so that a text can be translated (`--check` and its test tell you where you did not):

* In a QObject `self.tr("Text")`; its context is the class. In functions `QCoreApplication.translate("module", "Text")`.
* The text is one literal; "parts " "side by side" are one literal too. No f-string, no `+`, no variable, no condition
  inside the call: call it twice. What changes is a `{placeholder}`, filled by `.format()` after translation.
* Whole sentences, never glued from halves: word order differs between languages.
* Plurals: `self.tr("%n file(s)", "", n)`, or `translate("module", "%n file(s)", "", n)`; `%Ln` groups the digits of
  large numbers. Fill both forms in fieldpost_de.ts and in fieldpost_en.ts, which holds nothing but plurals. In a class
  with subclasses use translate(): PySide looks a plural up in the subclass only (there "3 file(s)" already differs from
  "%n file(s)", so it stops looking).
* Two meanings of one English text: `self.tr("Open", "a file")`, `self.tr("Open", "not done yet")`.
* Tables of the engine (codes, steps, names) are fed in from here, with their own contexts.

Then run `make translations`, fill what is unfinished in fieldpost_de.ts (delete `type="unfinished"`), and run it again.
A translation is lost only together with its English text; that is in the history.

Why lupdate does not read the Python sources itself (6.11): it takes no `translate()` for a plural, drops texts in
double parentheses or with keywords, and puts `"a" + "b"` into a context of its own. It merges well, so it is given a
generated file.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from fieldpost_desktop.engine.link.check.check import TITLES
from fieldpost_shared import names
from fieldpost_shared.codes import CODES
from translatable import Message, Reading, read

UI: Final = Path(__file__).resolve().parents[1] / "desktop/fieldpost_desktop/ui"
FOLDER: Final = UI / "text/translations"
LANGUAGES: Final = {"de": [], "en": ["-pluralonly"]}  # what lupdate is told besides

_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}|%L?n|%L?\d")
_MNEMONIC: Final = re.compile(r"&(?=\w)")
_ENDINGS: Final = ".:!?…,;"


def tables() -> Iterator[Message]:
    """Yield the texts that the engine keeps in tables and the window translates."""
    for failure in CODES.values():
        yield from (Message("codes", text) for text in (failure.words, failure.advice) if text)
    yield from (Message("steps", title) for title in TITLES.values())
    yield from (Message("names", names.words(reason)) for reason in (*names.Reason, "one of a newer Fieldpost"))


def gather(ui: Path = UI) -> Reading:
    """Return all texts of the window and of the tables."""
    fed = list(tables())
    reading = read(ui.rglob("*.py"), frozenset(message.context for message in fed))
    for message in fed:
        reading.add(message)
    return reading


def update(messages: Iterable[Message], folder: Path) -> None:
    """Merge the texts into the .ts files of a folder and make the .qm files."""
    with tempfile.TemporaryDirectory(prefix="fieldpost-texts-") as temporary:
        source = Path(temporary) / "texts.cpp"
        source.write_text("".join(map(_line, messages)), encoding="utf-8", newline="\n")
        for language, extra in LANGUAGES.items():
            catalogue = folder / f"fieldpost_{language}.ts"
            settled = ["-silent", "-locations", "none", "-no-obsolete", "-sort-messages", "-source-language", "en"]
            _run("pyside6-lupdate", *settled, "-target-language", language, *extra, str(source), "-ts", str(catalogue))
            _run("pyside6-lrelease", "-silent", str(catalogue), "-qm", str(catalogue.with_suffix(".qm")))


def _line(message: Message) -> str:
    kind = "QT_TRANSLATE_N_NOOP3" if message.plural else "QT_TRANSLATE_NOOP3"
    texts = (json.dumps(text, ensure_ascii=False) for text in (message.context, message.source, message.comment))
    return f"{kind}({', '.join(texts)});\n"


def _run(tool: str, *arguments: str) -> None:
    found = shutil.which(tool, path=Path(sys.executable).parent)
    if found is None:
        raise SystemExit(f"{tool} is missing: make setup")
    subprocess.run([found, *arguments], check=True, stdout=subprocess.DEVNULL)


def amiss(messages: Iterable[Message], folder: Path = FOLDER) -> Iterator[str]:
    """Yield what is wrong with the files of a folder, line by line."""
    with tempfile.TemporaryDirectory(prefix="fieldpost-check-") as temporary:
        fresh = Path(temporary)
        for catalogue in folder.glob("*.ts"):
            shutil.copy(catalogue, fresh)
        update(messages, fresh)
        for made in sorted(fresh.iterdir()):
            committed = folder / made.name
            if not committed.exists() or committed.read_bytes() != made.read_bytes():
                yield f"{made.name} is not up to date: make translations"
        for catalogue in sorted(fresh.glob("*.ts")):
            yield from (f"{catalogue.name}: {fault}" for fault in faults(catalogue))


def faults(catalogue: Path) -> Iterator[str]:
    """Yield entries that are missing, or not like their source in what must be alike."""
    for context in ET.parse(catalogue).getroot().iter("context"):  # noqa: S314 - our own file
        for message in context.iter("message"):
            source, translation = message.findtext("source", ""), message.find("translation")
            place = f"{context.findtext('name')}: {source!r}"
            if translation is None or translation.get("type"):
                yield f"{place} is not translated"
                continue
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            yield from (f"{place}: {fault}" for form in forms for fault in differences(source, form))


def differences(source: str, translation: str) -> Iterator[str]:
    """Yield what a translation must take over from its source and did not."""
    if not translation.strip():
        yield "empty"
        return
    if Counter(_PLACEHOLDER.findall(source)) != Counter(_PLACEHOLDER.findall(translation)):
        yield f"other placeholders in {translation!r}"
    if len(_MNEMONIC.findall(source)) != len(_MNEMONIC.findall(translation)):
        yield f"a mnemonic (&) in one only: {translation!r}"
    if _ending(source) != _ending(translation):
        yield f"another ending: {translation!r}"
    if source.count("\n") != translation.count("\n"):
        yield f"other line breaks in {translation!r}"


def _ending(text: str) -> str:
    last = text.rstrip()[-1:]
    return (last if last in _ENDINGS else "") + text[len(text.rstrip()) :]


def main(arguments: list[str]) -> int:
    """Update, or check; 0 if nothing is left to do."""
    reading = gather()
    problems = list(reading.problems)
    if not problems and "--check" not in arguments:  # texts that cannot be read would be dropped from the files
        update(reading.messages, FOLDER)
    problems.extend(amiss(reading.messages))
    for problem in problems:
        print(problem)
    print(f"{len(reading.messages)} texts, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
