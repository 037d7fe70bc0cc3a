# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Rules about the project's files: version, licence, pins, hosts and paths, commands."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires, version
from pathlib import Path

import pytest

from fieldpost_shared.version import __version__

ROOT = Path(__file__).parents[3]


def project_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]


def test_each_end_installs_without_the_other_ends_libraries() -> None:
    wanted = requires("fieldpost") or []
    base = {line for line in wanted if "extra ==" not in line}
    desktop = {line for line in wanted if re.search(r"extra == .desktop.", line)}
    receiver = {line for line in wanted if re.search(r"extra == .receiver.", line)}
    assert not any(line.lower().startswith(("pyspark", "pyarrow")) for line in base | desktop)
    assert not any(line.lower().startswith(("pyside6", "keyring", "watchdog")) for line in base | receiver)


def test_the_version_is_said_in_one_place() -> None:
    assert version("fieldpost") == __version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" in project["dynamic"]
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_file_names_a_host_of_a_registry_or_a_path_of_a_machine() -> None:
    hosts = re.compile(r"pypi\.org|pythonhosted|repo[.\d]*\.maven|deb\.debian|registry\.npmjs|proxy\.golang|crates\.io")
    paths = re.compile(r"/(?:work|root|home/\w+)/[\w.]")
    wrong = {
        str(path.relative_to(ROOT))
        for path in project_files()
        if path != Path(__file__)
        and path.suffix not in {".png", ".ico", ".qm"}
        and (text := path.read_text(encoding="utf-8"))
        and (hosts.search(text) or paths.search(text))
    }
    assert wrong == set()


def test_constraints_hold_names_and_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9._-]+==[\w.]+(?:  # .+)?", pin) for pin in pins)


def test_every_python_file_carries_its_licence() -> None:
    bare = {
        str(path.relative_to(ROOT))
        for path in project_files()
        if path.suffix == ".py" and "SPDX-License-Identifier: Apache-2.0" not in path.read_text(encoding="utf-8")[:200]
    }
    assert bare == set()


def test_make_alone_lists_every_target() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for target in ("setup", "demo", "unit", "test", "check", "changelog", "broker", "bench", "faults", "exe"):
        assert f"make {target} " in shown


@pytest.mark.parametrize("program", ["fieldpost", "fieldpost-receiver"])
def test_both_programs_tell_their_version(program: str) -> None:
    script = Path(sys.executable).with_name(program)
    said = subprocess.run([script, "--version"], check=True, capture_output=True, text=True).stdout
    assert __version__ in said


def test_every_tests_name_is_a_promise_of_at_most_80_characters() -> None:
    named = re.compile(r"def (test_\w+)")
    long = {
        name
        for path in project_files()
        if path.suffix == ".py" and path.is_relative_to(ROOT / "tests")
        for name in named.findall(path.read_text(encoding="utf-8"))
        if len(name) > 80
    }
    assert long == set()
