# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Installs, upgrades and removes under Wine: `python -m installer.prove SETUP.exe PORTABLE.zip RESULTS`.

RESULTS/proof.json says what was seen and how long it took. The steps build on one another.
"""

import hashlib
import json
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from fieldpost_desktop.ui.app import APP_ID
from fieldpost_shared.version import __version__
from installer.laptop import Laptop, check, wait_for
from installer.portable import TOP
from installer.shortcut import read_shortcut
from windows.examine import failed_parts

_RUN: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"
_UNINSTALL: Final = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Fieldpost"
_FILE_TYPE: Final = r"Software\Classes\Fieldpost.Settings"
_OURS: Final = {"organisation.fieldpost", "uninstall.exe"}  # beside the program
_FAILED, _STILL_RUNS = 2, 3  # how the installer ends, see fieldpost.nsi
_START_S: Final = 90.0
_END_S: Final = 60.0


class Proof:
    """What the installer is for, step by step."""

    def __init__(self, laptop: Laptop, setup: Path, portable: Path, results: Path) -> None:
        self._laptop, self._setup, self._portable, self._results = laptop, setup, portable, results
        self._program = laptop.programs / "fieldpost.exe"
        self._console = laptop.programs / "fieldpost-console.exe"
        self._before = laptop.files()
        self.seen: dict[str, Any] = {"version": __version__, "steps": {}}

    def step(self, name: str, action: Callable[[], None]) -> None:
        """Do it, and keep how long it took."""
        started = time.monotonic()
        action()
        self.seen["steps"][name] = round(time.monotonic() - started, 1)
        print(f"  {name}: {self.seen['steps'][name]} s")

    # coming

    def refuses_a_missing_settings_file(self) -> None:
        code = self._install(f"/PROFILE={self._laptop.there(self._results / 'none.fieldpost')}")
        check(code == _FAILED and not self._laptop.programs.exists(), f"it ended with {code}, or left something")

    def installs(self) -> None:
        profile = self._results / "head office.fieldpost"
        profile.write_text("{}", encoding="utf-8")
        code = self._install(f"/PROFILE={self._laptop.there(profile)}")
        check(code == 0, f"it ended with {code}")

    def holds_the_same_files_as_the_zip(self) -> None:
        with zipfile.ZipFile(self._portable) as archive:
            packed = {name.removeprefix(f"{TOP}/"): _digest(archive.read(name)) for name in archive.namelist()}
        installed = _digests(self._laptop.programs)
        check(installed.keys() - packed.keys() == _OURS, f"more or less lies there: {installed.keys() ^ packed.keys()}")
        check(installed | packed == installed, "files differ from those in the ZIP")
        self.seen["files"] = len(packed)

    def is_known_to_windows(self) -> None:
        exe, place = self._laptop.there(self._program), self._laptop.there(self._laptop.programs)
        wanted = {
            (_RUN, "Fieldpost"): f'"{exe}" --hidden',
            (r"Software\Classes\.fieldpost", ""): "Fieldpost.Settings",
            (rf"{_FILE_TYPE}\shell\open\command", ""): f'"{exe}" open "%1"',
            (_UNINSTALL, "DisplayName"): "Fieldpost",
            (_UNINSTALL, "DisplayVersion"): __version__,
            (_UNINSTALL, "Publisher"): "The Fieldpost authors",
            (_UNINSTALL, "InstallLocation"): place,
            (_UNINSTALL, "UninstallString"): f'"{place}\\uninstall.exe"',
            (_UNINSTALL, "QuietUninstallString"): f'"{place}\\uninstall.exe" /S',
        }
        registry = self._laptop.registry()
        found = {where: registry.get(where) for where in wanted}
        check(found == wanted, f"the registry has {found}, wanted {wanted}")
        kilobytes = int(registry[_UNINSTALL, "EstimatedSize"])
        real = sum(file.stat().st_size for file in self._laptop.programs.rglob("*") if file.is_file()) // 1024
        check(abs(kilobytes - real) < real // 20, f"it says {kilobytes} KB and has {real}")
        self.seen["installed_kb"] = real

    def has_its_shortcuts(self) -> None:
        menus = self._laptop.roaming / "Microsoft/Windows"
        start = read_shortcut(menus / "Start Menu/Programs/Fieldpost.lnk")
        send_to = read_shortcut(menus / "SendTo/Fieldpost.lnk")
        exe = self._laptop.there(self._program)
        check((start.target, start.arguments) == (exe, ""), f"the Start menu starts {start}")
        check((send_to.target, send_to.arguments) == (exe, "open"), f"Send to starts {send_to}")
        self.seen["app_id_in_start_menu"] = start.has_app_id(APP_ID)  # Wine does not keep it

    def tests_itself(self) -> None:
        result = self._results / "self-test.json"
        code = self._laptop.run(self._console, "self-test", self._laptop.there(result))
        failed = failed_parts(result)
        check(code == 0 and not failed, f"the self-test ended with {code}: {failed}")
        self.seen["self_test"] = json.loads(result.read_text(encoding="utf-8"))["parts"]

    # staying

    def upgrades_a_running_copy(self) -> None:
        file = self._results / "Messung Größe 1.bin"
        file.write_bytes(b"0123456789" * 1000)
        self._laptop.said(self._console, "send", "--no-wait", self._laptop.there(file))
        running = self._open()
        self._laptop.set_value(_UNINSTALL, "DisplayVersion", "0.0.1")
        stale = self._laptop.programs / "_internal/of_an_earlier_version.pyd"
        stale.write_bytes(b"")
        check(self._install() == 0, "the upgrade failed")
        wait_for(lambda: self._laptop.running("--hidden") - running, _START_S, "the app to run again")
        check(not self._laptop.running("--hidden") & running, "the earlier app still runs")
        check(not stale.exists(), "a file of the earlier version stayed")
        check(not (self._laptop.programs / "previous").exists(), "the earlier version stayed aside")
        check((self._laptop.programs / "organisation.fieldpost").exists(), "the settings file is gone")
        self.is_known_to_windows()
        check(file.name in self._laptop.said(self._console, "status"), "the queue was lost")

    def gives_up_if_it_cannot_end_it(self) -> None:
        """A command of the installed program that is no app: nobody may kill it."""
        watched = self._results / "watched"
        watched.mkdir(exist_ok=True)
        own = ("--data-dir", self._laptop.there(self._results / "own"))
        before = _digests(self._laptop.programs)
        self._laptop.start(self._console, "watch", *own, self._laptop.there(watched))
        wait_for((self._results / "own/journal.db").exists, _START_S, "the watching to begin")
        code = self._install()
        check(code == _STILL_RUNS, f"it ended with {code}")
        check(_digests(self._laptop.programs) == before, "the program was touched nevertheless")
        check(self._laptop.running("watch"), "the watching was ended")
        wait_for(lambda: self._laptop.running("--hidden"), _START_S, "the app to run again")
        self._laptop.run("taskkill", "/f", "/im", "fieldpost-console.exe")
        wait_for(lambda: not self._laptop.running("watch"), _END_S, "the watching to end")

    # going

    def goes_and_keeps_the_queue(self) -> None:
        check(self._laptop.running("--hidden"), "there is no running app to remove")
        self._remove()
        left = self._laptop.files() - self._before
        strange = {path for path in left if not path.is_relative_to(self._laptop.data)}
        check(not strange, f"these were left: {sorted(map(str, strange))}")
        check((self._laptop.data / "journal.db").exists(), "the queue was removed")

    def goes_with_the_queue_if_told(self) -> None:
        check(self._install() == 0, "it does not install any more")
        self._remove("/DELETEDATA")
        left = self._laptop.files() - self._before
        check(not left, f"these were left: {sorted(map(str, left))}")

    def left_nothing_in_the_registry(self) -> None:
        registry = self._laptop.registry().items()
        left = [item for item in registry if "fieldpost" in repr(item).lower()]
        check(not left, f"these were left: {left}")

    def needs_no_installation(self) -> None:
        with zipfile.ZipFile(self._portable) as archive:
            archive.extractall(self._results / "portable")
        said = self._laptop.said(self._results / "portable" / TOP / "fieldpost-console.exe", "--version")
        check(said == f"Fieldpost {__version__}", f"the one in the ZIP says {said!r}")

    # hands

    def _install(self, *arguments: str) -> int:
        return self._laptop.run(self._setup, "/S", *arguments)

    def _open(self) -> set[int]:
        """The app as it starts with Windows, until it has its data."""
        lock = self._laptop.data / "engine.lock"
        before = lock.stat().st_mtime_ns
        self._laptop.start(self._program, "--hidden")
        wait_for(lambda: lock.stat().st_mtime_ns != before, _START_S, "the app to open its queue")
        return self._laptop.running("--hidden")

    def _remove(self, *arguments: str) -> None:
        """Windows' own way: the uninstaller goes on as a copy, since no program can remove itself."""
        remover = self._laptop.programs / "uninstall.exe"
        check(self._laptop.run(remover, "/S", *arguments) == 0, "the uninstaller failed")
        wait_for(
            lambda: (_UNINSTALL, "") not in self._laptop.registry(), _END_S, "its entry in the list of programs to go"
        )
        wait_for(lambda: not self._laptop.programs.exists(), _END_S, "the program's folder to go")


def main() -> int:
    """Hold the proof; raises ProofFailed at the first thing that is wrong."""
    setup, portable, results = (Path(argument).resolve() for argument in sys.argv[1:])
    proof = Proof(Laptop(), setup, portable, results)
    proof.seen["setup_bytes"], proof.seen["portable_bytes"] = setup.stat().st_size, portable.stat().st_size
    for action in (
        proof.refuses_a_missing_settings_file,
        proof.installs,
        proof.holds_the_same_files_as_the_zip,
        proof.is_known_to_windows,
        proof.has_its_shortcuts,
        proof.tests_itself,
        proof.upgrades_a_running_copy,
        proof.gives_up_if_it_cannot_end_it,
        proof.goes_and_keeps_the_queue,
        proof.goes_with_the_queue_if_told,
        proof.left_nothing_in_the_registry,
        proof.needs_no_installation,
    ):
        proof.step(action.__name__, action)
    (results / "proof.json").write_text(f"{json.dumps(proof.seen, indent=2)}\n", encoding="utf-8")
    return 0


def _digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _digest(path.read_bytes()) for path in files}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
