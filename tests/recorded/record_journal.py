# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
# mypy: ignore-errors
"""Record the data folder of an uploader 0.1, and what 0.1 says about it. Runs with the code of 0.1 (see README.md).

Everything is done by the engine of 0.1 on its test rig: real journal, real files, a broker and an office in memory.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dump_sql import FOLDER, dump_sql
from engine_kit import CHUNK, CLIENT, Rig
from fieldpost_desktop.engine.adding import expand
from fieldpost_desktop.engine.events import FileChanged
from fieldpost_desktop.engine.paths import Paths
from fieldpost_desktop.engine.states import FileState
from fieldpost_desktop.engine.watching.places import LOCAL
from fieldpost_desktop.engine.watching.rules import After, FolderRules
from fieldpost_desktop.noticeboard import Noticeboard
from fieldpost_desktop.profile_store import keep
from fieldpost_desktop.target import Target, bind
from fieldpost_desktop.ui.preferences import Language, Preferences
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fieldpost_desktop.engine import profiles
from fieldpost_desktop.engine import settings as engine_settings
from fieldpost_desktop.engine.core import Config
from fieldpost_desktop.engine.journal.files import FileRow, Files
from fieldpost_desktop.engine.journal.folders import Folders
from fieldpost_desktop.engine.journal.inbox import hand_over
from fieldpost_desktop.engine.journal.store import reading
from fieldpost_desktop.engine.watching.watcher import Watcher
from fieldpost_desktop.ui import languages, wording
from fieldpost_shared.clock import NS_PER_S, FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.protocol import status

NOW_NS = 1_750_000_000 * NS_PER_S  # June 2025: for every later day these times are of the past
WORDS_NS = NOW_NS + 40 * 3600 * NS_PER_S
OFFICE = "Head office"
PROFILE = profiles.parse(
    json.dumps(
        {
            "version": 1,
            "id": "head-office",
            "name": OFFICE,
            "bootstrap_servers": "kafka.example:9093",
            "security_protocol": "SASL_SSL",
            "sasl_username": "van-7",
            "client": "van-7",
            "limits": {"max_file_size": "200KB", "allow_delete": True},
            "settings": {"metered": "all"},
            "locked": ["metered"],
        }
    )
)
LOCALES = {
    "en": (QLocale.Language.English, QLocale.Country.UnitedKingdom),
    "de": (QLocale.Language.German, QLocale.Country.Germany),
}
COMMANDS = {
    "status.txt": ["status"],
    "status.json": ["status", "--json"],
    "history.txt": ["history"],
    "history.jsonl": ["history", "--json"],
    "folders.txt": ["watch", "--list"],
    "profile.txt": ["profile", "show"],
}


class Recording:
    """An uploader of 0.1 whose sources lie beside its data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths = Paths(folder / "data")
        self.paths.make()
        self.sources: dict[str, dict[str, int]] = {}  # what the test makes again: size and mtime of each
        self.rig = Rig(
            self.paths.data_dir,
            clock=FakeClock(NOW_NS),
            config=Config(CLIENT, chunk_size=CHUNK, max_file_size=PROFILE.limits.max_file_size),
        )

    def file(self, name: str, size: int) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(random.Random(name).randbytes(size))  # noqa: S311 - reproducible
        mtime_ns = NOW_NS - 1000 * NS_PER_S + len(self.sources) * NS_PER_S
        os.utime(path, ns=(mtime_ns, mtime_ns))
        self.sources[name] = {"size": size, "mtime_ns": mtime_ns}
        return path

    def add(self, name: str, size: int) -> int:
        return self.rig.core.commands.add(list(expand([str(self.file(name, size))])), f"batch of {name}")[0].id

    def row(self, file: int) -> FileRow:
        return self.rig.core.files.get(file)

    def until(self, file: int, state: FileState) -> int:
        self.rig.until(lambda: self.row(file).state is state)
        return file

    def say(self, event: status.Event, receiver: str = "central") -> None:
        self.rig.office.name = receiver
        self.rig.hear([self.rig.office.stamped(event)])
        self.rig.office.name = "central"

    # a life

    def confirmed_files(self) -> None:
        for name, size in (("photos/small ü.txt", 700), ("photos/large.bin", 3 * CHUNK // 2), ("=1+2.txt", 9)):
            self.until(self.add(f"sources/{name}", size), FileState.CONFIRMED)
        had = self.add("sources/had already.bin", 2 * CHUNK)
        self.rig.office.silent = True
        row = self.row(self.until(had, FileState.SENT))
        self.say(status.Received(row.transfer, row.size, row.sha256, renamed=True, duplicate=True), "branch")

    def watched_folders(self) -> None:
        old = self.file("camera/before.jpg", 40)
        self.file("scans/report.pdf", 50)
        (self.folder / "usb-stick").mkdir()
        folders, clock = Folders(self.rig.store), self.rig.clock
        moved = FolderRules(after=After.MOVE, take_existing=False, label="camera", exclude=("*.tmp",))
        deleted = FolderRules(after=After.DELETE, include=("*.pdf",), subfolders=False, minimum_age_s=60)
        self.rig.office.silent = False
        for name, rules in (("camera", moved), ("scans", deleted), ("usb-stick", FolderRules())):
            # "was there before" is told by the time that the system stamps, so by the real clock
            folders.add(str(self.folder / name), rules, clock.now_ns() if rules.take_existing else time.time_ns())
        folders.enable(folders.all()[2].id, enabled=False)
        self.watcher = Watcher(self.rig.store, clock, lambda: None, rhythm=lambda _: LOCAL)
        self.look_around(3)
        self.file("camera/2025/after.jpg", 41)
        self.file("camera/bad\\name.jpg", 42)
        self.look_around(3)
        self.rig.until(lambda: len(self.rig.core.files.in_state(FileState.CONFIRMED)) >= 6)
        assert old.exists(), "it was there before"

    def look_around(self, times: int) -> None:
        for _ in range(times):
            self.rig.clock.advance(31)
            self.watcher.step()
            self.rig.core.step()

    def sent_files(self) -> None:
        """One needs a person for 24 h, one is late for 4 h, one was sent just now."""
        self.rig.office.silent = True
        self.until(self.add("sources/no answer.bin", 2 * CHUNK), FileState.SENT)
        self.rig.pass_time(20 * 3600)
        self.until(self.add("sources/late.bin", 2 * CHUNK), FileState.SENT)
        self.rig.pass_time(4 * 3600 + 60)

    def rejected_files(self) -> None:
        for name, code, text in (
            ("refused name.bin", Code.NAME_REFUSED, "it contains a backslash"),
            ("too large there.bin", Code.TOO_LARGE, "200000 bytes are more than the 100000 that are allowed"),
            ("of a newer receiver.bin", "brand_new_code", "something that 0.1 does not know"),
        ):
            row = self.row(self.until(self.add(f"sources/{name}", 2 * CHUNK), FileState.SENT))
            self.say(status.Rejected(row.transfer, code, text))

    def files_of_this_side(self) -> None:
        self.rig.office.silent = True
        gone = self.add("sources/gone.bin", 100)
        (self.folder / "sources" / "gone.bin").unlink()
        del self.sources["sources/gone.bin"]
        self.until(gone, FileState.ATTENTION)

    def halves(self) -> None:
        """What is under way when 0.1 ends."""
        names = ("asked again.bin", "asked again while paused.bin", "other bytes.bin")
        answered = [self.row(self.until(self.add(f"sources/{name}", 3 * CHUNK), FileState.SENT)) for name in names]
        self.until(self.add("sources/sent just now.bin", 2 * CHUNK), FileState.SENT)
        given_up = self.add("sources/given up.bin", 3 * CHUNK)
        self.until(given_up, FileState.SENT)
        self.rig.core.commands.cancel([given_up])
        paused = self.stop_after("sources/paused half way.bin", 1)
        self.rig.core.commands.pause([paused])
        self.rig.link.held = False
        self.rig.steps(5)
        self.file("camera/being written.jpg", 43)
        self.rig.clock.advance(31)
        self.watcher.step()
        (self.folder / "usb-stick").rmdir()
        changed = self.add("sources/changed.bin", 100)
        self.file("sources/changed.bin", 120)
        self.until(changed, FileState.RETRYING)
        sending = self.stop_after("sources/under way.bin", 2)
        self.rig.link.unpurgeable = True  # it has left this computer, and no answer comes
        for name in ("waiting 1.txt", "waiting 2.bin"):
            self.add(f"sources/{name}", 30 if name.endswith("txt") else 2 * CHUNK)
        self.add("sources/over the limit.bin", 210_000)
        self.say(status.Missing(answered[0].transfer, ((1, 1),), 2, status.MissingReason.NEVER_ARRIVED))
        self.rig.core.commands.pause_all()
        self.say(status.Missing(answered[1].transfer, ((0, 1),), 1, status.MissingReason.NEVER_ARRIVED))
        self.say(status.Rejected(answered[2].transfer, Code.HASH_MISMATCH, "the bytes that arrived are others"))
        assert self.row(sending).state is FileState.SENDING, "as a process leaves it that is killed"

    def stop_after(self, name: str, parts: int) -> int:
        """Begin to send a file; the connection takes so many of its parts and then nothing more."""
        self.rig.steps(5)
        self.rig.link.take = len(self.rig.topic.records) + parts
        file = self.add(name, 3 * CHUNK)
        self.rig.until(lambda: self.rig.core.files.acknowledged(file) >= parts)
        self.rig.link.take, self.rig.link.held = None, True
        return file

    def end(self) -> None:
        store = self.rig.store
        client = PROFILE.client_name("user", "host")
        bind(store, Target.of(PROFILE, client), self.paths)
        keep(PROFILE, self.paths)
        stored = engine_settings.changed(None, "bandwidth_limit", "2MB/s")
        store.set_meta("settings", engine_settings.changed(stored, "schedule", "20:00-06:00"))
        board = Noticeboard(store)
        self.rig.core.step()
        for event in self.rig.events:
            board(event)
        self.rig.close()
        for command in (
            {"command": "add", "paths": [str(self.file("sources/handed over.txt", 11))], "batch": "handed over"},
            {"command": "watch", "path": str(self.folder / "camera"), "rules": FolderRules(label="van").to_json()},
            {"command": "retry", "files": None},
        ):
            hand_over(self.paths.journal, command, WORDS_NS)
        geometry = "AdnQywADAAAAAAC0AAAAlgAABDMAAALDAAAAtAAAAJYAAAQzAAACwwAAAAAAAAAABQAAAAC0AAAAlgAABDMAAALD"
        Preferences(Language.GERMAN, notifications=False, told_about_tray=True, window_geometry=geometry).save(
            self.paths
        )

    # what is kept of it

    def sql(self) -> str:
        self.sources = {name: facts for name, facts in self.sources.items() if (self.folder / name).exists()}
        found = {name: (self.folder / name).stat() for name in self.sources}
        return dump_sql(
            self.paths.journal, self.folder, {f"{one.st_dev}:{one.st_ino}": name for name, one in found.items()}
        )

    def words(self) -> dict[str, dict[str, list[str]]]:
        """What the window says about each file: its row, then what happened, what comes next, what one can do."""
        app = QApplication.instance() or QApplication(["fieldpost"])
        said: dict[str, dict[str, list[str]]] = {}
        with reading(self.paths.journal) as store:
            files = Files(store)
            for name, locale in LOCALES.items():
                spoken = languages.install(app, name, QLocale(*locale))
                said[name] = {row.path: _sentences(row, files.acknowledged(row.id)) for row in files.history()}
                spoken.remove()
        return said

    def answers(self) -> dict[str, str]:
        """What the commands of 0.1 print."""
        program = "import sys; from fieldpost_desktop.cli import main; sys.exit(main())"
        env = os.environ | {"TZ": "UTC"}
        said = {}
        for name, command in COMMANDS.items():
            arguments = [sys.executable, "-c", program, "--data-dir", str(self.paths.data_dir), *command]
            done = subprocess.run(arguments, env=env, capture_output=True, text=True, check=True)
            said[name] = done.stdout.replace(str(self.folder), FOLDER)
        return said


def _sentences(row: FileRow, acknowledged: int) -> list[str]:
    change = FileChanged(row, acknowledged, row.plan.count if row.plan else 0)
    said = [wording.row_sentence(change, OFFICE, WORDS_NS, None)]
    failure = wording.file_failure(row, OFFICE)
    return said if failure is None else [*said, failure.happened, failure.next, failure.you_can, failure.raw]


def record(out: Path) -> None:
    """Live the life in a folder that is thrown away, and write what is kept of it."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Recording(Path(folder).resolve())
        recording.confirmed_files()
        recording.watched_folders()
        recording.sent_files()
        recording.rejected_files()
        recording.files_of_this_side()
        recording.halves()
        recording.end()
        out.mkdir(parents=True, exist_ok=True)
        (out / "journal.sql").write_text(recording.sql(), encoding="utf-8")
        for name, text in recording.answers().items():
            (out / name).write_text(text, encoding="utf-8")
        for name, kept in (("sources", recording.sources), ("words", recording.words())):
            text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
            (out / f"{name}.json").write_text(text, encoding="utf-8")
        for path in (recording.paths.profile, recording.paths.data_dir / "app.json"):
            (out / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    record(Path(sys.argv[1]) / "uploader")
