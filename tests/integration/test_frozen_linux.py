# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The recipe of the frozen program, tried out on Linux: `make exe-linux`. `make exe` tries it under Wine."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_shared.version import __version__

ROOT = Path(__file__).parents[2]
BUILD_S = 400  # 26 s on an idle machine

pytestmark = pytest.mark.timeout(BUILD_S + 60)


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What the script leaves: the program and the result of its own test."""
    folder = tmp_path_factory.mktemp("frozen")
    built = subprocess.run(
        [ROOT / "packaging/linux/build.sh"],
        env=os.environ | {"FIELDPOST_FROZEN": str(folder)},
        capture_output=True,
        text=True,
        timeout=BUILD_S,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    yield folder
    shutil.rmtree(folder)  # 200 MB


def run(
    frozen: Path, *arguments: str, closing: str = "", program: str = "fieldpost"
) -> subprocess.CompletedProcess[str]:
    """The frozen program, with nothing of this machine's settings; `closing` may close what it would write to."""
    command = [str(frozen / "dist/fieldpost" / program), "--data-dir", str(frozen / "data"), *arguments]
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closing}', "sh", *command],
        env={"HOME": str(frozen), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_frozen_program_passes_its_own_test(frozen: Path) -> None:
    result = json.loads((frozen / "self-test.json").read_text(encoding="utf-8"))
    assert result["ok"] is True
    assert result["about"]["packaged"] == "yes"
    outcomes = {name: part["outcome"] for name, part in result["parts"].items()}
    assert outcomes.pop("vault") in {"ok", "skipped"}, "a server has no keyring"
    assert outcomes == dict.fromkeys(outcomes, "ok")
    assert {"window", "tray", "icons", "languages", "kafka", "bundle"} <= outcomes.keys()


def test_both_frozen_programs_say_their_version(frozen: Path) -> None:
    for program in ("fieldpost", "fieldpost-console"):
        assert run(frozen, "--version", program=program).stdout == f"Fieldpost {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--version",), Exit.DONE),
        (("--help",), Exit.DONE),
        (("status",), Exit.DONE),
        (("history", "--json"), Exit.DONE),
        (("no-such-command",), Exit.USAGE),
        (("send", "no such file"), Exit.USAGE),
        (("check",), Exit.NOT_SET_UP),
    ],
)
def test_a_program_without_input_and_output_ends_as_it_should(
    frozen: Path, arguments: tuple[str, ...], code: Exit
) -> None:
    """As the windowed program of Windows: its sys.stdin, sys.stdout and sys.stderr are None."""
    assert run(frozen, *arguments, closing="<&- >&- 2>&-").returncode == code


def test_the_frozen_program_brings_its_licences(frozen: Path) -> None:
    folder = frozen / "dist/fieldpost/licences"
    names = {path.name for path in folder.iterdir()}
    assert {"README.txt", "fieldpost", "python", "pyside6_essentials", "shiboken6", "confluent-kafka"} <= names


def test_the_frozen_program_has_only_the_parts_of_qt_that_it_needs(frozen: Path) -> None:
    names = {path.name for path in (frozen / "dist/fieldpost").rglob("*")}
    assert {"libqxcb.so", "libqoffscreen.so", "qtbase_de.qm", "fieldpost_de.qm"} <= names
    assert names.isdisjoint({"libqgtk3.so", "libqminimal.so", "libqtiff.so", "qtbase_fr.qm", "libQt6Quick.so.6"})
