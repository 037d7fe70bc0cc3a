# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which files and folders of a watched folder count: the rules, and what is never taken."""

import os
from typing import Final

from fieldpost_desktop.engine.model.folder_rules import DEFAULT_TARGET, FolderRules
from fieldpost_desktop.engine.model.globs import Globs
from fieldpost_desktop.engine.sources.file_probe import is_hidden, is_link

_UNFINISHED: Final = Globs(
    ("~$*", ".~lock.*", "*.tmp", "*.part", "*.crdownload", "Thumbs.db", "desktop.ini", ".DS_Store")
)
_OURS: Final = Globs((".fieldpost*",))


class FileFilter:
    """The compiled rules of one folder."""

    def __init__(self, rules: FolderRules) -> None:
        self._subfolders = rules.subfolders
        self._include = Globs(rules.include)
        self._exclude = Globs(rules.exclude)
        self._targets = {rules.move_to.casefold(), DEFAULT_TARGET.casefold()}

    def takes(self, name: str, relative: str, found: os.stat_result) -> bool:
        """Return whether a plain file is sent."""
        return not (
            is_hidden(name, found)
            or is_link(found)
            or _UNFINISHED.matches(name, relative)
            or _OURS.matches(name, relative)
            or self._exclude.matches(name, relative)
            or (self._include and not self._include.matches(name, relative))
        )

    def enters(self, name: str, relative: str, found: os.stat_result) -> bool:
        """Return whether a folder is walked through."""
        return self._subfolders and not (
            is_hidden(name, found)
            or is_link(found)
            or relative.casefold() in self._targets
            or _OURS.matches(name, relative)
            or self._exclude.matches_folder(name, relative)
        )
