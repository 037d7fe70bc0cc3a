# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app's instance, without a window: settings file, password, lock and engine, in whatever condition they are.

Everything here may block (journal, keyring, drives, network) and may be called from any thread, `do` excepted, which
never blocks.
"""

from pathlib import Path
from typing import TypeVar

from fieldpost_desktop.app.account import AccountOperations
from fieldpost_desktop.app.condition import Condition
from fieldpost_desktop.app.folders import FolderOperations
from fieldpost_desktop.app.lifecycle import ANSWER_S
from fieldpost_desktop.engine.journal.browse import FileDetails, FileQuery
from fieldpost_desktop.engine.journal.inbox import hand_over_files
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.engine.sources.file_probe import file_version
from fieldpost_desktop.engine.support import diagnostics
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError

T = TypeVar("T")


class AppInstance(FolderOperations, AccountOperations):
    """All that the window and the tray ask of the app; one for each running app."""

    # files

    def add(self, found: DroppedFiles) -> str:
        """Queue files, which are on disk when this returns; another process' engine takes them as well."""
        if self.condition is Condition.ELSEWHERE:
            hand_over_files(self.paths.journal, found.pieces(), batch="window", now_ns=self.clock.now_ns())
            return "window"
        return self.engine.add(found)

    def locate(self, file: int, path: str) -> None:
        """Read a file from another place from now on.

        Raises:
            FieldpostError: it cannot be read there.
        """
        try:
            seen = file_version(path)
        except OSError as error:
            raise FieldpostError(Code.FILE_GONE, str(error.strerror)) from error
        self.do(lambda commands: commands.locate(file, path, seen)).result(ANSWER_S)

    # the list

    def page(self, query: FileQuery) -> list[FileRow]:
        """Return one page of the list."""
        return self._browser.page(query)

    def facts(self, file: int) -> FileDetails | None:
        """Return all that is known of one file."""
        return self._browser.facts(file)

    def export(self, out: Path, query: FileQuery) -> int:
        """Write the list as a table; how many files are in it."""
        return self._browser.export(out, query)

    # support

    def about(self) -> dict[str, str]:
        """Return the versions that support asks for first."""
        return diagnostics.about(self._environment.versions)

    def report(self, out: Path) -> list[str]:
        """Write the report for support; what is in it.

        Raises:
            SettingsError: it cannot be written there.
        """
        subject = diagnostics.Subject(
            paths=self.paths,
            redactor=self._environment.redactor,
            clock=self.clock,
            profile=self.profile,
            settings=self.settings() if self._engine is not None else EngineSettings(),
            versions=self._environment.versions,
        )
        return diagnostics.write_report(out, subject)
