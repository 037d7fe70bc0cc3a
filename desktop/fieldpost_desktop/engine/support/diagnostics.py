# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The report for support: a ZIP of what helps, without secrets and without file names.

No environment and no password is ever read for it. Every text passes the redactor again on its way in.
"""

import json
import platform
import shutil
import sqlite3
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any, Final

import confluent_kafka

from fieldpost_desktop.engine.journal.support_rows import support_rows
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile import settings as engine_settings
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.support import logs
from fieldpost_desktop.engine.support.report_names import HiddenNames
from fieldpost_shared.clock import NS_PER_S, Clock
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.redaction import Redactor
from fieldpost_shared.version import __version__
from fieldpost_shared.whole_file import whole_file

# What a person is shown before the report is made.
CONTENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "about.json": "Versions of Fieldpost and of this computer",
        "profile.fieldpost": "The settings file, which holds no password",
        "settings.json": "What was set about sending",
        "journal.jsonl": "The list of files, without their names",
        "logs/": "What Fieldpost noted, without passwords and file names",
    }
)

_MOST_ROWS: Final = 5000  # the newest; more would only make the report hard to send
# By name, so that a column that is added later stays out until it was decided to show it.
_COLUMNS: Final = (
    *("id", "folder", "size", "mtime_ns", "seen_ns", "state", "transfer", "generation", "chunk_size", "encoding"),
    *("sha256", "attempt", "next_try_ns", "code", "resends", "round", "end_partition", "end_offset", "asked", "ask_ns"),
    *("urgent", "anyway", "added_ns", "started_ns", "sent_ns", "ended_ns", "clean_up", "clean_up_tries"),
)
_FOLDER_COLUMNS: Final = ("id", "enabled", "added_ns", "scanned_ns", "code")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What the report is about. `versions` adds what the engine does not know of, as that of Qt."""

    paths: Paths
    redactor: Redactor
    clock: Clock
    profile: Profile | None = None
    settings: EngineSettings = field(default_factory=EngineSettings)
    versions: Mapping[str, str] = field(default_factory=dict)


def write_report(out: Path, subject: Subject) -> list[str]:
    """Write the ZIP, or nothing; return the names of what is in it.

    Raises:
        SettingsError: it cannot be written there.
    """
    names = []
    try:
        with whole_file(out) as unfinished, zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, lines in _members(subject):
                clean = "".join(f"{subject.redactor.clean(line)}\n" for line in lines)
                # A fixed date: a clock that says 1970 cannot be written into a ZIP.
                archive.writestr(zipfile.ZipInfo(name), clean.encode("utf-8", "backslashreplace"), zipfile.ZIP_DEFLATED)
                names.append(name)
    except OSError as error:
        raise SettingsError("report", f"{out}: cannot be written: {error.strerror}") from error
    return names


def about(versions: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return the versions that support asks for first."""
    return {
        "fieldpost": __version__,
        "python": platform.python_version(),
        "confluent-kafka": str(confluent_kafka.__version__),  # its stub says a pair, it is a text
        "librdkafka": confluent_kafka.libversion()[0],
        "sqlite": sqlite3.sqlite_version,
        "system": platform.platform(),
        "packaged": "yes" if getattr(sys, "frozen", False) else "no",
        **versions,
    }


def _members(subject: Subject) -> Iterator[tuple[str, list[str]]]:
    """Return the report's files; the journal comes first, because it tells the names that the logs must hide."""
    names = HiddenNames()
    rows = _journal_rows(subject, names)
    names.learn([str(Path.home())], "~")
    names.ready()
    yield "about.json", [json.dumps(_about(subject), indent=2)]
    if subject.profile is not None:
        yield "profile.fieldpost", profile_file.dump(subject.profile).splitlines()
    chosen = {name: engine_settings.plain(name, subject.settings) for name in engine_settings.NAMES}
    yield "settings.json", [json.dumps(chosen, indent=2)]
    yield "journal.jsonl", [json.dumps(_hidden(row, names)) for row in rows]
    for path in logs.files(subject.paths):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        yield f"logs/{path.name}", [names.hide(line) for line in lines]


def _about(subject: Subject) -> dict[str, object]:
    made = datetime.fromtimestamp(subject.clock.now_ns() / NS_PER_S, UTC)
    found: dict[str, object] = dict(about(subject.versions))
    found["report_made"] = made.isoformat(timespec="seconds")
    found["engine_process"] = DataFolderLock(subject.paths.lock).holder()
    if subject.paths.data_dir.exists():
        found["free_bytes"] = shutil.disk_usage(subject.paths.data_dir).free
    return found


def _journal_rows(subject: Subject, names: HiddenNames) -> list[dict[str, Any]]:
    """Return counts, then folders and the newest files; or why they cannot be read."""
    if not subject.paths.journal.exists():
        return []
    try:
        found = support_rows(subject.paths.journal, _MOST_ROWS)
    except sqlite3.Error as error:
        return [{"kind": "unreadable", "error": type(error).__name__, "detail": str(error)}]
    return [
        *({"kind": "count"} | dict(row) for row in found.counts),
        *(_folder(row, names) for row in found.folders),
        *(_file(row, names, subject.redactor) for row in found.files),
    ]


def _hidden(row: dict[str, Any], names: HiddenNames) -> dict[str, Any]:
    return row | {"detail": names.hide(row["detail"])} if "detail" in row else row


def _folder(row: Mapping[str, Any], names: HiddenNames) -> dict[str, Any]:
    place = names.short(row["path"])
    names.learn([row["path"]], place)
    return {"kind": "folder", "place": place} | {name: row[name] for name in _FOLDER_COLUMNS if name in row}


def _file(row: Mapping[str, Any], names: HiddenNames, redactor: Redactor) -> dict[str, Any]:
    """Learn a file's names also with secrets masked, as the log has them; return its row without names."""
    source, path = row["source"], row["path"]
    place, name = names.short(source), names.short(path)
    for text, shown in ((source, place), (str(PurePath(source).parent), names.short(str(PurePath(source).parent)))):
        names.learn([text, redactor.clean(text)], shown)
    for text in (path, PurePath(source).name):
        names.learn([text, redactor.clean(text)], name)
    columns = {column: row[column] for column in _COLUMNS if column in row}
    return {"kind": "file", "place": place, "name": name, "detail": row["detail"]} | columns
