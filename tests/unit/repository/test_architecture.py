# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The rules of the architecture that can be read off the source tree."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = {
    "shared": ROOT / "shared/fieldpost_shared",
    "engine": ROOT / "desktop/fieldpost_desktop/engine",
    "ui": ROOT / "desktop/fieldpost_desktop/ui",
    "desktop": ROOT / "desktop/fieldpost_desktop",
    "receiver": ROOT / "receiver/fieldpost_receiver",
}
FORBIDDEN = [
    ("shared", {"PySide6", "pyspark", "fieldpost_desktop", "fieldpost_receiver"}),
    ("engine", {"PySide6", "pyspark", "fieldpost_desktop.ui"}),
    ("ui", {"confluent_kafka", "pyspark"}),
    ("desktop", {"pyspark", "fieldpost_receiver"}),
    ("receiver", {"PySide6", "fieldpost_desktop"}),
]
# What the app and the command line use of the engine's rooms, and what every page of the window draws with.
ENGINE = {
    "engine/journal",
    "engine/link",
    "engine/link/check",
    "engine/model",
    "engine/profile",
    "engine/receipts",
    "engine/runtime",
    "engine/sources",
    "engine/support",
    "engine/watching",
}
DRAWING = {"ui/text", "ui/text/wording", "ui/threads", "ui/tone", "ui/widgets"}
# Which folders a folder's modules may import from, by package; "" is the package itself. A new edge is a decision.
ALLOWED_EDGES: dict[str, dict[str, set[str]]] = {
    "fieldpost_receiver": {
        "": {"commands", "config", "runtime", "storage/port", "telemetry"},
        "commands": {
            "config",
            "jobs/files",
            "jobs/files/ledger",
            "kafka",
            "runtime",
            "spark",
            "storage",
            "storage/port",
        },
        "runtime": {
            "config",
            "jobs",
            "jobs/files",
            "jobs/files/ingest",
            "kafka",
            "spark",
            "storage/port",
            "telemetry",
        },
        "jobs": {"kafka", "spark", "storage/port", "telemetry"},
        "jobs/files": {
            "config",
            "jobs",
            "jobs/files/ingest",
            "jobs/files/ledger",
            "kafka",
            "spark",
            "storage",
            "storage/port",
            "telemetry",
        },
        "jobs/files/ingest": {"spark", "storage", "storage/port"},
        "jobs/files/ledger": {"kafka", "storage/port"},
        "spark": {"config", "storage/port"},
        "kafka": set(),
        "telemetry": {"config"},
        "storage": {"config", "storage/folder", "storage/port"},
        "storage/folder": {"config", "storage/port"},
        "storage/memory": {"config", "storage/port"},
        "storage/port": {"config"},
        "config": set(),
    },
    "fieldpost_desktop": {
        "": {
            "app",
            "commands",
            "engine/journal",
            "engine/profile",
            "engine/runtime",
            "engine/support",
            "ui",
            "ui/shell",
        },
        "commands": {"app", "engine", *ENGINE, "ui"},
        "app": {"engine", *ENGINE},
        "engine": {
            "engine/journal",
            "engine/link",
            "engine/model",
            "engine/profile",
            "engine/receipts",
            "engine/runtime",
            "engine/sending",
            "engine/sources",
            "engine/watching",
        },
        "engine/receipts": {"engine/model", "engine/runtime", "engine/sending"},
        "engine/watching": {"engine/journal", "engine/model", "engine/runtime", "engine/sources"},
        "engine/sending": {"engine/link", "engine/model", "engine/runtime", "engine/sources"},
        "engine/support": {"engine/journal", "engine/profile", "engine/runtime"},
        "engine/runtime": {"engine/journal", "engine/link", "engine/model", "engine/profile", "engine/sources"},
        "engine/journal": {"engine/model"},
        "engine/link": set(),
        "engine/link/check": {"engine/link"},
        "engine/sources": {"engine/model"},
        "engine/profile": set(),
        "engine/model": set(),
        "ui": {
            "app",
            "engine/journal",
            "engine/model",
            "engine/profile",
            "engine/runtime",
            "ui/connection",
            "ui/detail",
            "ui/folders",
            "ui/settings",
            "ui/shell",
            "ui/system",
            "ui/transfers",
            *DRAWING,
        },
        "ui/shell": {
            "app",
            "engine/journal",
            "engine/model",
            "engine/runtime",
            "engine/sources",
            "ui/connection",
            "ui/dialogs",
            "ui/setup",
            "ui/system",
            *DRAWING,
        },
        "ui/setup": {"app", "engine/profile", "ui/connection", *DRAWING},
        "ui/settings": {"app", "engine/profile", "engine/runtime", "ui/connection", "ui/system", *DRAWING},
        "ui/folders": {"app", "engine/journal", "engine/model", "engine/watching", *DRAWING},
        "ui/detail": {"app", "engine/journal", "engine/model", "ui/transfers", *DRAWING},
        "ui/transfers": {"app", "engine", "engine/journal", "engine/model", "engine/watching", *DRAWING},
        "ui/dialogs": {"app", "engine/sources", *DRAWING},
        "ui/connection": {"app", "engine/link/check", "engine/profile", *DRAWING},
        "ui/system": {"engine/link", "engine/runtime"},
        "ui/widgets": {"engine/model", "ui/tone"},
        "ui/threads": {"engine/model"},
        "ui/text": {"ui/text/translations"},
        "ui/text/wording": {"engine/link/check", "engine/model", "engine/watching", "ui/text", "ui/tone"},
        "ui/text/translations": set(),
        "ui/tone": set(),
    },
}
# Modules that are rooms of their own: implementations import the port, and what chooses one imports them; every page
# and the wording import the tone, and the controller imports them.
ROOMS = {"storage/port": "storage/port", "storage/errors": "storage/port", "ui/tone": "ui/tone"}
# The folders and modules that hold SQL, as paths below the root of the sources.
SQL_OWNERS = (
    "shared/fieldpost_shared/database.py",
    "desktop/fieldpost_desktop/engine/journal/",
    "receiver/fieldpost_receiver/jobs/files/ledger/",
    "receiver/fieldpost_receiver/runtime/job_store.py",
)
SQL = re.compile(
    r"^\s*(SELECT\s.+\sFROM|SELECT\s+\w+\(|INSERT\s+(OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM"
    r"|CREATE\s+(TABLE|INDEX|UNIQUE|VIEW|TRIGGER)|DROP\s+\w+|ALTER\s+TABLE|PRAGMA\s+\w+|VACUUM\b|BEGIN\s+IMMEDIATE)",
    re.DOTALL,
)
# The receiver's modules that may import pyspark.
SPARK_DOORWAY = re.compile(r"^spark/\w+\.py$")
RETRY_RULE_READERS = {"engine/runtime/failure_policy.py"}  # decides
RETRY_RULE_SPEAKERS = {"ui/text/wording/failures.py"}  # tells a person what was decided


