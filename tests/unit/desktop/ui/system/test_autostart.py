# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

import pytest

from fieldpost_desktop.ui.system.autostart import (
    HIDDEN,
    MemoryAutostart,
    NoAutostart,
    XdgAutostart,
    own_program,
    system_autostart,
)
from fieldpost_shared.errors import SettingsError


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config"


def entry(config: Path) -> Path:
    return config / "autostart" / "fieldpost.desktop"


def exec_line(config: Path) -> str:
    lines = entry(config).read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("Exec="))


# the twin


def test_the_twin_is_turned_on_and_off() -> None:
    autostart = MemoryAutostart("C:/Fieldpost/fieldpost.exe")
    assert not autostart.is_on()
    autostart.turn(on=True)
    assert autostart.entry == f'"C:/Fieldpost/fieldpost.exe" {HIDDEN}'
    autostart.turn(on=False)
    assert not autostart.is_on()


def test_an_entry_with_an_old_path_is_mended_at_the_next_start() -> None:
    autostart = MemoryAutostart("D:/new/fieldpost.exe", entry='"C:/old/fieldpost.exe" --hidden')
    assert autostart.repair(wanted=True)
    assert autostart.entry == '"D:/new/fieldpost.exe" --hidden'
    assert not autostart.repair(wanted=True)


def test_the_preference_decides_whether_there_is_an_entry() -> None:
    autostart = MemoryAutostart()
    assert autostart.repair(wanted=True)
    assert autostart.is_on()
    assert autostart.repair(wanted=False)
    assert not autostart.is_on()
    assert not autostart.repair(wanted=False)


# Linux


def test_a_desktop_file_starts_the_program_hidden(config: Path) -> None:
    autostart = XdgAutostart(Path("/opt/fieldpost/fieldpost"), config)
    autostart.turn(on=True)
    assert autostart.is_on()
    assert exec_line(config) == 'Exec="/opt/fieldpost/fieldpost" --hidden'
    autostart.turn(on=False)
    assert not autostart.is_on()
    assert list(entry(config).parent.iterdir()) == []


def test_turning_off_what_is_off_does_nothing(config: Path) -> None:
    XdgAutostart(Path("/opt/fieldpost"), config).turn(on=False)
    assert not config.exists()


def test_a_moved_program_still_starts_at_sign_in(config: Path) -> None:
    XdgAutostart(Path("/old/fieldpost"), config).turn(on=True)
    moved = XdgAutostart(Path("/new/fieldpost"), config)
    assert moved.repair(wanted=True)
    assert exec_line(config) == 'Exec="/new/fieldpost" --hidden'
    assert not moved.repair(wanted=True)


def test_the_entry_follows_the_preference(config: Path) -> None:
    autostart = XdgAutostart(Path("/opt/fieldpost"), config)
    assert autostart.repair(wanted=True)
    assert autostart.is_on()
    assert autostart.repair(wanted=False)
    assert not entry(config).exists()
    assert not autostart.repair(wanted=False)


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false", "hidden = True"])
def test_what_the_desktop_turned_off_stays_off_until_it_is_turned_on_here(config: Path, line: str) -> None:
    autostart = XdgAutostart(Path("/opt/fieldpost"), config)
    autostart.turn(on=True)
    entry(config).write_text(entry(config).read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    assert not autostart.is_on()
    assert not autostart.repair(wanted=True)
    assert not autostart.is_on()
    autostart.turn(on=True)
    assert autostart.is_on()


def test_no_character_of_a_path_is_acted_upon(config: Path) -> None:
    XdgAutostart(Path('/opt/100% "mine"/$HOME/back\\slash`'), config).turn(on=True)
    # Once for the value of the file (each backslash doubled), once for the command line.
    assert exec_line(config) == ('Exec="/opt/100%% \\\\"mine\\\\"/\\\\$HOME/back\\\\\\\\slash\\\\`" --hidden')


def test_a_folder_that_cannot_be_made_is_told(config: Path) -> None:
    config.write_text("a file is in the way", encoding="utf-8")
    with pytest.raises(SettingsError, match="autostart"):
        XdgAutostart(Path("/opt/fieldpost"), config).turn(on=True)


# which program


def test_the_frozen_program_starts_itself(tmp_path: Path) -> None:
    exe = tmp_path / "fieldpost.exe"
    exe.touch()
    assert own_program(exe, ["whatever"], frozen=True) == exe


def test_the_program_for_terminals_starts_the_one_with_the_window(tmp_path: Path) -> None:
    (tmp_path / "fieldpost.exe").touch()
    assert own_program(tmp_path / "fieldpost-console.exe", [], frozen=True) == tmp_path / "fieldpost.exe"


def test_without_the_one_with_the_window_the_terminals_one_must_do(tmp_path: Path) -> None:
    console = tmp_path / "fieldpost-console.exe"
    assert own_program(console, [], frozen=True) == console


@pytest.mark.parametrize(("there", "said"), [("fieldpost", "fieldpost"), ("fieldpost.exe", "fieldpost")])
def test_the_installed_script_is_started(tmp_path: Path, there: str, said: str) -> None:
    (tmp_path / there).touch()
    found = own_program(Path(sys.executable), [str(tmp_path / said)], frozen=False)
    assert found == tmp_path / there


@pytest.mark.parametrize("arguments", [[], [""], ["-c"], ["src/__main__.py"], ["nowhere/fieldpost"]])
def test_a_source_tree_is_never_started_at_sign_in(arguments: list[str]) -> None:
    assert own_program(Path(sys.executable), arguments, frozen=False) is None


def test_a_run_from_the_source_tree_touches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pytest"])
    autostart = system_autostart({"XDG_CONFIG_HOME": str(tmp_path)})
    assert isinstance(autostart, NoAutostart)
    autostart.turn(on=True)
    assert not autostart.repair(wanted=True)
    assert not autostart.is_on()
    assert not autostart.possible
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Linux keeps it in a file")
@pytest.mark.parametrize(("given", "used"), [("config", "config"), ("", "home/.config")])
def test_linux_keeps_it_in_the_users_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, used: str
) -> None:
    script = tmp_path / "fieldpost"
    script.touch()
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    autostart = system_autostart({"XDG_CONFIG_HOME": str(tmp_path / given) if given else "relative/path"})
    autostart.turn(on=True)
    assert entry(tmp_path / used).exists()
