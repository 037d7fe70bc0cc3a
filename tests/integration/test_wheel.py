# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The built wheel in an environment of its own, installed without a network: both ends work from there.

The folder of wheels stays in build/: the first run takes a minute or two, each later one builds only our own wheel.
"""

import json
import os
import shutil
import signal
import subprocess
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.brokers import Topics
from support.processes.cli import CLIENT, write_profile
from support.samples import digest, make
from support.waiting import wait_until

ROOT = Path(__file__).parents[2]
WHEELHOUSE = ROOT / "build/wheelhouse"
pytestmark = pytest.mark.timeout(600)  # the first run fetches Spark


@dataclass(frozen=True)
class Installed:
    """An environment outside the source tree."""

    folder: Path
    with_the_receiver_alone: frozenset[str]

    def program(self, name: str) -> str:
        return str(self.folder / "bin" / name)

    @property
    def environment(self) -> dict[str, str]:
        """Ours without anything that leads back to the source tree or to its environment."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV", "PIP"))}
        return kept | {"SPARK_LOCAL_IP": "127.0.0.1", "QT_QPA_PLATFORM": "offscreen"}

    def run(self, name: str, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program(name), *arguments],
            cwd=self.folder,
            env=self.environment | variables,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def python(self, code: str) -> str:
        done = self.run("python", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    subprocess.run([ROOT / "packaging/wheelhouse.sh"], check=True, stdout=subprocess.DEVNULL)
    folder = tmp_path_factory.mktemp("installed") / "fieldpost"
    venv.create(folder, with_pip=True, symlinks=True)
    _install(folder, "fieldpost[receiver]")
    listed = subprocess.run([folder / "bin/pip", "list", "--format=json"], check=True, capture_output=True, text=True)
    packages = frozenset(str(package["name"]).lower() for package in json.loads(listed.stdout))
    _install(folder, "fieldpost[desktop]")
    yield Installed(folder, packages)
    shutil.rmtree(folder)  # pytest keeps its folders, and Spark is large


def _install(folder: Path, what: str) -> None:
    """`--isolated`: what this machine's settings say about registries does not count."""
    command: list[str | Path] = [
        folder / "bin/pip",
        "--isolated",
        "install",
        "-q",
        "--no-index",
        "--find-links",
        WHEELHOUSE,
        what,
    ]
    subprocess.run(command, check=True, cwd=folder)


@pytest.fixture
def office(topics: Topics, tmp_path: Path) -> dict[str, str]:
    """What differs from the sample configuration, as variables."""
    (tmp_path / "destination").mkdir()
    return {
        "FIELDPOST_RECEIVER_STATE_DIR": str(tmp_path / "state"),
        "FIELDPOST_RECEIVER_DESTINATION": str(tmp_path / "destination"),
        "FIELDPOST_RECEIVER_MIN_FREE_SPACE": "100MiB",
        "FIELDPOST_KAFKA_BOOTSTRAP_SERVERS": topics.bootstrap_servers,
        "FIELDPOST_KAFKA_FILES_TOPIC": topics.files,
        "FIELDPOST_KAFKA_STATUS_TOPIC": topics.status,
        "FIELDPOST_HTTP_LISTEN": "off",
    }


def sample(installed: Installed) -> Path:
    return installed.folder / "share/fieldpost/receiver.toml"


def test_nothing_comes_from_the_source_tree_and_each_end_brings_only_its_own(installed: Installed) -> None:
    where = installed.python(
        "import fieldpost_desktop, fieldpost_receiver, fieldpost_shared as s; from pathlib import Path;"
        "print(*{Path(m.__file__).parents[1] for m in (fieldpost_desktop, fieldpost_receiver, s)})"
    )
    assert Path(where).is_relative_to(installed.folder)
    assert "pyspark" in installed.with_the_receiver_alone
    assert not {"pyside6-essentials", "keyring", "watchdog"} & installed.with_the_receiver_alone


def test_the_wheel_carries_pictures_languages_and_the_files_for_a_service(installed: Installed) -> None:
    for folder, ending in (("widgets/icons", "svg"), ("text/translations", "qm")):
        here = ROOT / "desktop/fieldpost_desktop/ui" / folder
        code = f"from importlib.resources import files as f; d = f('fieldpost_desktop.ui') / '{folder}'"
        found = installed.python(f"{code}; print(*sorted(p.name for p in d.iterdir() if p.name.endswith('.{ending}')))")
        assert found.split() == sorted(path.name for path in here.glob(f"*.{ending}"))
    for name, source in (
        ("share/fieldpost/receiver.toml", "packaging/receiver.toml"),
        ("share/fieldpost/systemd/fieldpost-receiver.service", "packaging/systemd/fieldpost-receiver.service"),
        ("share/fieldpost/systemd/fieldpost.sysusers", "packaging/systemd/fieldpost.sysusers"),
        ("share/fieldpost/systemd/fieldpost.tmpfiles", "packaging/systemd/fieldpost.tmpfiles"),
        ("share/doc/fieldpost/operations.md", "docs/operations.md"),
    ):
        assert digest(installed.folder / name) == digest(ROOT / source)


def test_the_installed_program_passes_its_self_test(installed: Installed, tmp_path: Path) -> None:
    done = installed.run("fieldpost", "self-test", tmp_path / "result.json")
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert (done.returncode, result["ok"]) == (0, True), result


def test_a_file_goes_from_the_installed_uploader_to_the_installed_receiver(
    installed: Installed, topics: Topics, office: dict[str, str], tmp_path: Path
) -> None:
    checked = installed.run("fieldpost-receiver", "check", "--config", sample(installed), **office)
    assert checked.returncode == 0, checked.stdout
    source = make(tmp_path / "in", "survey.bin", 5_000_000)
    log = tmp_path / "receiver.log"
    with log.open("wb") as stream:
        receiver = subprocess.Popen(
            [installed.program("fieldpost-receiver"), "run", "--config", sample(installed)],
            cwd=tmp_path,
            env=installed.environment | office,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        wait_until(lambda: '"reading ' in log.read_text(encoding="utf-8"), 60, f"the receiver to read; see {log}")
        profile = write_profile(tmp_path / "office.fieldpost", topics)
        options = ("--data-dir", tmp_path / "data", "--profile", profile, "--json", "--timeout", "60")
        sent = installed.run("fieldpost", "send", *options, source)
        assert sent.returncode == 0, sent.stderr
        assert json.loads(sent.stdout)["sha256"] == digest(source)
        assert digest(tmp_path / "destination" / CLIENT / source.name) == digest(source)
        receiver.send_signal(signal.SIGTERM)
        assert receiver.wait(45) == 0
    finally:
        if receiver.poll() is None:
            os.killpg(receiver.pid, signal.SIGKILL)
            receiver.wait()
    assert str(ROOT) not in log.read_text(encoding="utf-8")
