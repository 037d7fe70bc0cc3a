# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost`: the command line of the uploader. Dispatches to a command and ends with its exit code."""

import getpass
import logging
import os
import sqlite3
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final

from fieldpost_desktop.app.assembly import EngineSpec, Options, find_profile, paths_of
from fieldpost_desktop.commands import check, control, diagnostics, profile, quit_app, self_test, send, status, watch
from fieldpost_desktop.commands.arguments import make_parser
from fieldpost_desktop.commands.exit_codes import Exit, WrongUse, exit_of
from fieldpost_desktop.commands.terminal import Terminal, is_interactive, system_terminal
from fieldpost_desktop.commands.words import failure_words
from fieldpost_desktop.engine.journal.store import failure_of
from fieldpost_desktop.engine.profile import settings as engine_settings
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.vault import open_vault
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.support import logs
from fieldpost_desktop.engine.support.diagnostics import Subject
from fieldpost_shared.clock import Clock, SystemClock
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.redaction import Redactor
from fieldpost_shared.saying import safe
from fieldpost_shared.secret import Secret
from fieldpost_shared.version import __version__

_LOG: Final = logging.getLogger(__name__)
_NO_APP: Final = (
    "The window needs Qt, which is not installed here: pip install 'fieldpost[desktop]'. "
    "`fieldpost send PATH` sends files without it; `fieldpost --help` shows the rest."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the console script."""
    terminal = system_terminal()
    program = _Program(make_parser(__version__).parse_args(arguments), terminal)
    _log_unexpected_errors(terminal)
    try:
        return program.run()
    except WrongUse as error:
        terminal.complain(f"fieldpost: {error}")
        return Exit.USAGE
    except FieldpostError as error:
        return program.explain(error)
    except sqlite3.Error as error:
        _LOG.exception("the journal")
        return program.explain(failure_of(error))
    except KeyboardInterrupt:
        terminal.complain("Stopped.")
        return Exit.GAVE_UP
    finally:
        logs.shut_down()


class _Program:
    """The composition root: one for each run."""

    def __init__(self, options: Namespace, terminal: Terminal) -> None:
        self._options = options
        self._terminal = terminal
        self._given = Options(
            data_dir=options.data_dir,
            profile=options.profile,
            bootstrap_servers=options.bootstrap_servers,
            client=options.client,
        )
        self._environ = dict(os.environ)
        self._clock = SystemClock()
        self._paths = paths_of(self._given, self._environ)
        self._redactor = Redactor()
        self.office = "the office"  # until a profile names it

    def run(self) -> Exit:
        """Carry out the command."""
        actions: dict[str | None, Callable[[], Exit]] = {
            None: self._open_app,
            "open": self._open_app,
            "send": self._send,
            "watch": self._watch,
            "status": lambda: status.show_status(*self._here()),
            "history": lambda: status.show_history(*self._here()),
            **dict.fromkeys(("retry", "cancel", "pause", "resume"), self._control),
            "quit": self._quit,
            "check": lambda: check.run(self._spec(), self._options, self._terminal),
            "diagnostics": self._diagnostics,
            "profile": self._profile_command,
            "self-test": lambda: self_test.run(self._clock, self._options, self._terminal),
        }
        return actions[self._options.command]()

    def explain(self, error: FieldpostError) -> Exit:
        """Say what ended the command."""
        _LOG.info("ended by %s", error)
        self._terminal.complain(f"fieldpost: {failure_words(error.code, self.office, error.detail)}")
        if error.detail and "{detail}" not in CODES[error.code].words:
            self._terminal.complain(safe(error.detail))
        return exit_of(error.code)

    def _here(self) -> tuple[Paths, Clock, Namespace, Terminal]:
        """Return what commands need that read no profile."""
        return self._paths, self._clock, self._options, self._terminal

    def _open_app(self) -> Exit:
        try:
            from fieldpost_desktop.ui import app  # noqa: PLC0415 - Qt is loaded for the window only
        except ImportError as error:
            return self._without_qt(error)
        start = app.Start(
            paths=self._paths,
            options=self._given,
            environ=self._environ,
            clock=self._clock,
            open_vault=lambda: open_vault(self._environ),
            set_up_log=lambda: logs.set_up(self._paths),
            given=tuple(self._options.paths),
            hidden=self._options.hidden,
        )
        return Exit(app.run(start))

    def _quit(self) -> Exit:
        try:
            from fieldpost_desktop.ui.shell.running_app import RunningApp  # noqa: PLC0415 - Qt is loaded for this only
        except ImportError as error:
            return self._without_qt(error)
        return quit_app.run(self._paths, self._clock, self._terminal, RunningApp(self._paths).ask_to_quit)

    def _without_qt(self, error: ImportError) -> Exit:
        if not (error.name or "").startswith(("PySide6", "shiboken6")):
            raise error
        self._terminal.complain(_NO_APP)
        return Exit.NOT_SET_UP

    def _send(self) -> Exit:
        paths = send.checked_paths(self._options.paths, self._paths)  # first: a slip of the pen needs no settings
        return send.run(paths, self._spec(), self._options, self._terminal)

    def _control(self) -> Exit:
        self._log()
        return control.run(*self._here())

    def _diagnostics(self) -> Exit:
        subject = Subject(
            paths=self._paths, redactor=self._redactor, clock=self._clock, profile=self._profile_for_report()
        )
        return diagnostics.run(subject, self._options, self._terminal)

    def _profile_command(self) -> Exit:
        if self._options.action == "show":
            return profile.show(self._paths, self._options, self._terminal)
        self._log()
        vault = open_vault(self._environ)
        return profile.import_file(
            self._paths, vault, ask=self._ask_password, options=self._options, terminal=self._terminal
        )

    def _watch(self) -> Exit:
        if self._options.list:
            return watch.show_list(*self._here())
        if self._options.remove:
            self._log()
            return watch.remove(*self._here())
        return watch.run(self._spec(), self._options, self._terminal)

    def _spec(self) -> EngineSpec:
        found = self._profile()
        if found is None:
            raise FieldpostError(Code.NOT_SET_UP, "no settings file was imported, and no --bootstrap-servers given")
        self.office = found.name
        if self._options.bandwidth_limit is not None:
            self._check_limit(self._options.bandwidth_limit)
        self._log()
        return EngineSpec(
            paths=self._paths,
            profile=found,
            vault=open_vault(self._environ),
            clock=self._clock,
            environ=self._environ,
            command_line={"bandwidth_limit": self._options.bandwidth_limit},
            ask_password=self._ask_password,
            redact=self._redactor.add,
        )

    def _profile(self) -> Profile | None:
        if self._given.profile and self._given.bootstrap_servers:
            raise WrongUse("Give either --profile or --bootstrap-servers, not both.")
        try:
            return find_profile(self._given, self._environ, self._paths)
        except SettingsError as error:
            raise self._as_wrong_use(error) from None

    def _as_wrong_use(self, error: SettingsError) -> SettingsError | WrongUse:
        """Turn a wrong value on the command line into a wrong use; one in the environment stays a wrong setting."""
        given = getattr(self._options, error.key, None) is not None
        return WrongUse(f"--{error.key.replace('_', '-')}: {safe(error.problem)}.") if given else error

    def _profile_for_report(self) -> Profile | None:
        """Return the profile if it can be read: a report is made when something is wrong, perhaps with the profile."""
        try:
            return self._profile()
        except FieldpostError as error:
            self._terminal.complain(failure_words(error.code, self.office, error.detail))
            return None

    def _check_limit(self, text: str) -> None:
        try:
            engine_settings.parse("bandwidth_limit", text)
        except SettingsError as error:
            raise self._as_wrong_use(error) from None

    def _log(self) -> None:
        self._redactor = logs.set_up(self._paths)

    def _ask_password(self, name: str) -> Secret | None:
        if not is_interactive():
            return None
        try:
            return Secret(getpass.getpass(f"Password for {safe(name)}: "))
        except (EOFError, ValueError):  # nothing was entered
            return None


def _log_unexpected_errors(terminal: Terminal) -> None:
    """Show unexpected errors to the person in words, and keep their traceback in the log."""
    logging.getLogger().addHandler(logging.NullHandler())  # else Python prints warnings itself while there is no log

    def explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _LOG.critical("unexpected", exc_info=(kind, error, trace))
        terminal.complain(f"fieldpost: {failure_words(Code.UNEXPECTED, '')}")
        terminal.complain(f"{kind.__name__}: {safe(str(error))}")

    sys.excepthook = explain
    threading.excepthook = lambda hook: _LOG.critical("in a thread", exc_info=hook.exc_value)