def imports_of(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules(part: str) -> list[Path]:
    return sorted(SOURCES[part].rglob("*.py"))


def folder_of(module: Path, root: Path) -> str:
    """The folder of a module as the table names it; a few modules are rooms of their own."""
    path = module.relative_to(root).with_suffix("").as_posix()
    return ROOMS.get(path, path.rpartition("/")[0])


def edges_of(package: str) -> dict[str, dict[str, set[str]]]:
    """Which folders each folder imports from, and by which modules."""
    (root,) = (path for path in SOURCES.values() if path.name == package)
    folders = {folder_of(module, root) for module in root.rglob("*.py")}
    edges: dict[str, dict[str, set[str]]] = {folder: {} for folder in folders}
    for module in sorted(root.rglob("*.py")):
        here = folder_of(module, root)
        for name in imports_of(module):
            head, _, below = name.partition(".")
            if head != package:
                continue
            target = below.replace(".", "/")
            while target and not (root / f"{target}.py").is_file() and not (root / target).is_dir():
                target = target.rpartition("/")[0]  # a name within a module
            if (module_there := root / f"{target}.py").is_file():
                target = folder_of(module_there, root)
            if target != here:
                edges[here].setdefault(target, set()).add(module.name)
    return edges


def strings_of(module: Path) -> Iterator[str]:
    """Every text in the code; docstrings are left out."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, described) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


@pytest.mark.parametrize(("part", "banned"), FORBIDDEN)
def test_no_part_imports_what_it_must_not(part: str, banned: set[str]) -> None:
    wrong = {
        f"{module.relative_to(ROOT)} imports {name}"
        for module in modules(part)
        for name in imports_of(module)
        if any(name == root or name.startswith(f"{root}.") for root in banned)
    }
    assert wrong == set()


def test_only_the_receivers_spark_modules_import_pyspark() -> None:
    users = {
        str(module.relative_to(SOURCES["receiver"]))
        for module in modules("receiver")
        if any(n.startswith("pyspark") for n in imports_of(module))
    }
    assert all(SPARK_DOORWAY.match(name) for name in users)


@pytest.mark.parametrize("package", ALLOWED_EDGES)
def test_folders_import_only_what_the_table_allows(package: str) -> None:
    allowed = ALLOWED_EDGES[package]
    found = edges_of(package)
    assert set(found) == set(allowed), "every folder has its row in the table"
    wrong = {
        f"{folder or package} -> {target or package} ({', '.join(sorted(users))})"
        for folder, targets in found.items()
        for target, users in targets.items()
        if target not in allowed[folder]
    }
    assert wrong == set()


@pytest.mark.parametrize("package", ALLOWED_EDGES)
def test_no_folders_import_each_other_in_a_circle(package: str) -> None:
    left = {folder: set(targets) for folder, targets in edges_of(package).items()}
    while free := {folder for folder, targets in left.items() if not targets & set(left)}:
        left = {folder: targets for folder, targets in left.items() if folder not in free}
    assert set(left) == set()


@pytest.mark.parametrize("package", ALLOWED_EDGES)
def test_every_folder_says_in_a_docstring_what_is_in_it(package: str) -> None:
    (root,) = (path for path in SOURCES.values() if path.name == package)
    silent = {
        str(folder.relative_to(ROOT))
        for folder in {module.parent for module in root.rglob("*.py")}
        if not (init := folder / "__init__.py").is_file()
        or not ast.get_docstring(ast.parse(init.read_text(encoding="utf-8")))
    }
    assert silent == set()


def test_sql_is_written_in_the_journal_the_stores_and_the_database_only() -> None:
    found = {
        path
        for part in ("shared", "desktop", "receiver")
        for module in modules(part)
        if not (path := module.relative_to(ROOT).as_posix()).startswith(SQL_OWNERS)
        and any(SQL.search(text) for text in strings_of(module))
    }
    assert found == set()


def test_only_the_clock_asks_the_time() -> None:
    wrong = {
        f"{module.relative_to(ROOT)} imports {name}"
        for part in ("shared", "desktop", "receiver")
        for module in modules(part)
        for name in imports_of(module)
        if name == "time" and module.name != "clock.py"
    }
    assert wrong == set()


def test_every_package_runs_without_the_other_ends_libraries() -> None:
    blocked = "import sys; sys.modules.update({'PySide6': None, 'pyspark': None})"
    everything = "import pkgutil, importlib, fieldpost_shared as p, fieldpost_desktop.engine as e"
    walk = (
        "[importlib.import_module(m.name) for q in (p, e) for m in pkgutil.walk_packages(q.__path__, q.__name__ + '.')]"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", f"{blocked}; {everything}; {walk}"], check=True)


def test_only_the_failure_policy_of_the_uploader_reads_retry_rules() -> None:
    readers = {
        str(module.relative_to(SOURCES["desktop"]))
        for module in modules("desktop")
        if "fieldpost_shared.codes.Retry" in imports_of(module)
        or re.search(r"CODES\[[^]]+\]\.retry|\.failure\.retry", module.read_text(encoding="utf-8"))
    }
    assert readers == RETRY_RULE_READERS | RETRY_RULE_SPEAKERS
