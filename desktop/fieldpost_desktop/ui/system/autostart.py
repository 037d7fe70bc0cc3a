# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The port to what the operating system starts at sign-in, and its implementations.

The person's preference is the truth, and the entry follows it; where the system has its own switch that turns an
entry off without removing it (Task Manager, the desktop's settings), that switch is left alone.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from fieldpost_shared.errors import SettingsError
from fieldpost_shared.whole_file import whole_file

HIDDEN: Final = "--hidden"

_NAME: Final = "Fieldpost"
_SCRIPT: Final = "fieldpost"
_CONSOLE: Final = "-console"  # of the frozen program that is for terminals
_RUN: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"


class Autostart(Protocol):
    """One entry: ours. Everything here may block, and `turn` and `repair` raise SettingsError if it cannot be done."""

    @property
    def possible(self) -> bool:
        """Whether there is something to start; known without asking the system."""

    def is_on(self) -> bool:
        """Return whether the system starts the app at sign-in."""

    def turn(self, *, on: bool) -> None:
        """Make the entry, or remove it."""

    def repair(self, *, wanted: bool) -> bool:
        """Make the entry what is wanted, with the path that the app has now; return whether it was not so."""


class NoAutostart:
    """For a run from the source tree or with a data folder of its own: touches nothing."""

    possible: Final = False

    def is_on(self) -> bool:
        return False

    def turn(self, *, on: bool) -> None:
        pass

    def repair(self, *, wanted: bool) -> bool:  # noqa: ARG002 - the port's signature
        return False


class CommandEntry(ABC):
    """An entry that is one command line, wherever it is kept."""

    possible: Final = True

    def __init__(self, program: str) -> None:
        self._command = f'"{program}" {HIDDEN}'

    def is_on(self) -> bool:
        return self._read() is not None

    def turn(self, *, on: bool) -> None:
        self._write(self._command if on else None)

    def repair(self, *, wanted: bool) -> bool:
        if self._read() == (self._command if wanted else None):
            return False
        self.turn(on=wanted)
        return True

    @abstractmethod
    def _read(self) -> str | None:
        """Return the command line; None without an entry."""

    @abstractmethod
    def _write(self, command: str | None) -> None:
        """Keep it; None: have no entry."""


class MemoryAutostart(CommandEntry):
    """The twin: `entry` is what the system would start."""

    def __init__(self, program: str = _SCRIPT, entry: str | None = None) -> None:
        super().__init__(program)
        self.entry = entry

    def _read(self) -> str | None:
        return self.entry

    def _write(self, command: str | None) -> None:
        self.entry = command


class XdgAutostart:
    """A desktop file in the folder that all Linux desktops read."""

    possible: Final = True

    def __init__(self, program: Path, config: Path) -> None:
        self._entry = config / "autostart" / "fieldpost.desktop"
        self._text = _desktop_entry(program)

    def is_on(self) -> bool:
        text = self._read()
        return bool(text) and not _turned_off(text)

    def turn(self, *, on: bool) -> None:
        try:
            if on:
                self._entry.parent.mkdir(parents=True, exist_ok=True)
                with whole_file(self._entry) as unfinished:
                    unfinished.write_text(self._text, encoding="utf-8")
            else:
                self._entry.unlink(missing_ok=True)
        except OSError as error:
            raise SettingsError("autostart", f"{self._entry}: {error.strerror}") from error

    def repair(self, *, wanted: bool) -> bool:
        text = self._read()
        if text == (self._text if wanted else "") or _turned_off(text):
            return False
        self.turn(on=wanted)
        return True

    def _read(self) -> str:
        try:
            return self._entry.read_text(encoding="utf-8", errors="replace")
        except OSError:  # none, or an unreadable one: both are written anew
            return ""


if sys.platform == "win32":
    import winreg

    class WindowsAutostart(CommandEntry):
        """A value of the user's own Run key: no rights needed."""

        def _read(self) -> str | None:
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
                    return str(winreg.QueryValueEx(key, _NAME)[0])
            except OSError:  # none, or an unreadable one: both are written anew
                return None

        def _write(self, command: str | None) -> None:
            try:
                with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, _RUN, access=winreg.KEY_SET_VALUE) as key:
                    if command is None:
                        winreg.DeleteValue(key, _NAME)
                    else:
                        winreg.SetValueEx(key, _NAME, 0, winreg.REG_SZ, command)
            except FileNotFoundError:
                pass  # there was none
            except OSError as error:
                raise SettingsError("autostart", f"the Run key of this user: {error.strerror}") from error

    def _for_this_system(program: Path, environ: Mapping[str, str]) -> Autostart:  # noqa: ARG001 - only Linux asks it
        return WindowsAutostart(str(program))
else:

    def _for_this_system(program: Path, environ: Mapping[str, str]) -> Autostart:
        given = environ.get("XDG_CONFIG_HOME", "")
        # The specification has a relative path passed over.
        config = Path(given) if given.startswith("/") else Path.home() / ".config"
        return XdgAutostart(program, config)


def system_autostart(environ: Mapping[str, str]) -> Autostart:
    """Return what fits this run of the program; it has read nothing yet."""
    program = own_program(Path(sys.executable), sys.argv, frozen=bool(getattr(sys, "frozen", False)))
    return NoAutostart() if program is None else _for_this_system(program, environ)


def own_program(executable: Path, arguments: Sequence[str], *, frozen: bool) -> Path | None:
    """Return the file that starts the app: the frozen program or the console script; None in a source tree."""
    if frozen:
        window = executable.with_name(executable.name.replace(_CONSOLE, ""))
        return window if window.exists() else executable
    script = Path(arguments[0]).absolute() if arguments and arguments[0] else None
    if script is None or script.stem != _SCRIPT:
        return None
    # Windows leaves the ending out of the first argument.
    return next((path for path in (script, script.with_suffix(".exe")) if path.is_file()), None)


def _desktop_entry(program: Path) -> str:
    lines = ("[Desktop Entry]", "Type=Application", f"Name={_NAME}", f"Exec={_exec(str(program))} {HIDDEN}")
    return "\n".join((*lines, "Icon=fieldpost", "Terminal=false", ""))


def _exec(program: str) -> str:
    """Quote twice, as the specification has it: for the command line, and for a value of the file."""
    for special in ("\\", '"', "`", "$"):
        program = program.replace(special, f"\\{special}")
    return '"' + program.replace("%", "%%").replace("\\", "\\\\") + '"'


def _turned_off(text: str) -> bool:
    """Return whether the desktop's own settings turned the entry off."""
    lines = {line.replace(" ", "").lower() for line in text.splitlines()}
    return bool(lines & {"hidden=true", "x-gnome-autostart-enabled=false"})
