# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Finds every text of the window that a person can read, and says where one is written so that it gets lost.

The sources are read as syntax trees, because lupdate's reader of Python overlooks what we need: see translations.py,
which also says what to write and what not.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

_NOOPS: Final = ("QT_TRANSLATE_NOOP", "QT_TRANSLATE_NOOP3")
_PLURAL_MARKS: Final = ("%n", "%Ln", "(s)")
_TR_ARGUMENTS: Final = ("source", "disambiguation", "n")
_TRANSLATE_ARGUMENTS: Final = ("context", "source", "disambiguation", "n")


class Message(NamedTuple):
    """One text, as lupdate knows it; `comment` tells two equal texts of one context apart."""

    context: str
    source: str
    comment: str = ""
    plural: bool = False


@dataclass
class Reading:
    """What was found in the sources."""

    messages: list[Message] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, message: Message) -> None:
        """Add each message once, in the order of the sources."""
        if message not in self.messages:
            self.messages.append(message)


def read(files: Iterable[Path], fed: frozenset[str]) -> Reading:
    """Return the texts of these sources. `fed` are the contexts of tables: there a text need not be a literal.

    Raises:
        SyntaxError: a source is broken.
    """
    reading = Reading()
    trees = {file: ast.parse(file.read_text(encoding="utf-8"), str(file)) for file in sorted(files)}
    parents = {base for tree in trees.values() for base in _parents(tree)}
    for file, tree in trees.items():
        _Reader(file, reading, fed, parents).visit(tree)
    return reading


def _parents(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (base.id for base in node.bases if isinstance(base, ast.Name))


class _Reader(ast.NodeVisitor):
    """Walks one module and remembers in which class it is."""

    def __init__(self, file: Path, reading: Reading, fed: frozenset[str], parents: set[str]) -> None:
        self._file = file
        self._reading = reading
        self._fed = fed
        self._parents = parents
        self._classes: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(attr="tr", value=ast.Name(id="self")) if self._classes:
                self._tr(node)
            case ast.Attribute(attr="tr") | ast.Name(id="tr"):
                self._complain(node, "tr() works on self only: elsewhere its context is not known")
            case ast.Attribute(attr="translate", value=ast.Name(id=owner)) if owner.endswith("Application"):
                self._translate(node)
            case ast.Name(id="translate"):
                self._translate(node)
            case ast.Name(id=name) if name in _NOOPS:
                self._translate(node)
            case _:
                pass
        self.generic_visit(node)

    def _tr(self, node: ast.Call) -> None:
        given = _arguments(node, _TR_ARGUMENTS)
        context = self._classes[-1]
        if "n" in given and context in self._parents:
            self._complain(node, f"plurals of {context} get lost in its subclasses: use QCoreApplication.translate()")
        self._take(node, context, given)

    def _translate(self, node: ast.Call) -> None:
        given = _arguments(node, _TRANSLATE_ARGUMENTS)
        match given.pop("context", None):
            case ast.Constant(value=str(context)):
                if context not in self._fed or isinstance(given.get("source"), ast.Constant):
                    self._take(node, context, given)
            case _:
                self._complain(node, "the context is no literal")

    def _take(self, node: ast.Call, context: str, given: dict[str, ast.expr]) -> None:
        source, comment = _literal(given.get("source")), _literal(given.get("disambiguation", ast.Constant("")))
        if source is None or comment is None:
            self._complain(node, "the text is no literal")
        elif any(mark in source for mark in _PLURAL_MARKS) and "n" not in given:
            self._complain(node, "a plural without a number: add it as the argument n")
        else:
            self._reading.add(Message(context, source, comment, "n" in given))

    def _complain(self, node: ast.Call, what: str) -> None:
        self._reading.problems.append(f"{self._file.name}:{node.lineno}: {what}")


def _arguments(node: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr]:
    by_place = dict(zip(names, node.args, strict=False))
    return by_place | {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}


def _literal(node: ast.expr | None) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=None):
            return ""
        case _:
            return None
