# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a service: the files for systemd, and what a service manager hears of the real receiver."""

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from fieldpost_receiver.cli import _parser
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, TEMPORARY, USAGE
from support.brokers import Topics
from support.processes.receiver import Receiver
from support.waiting import wait_until

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "packaging/systemd"
UNIT = SYSTEMD / "fieldpost-receiver.service"
PREFIX = "/opt/fieldpost"
MOST_EXPOSED = 20  # tenths, as `systemd-analyze security` counts; a service without any protection has 96
QUIET_S = 4.0  # 8 signs of life long
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid

has_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders to another user")


def settings(path: Path) -> dict[str, list[str]]:
    """Every setting of a unit file, in order; a line without a meaning fails."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            key, equals, value = line.partition("=")
            assert equals, line
            found.setdefault(key, []).append(value)
    return found


# what the files say


def test_only_what_a_person_must_mend_keeps_the_service_down() -> None:
    unit = settings(UNIT)
    assert unit["Restart"] == ["on-failure"]
    assert {int(code) for code in unit["RestartPreventExitStatus"][0].split()} == {USAGE, CONFIGURATION}
    assert unit["StartLimitIntervalSec"] == ["0"]
    before = unit["ExecStartPre"]
    assert all(line.startswith("-") for line in before), "systemd restarts after a failed one, whatever its code"


def test_the_unit_starts_the_programs_with_arguments_that_they_take() -> None:
    unit = settings(UNIT)
    lines = [*unit["ExecStartPre"], *unit["ExecStart"]]
    for line, command in zip(lines, ("check", "prepare", "run"), strict=True):
        program, *arguments = line.lstrip("-").split()
        assert program == f"{PREFIX}/bin/fieldpost-receiver"
        assert arguments[0] == command
        assert _parser().parse_args(arguments).config == Path("/etc/fieldpost/receiver.toml")


def test_the_service_may_write_where_the_sample_configuration_says_and_nowhere_else() -> None:
    unit = settings(UNIT)
    sample = tomllib.loads((ROOT / "packaging/receiver.toml").read_text(encoding="utf-8"))["receiver"]
    assert f"/var/lib/{unit['StateDirectory'][0]}" == sample["state_dir"]
    assert unit["ReadWritePaths"] == [f"-{sample['destination']}"]
    assert unit["ProtectSystem"] == ["strict"]
    folders = {line.split()[1] for line in (SYSTEMD / "fieldpost.tmpfiles").read_text().splitlines() if line[:1] == "d"}
    assert folders == {"/etc/fieldpost", sample["state_dir"], sample["destination"]}
    assert f"u {unit['User'][0]} " in (SYSTEMD / "fieldpost.sysusers").read_text()


def test_a_stop_gives_the_batch_its_time_and_the_jvm_may_compile() -> None:
    unit = settings(UNIT)
    assert unit["KillMode"] == ["mixed"], "a signal to the JVM would break the running batch"
    assert int(unit["TimeoutStopSec"][0]) > 30 + 10
    assert unit["MemoryDenyWriteExecute"] == ["no"]
    assert (unit["Type"], unit["NotifyAccess"]) == (["notify"], ["main"])


@has_systemd
def test_systemd_finds_nothing_wrong_with_the_unit_and_calls_it_well_protected(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text(encoding="utf-8").replace(f"{PREFIX}/bin", str(Path(sys.executable).parent)))
    for arguments in (["verify"], ["security", "--offline=true", f"--threshold={MOST_EXPOSED}"]):
        done = subprocess.run(["systemd-analyze", *arguments, unit], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout[-300:]


@has_systemd
@is_root
def test_user_and_folders_are_made_with_the_least_rights(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    root = f"--root={tmp_path}"
    subprocess.run(["systemd-sysusers", root, SYSTEMD / "fieldpost.sysusers"], check=True, capture_output=True)
    subprocess.run(["systemd-tmpfiles", root, "--create", SYSTEMD / "fieldpost.tmpfiles"], check=True)
    users = (tmp_path / "etc/passwd").read_text(encoding="utf-8")
    user = re.search(r"^fieldpost:x:(\d+):(\d+):.*:/var/lib/fieldpost:(.*)$", users, re.MULTILINE)
    assert user is not None
    assert user[3].endswith("nologin")
    owner, group = int(user[1]), int(user[2])
    made = {
        name: ((found := (tmp_path / name).stat()).st_uid, found.st_gid, found.st_mode & 0o7777)
        for name in ("etc/fieldpost", "var/lib/fieldpost", "srv/fieldpost")
    }
    assert made == {
        "etc/fieldpost": (0, group, 0o750),
        "var/lib/fieldpost": (owner, group, 0o700),
        "srv/fieldpost": (owner, group, 0o750),
    }


# what the manager hears


class Message(NamedTuple):
    """One datagram."""

    pid: int
    lines: list[str]


class Manager:
    """Stands for systemd: listens, and knows who spoke."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.bind(str(path))
        self.heard: list[Message] = []

    def hear(self, seconds: float) -> Message | None:
        """The next message; None if there is none for so long."""
        self._socket.settimeout(seconds)
        try:
            data, ancillary, _, _ = self._socket.recvmsg(4096, socket.CMSG_SPACE(CREDENTIALS.size))
        except TimeoutError:
            return None
        (pid, _, _) = CREDENTIALS.unpack(ancillary[0][2][: CREDENTIALS.size])
        self.heard.append(Message(pid, data.decode().splitlines()))
        return self.heard[-1]

    def hears(self, line: str, seconds: float = 20.0) -> bool:
        """Whether that is said from now on."""
        return wait_until(lambda: line in ((message := self.hear(seconds)) or Message(0, [""])).lines, seconds, line)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "1500000")
    with closing(Manager(tmp_path / "notify")) as listening:
        yield listening


@pytest.mark.timeout(240)  # Spark's start on a busy machine
def test_the_manager_hears_of_start_life_silence_and_stop(topics: Topics, tmp_path: Path, manager: Manager) -> None:
    with Receiver(topics, tmp_path / "office") as receiver:
        assert receiver.process is not None
        manager.hears("READY=1")
        assert not any("WATCHDOG=1" in message.lines for message in manager.heard[:-1]), "nothing waits before it"
        manager.hears("WATCHDOG=1")
        manager.hears("STATUS=0 under way, 0 published.")
        jvm = receiver.jvm()
        jvm.send_signal(signal.SIGSTOP)
        wait_until(lambda: manager.hear(QUIET_S) is None, 60, "silence while Spark does not answer")
        jvm.send_signal(signal.SIGCONT)
        manager.hears("WATCHDOG=1")
        receiver.process.send_signal(signal.SIGTERM)
        manager.hears("STOPPING=1")
        assert receiver.process.wait(45) == 0
        assert {message.pid for message in manager.heard} == {receiver.process.pid}, "systemd hears the main one only"
    lines = receiver.log.read_text(encoding="utf-8").splitlines()
    spark = [line for line in map(json.loads, lines) if line["logger"] == "fieldpost_receiver.telemetry.child_output"]
    assert spark, "Spark's words are in the log, and every line of it is JSON"


@pytest.mark.timeout(240)
def test_the_end_of_the_jvm_ends_the_receiver_as_one_to_be_started_again(topics: Topics, tmp_path: Path) -> None:
    with Receiver(topics, tmp_path / "office") as receiver:
        assert receiver.process is not None
        receiver.jvm().kill()
        assert receiver.process.wait(60) == TEMPORARY
