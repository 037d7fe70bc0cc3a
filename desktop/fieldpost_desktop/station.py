# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app's instance, without a window: settings file, password, lock and engine, in whatever condition they are.

Everything here may block (journal, keyring, drives, network) and may be called from any thread, `do` excepted, which
never blocks. One call at a time opens or closes the engine.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from fieldpost_desktop import profile_store
from fieldpost_desktop.assembly import SETTINGS_KEY, Instance, Options, find_profile, open_engine
from fieldpost_desktop.engine import diagnostics, link_check, preview, profiles
from fieldpost_desktop.engine import settings as engine_settings
from fieldpost_desktop.engine.commands import Commands
from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.events import Listener, OverallChanged, OverallState, OverallStatus
from fieldpost_desktop.engine.journal.browsing import Browser, FileFacts, Query
from fieldpost_desktop.engine.journal.files import FileRow
from fieldpost_desktop.engine.journal.folders import Folder, FolderId, Folders
from fieldpost_desktop.engine.journal.inbox import hand_over
from fieldpost_desktop.engine.link_check import StepResult
from fieldpost_desktop.engine.lock import DataFolderLock
from fieldpost_desktop.engine.network import NetworkPort, UnknownNetwork
from fieldpost_desktop.engine.paths import Paths
from fieldpost_desktop.engine.preview import Preview
from fieldpost_desktop.engine.profiles import Profile
from fieldpost_desktop.engine.redaction import Redactor
from fieldpost_desktop.engine.settings import EngineSettings
from fieldpost_desktop.engine.source import look
from fieldpost_desktop.engine.vault import Vault
from fieldpost_desktop.engine.watching.places import FolderLook, FolderView, folder_views, look_at_folder
from fieldpost_desktop.engine.watching.rules import FolderRules
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.secret import Secret

_LOG: Final = logging.getLogger(__name__)
_ANSWER_S: Final = 30.0  # a command waits for a step of the core, which takes milliseconds; a full disk may take more
T = TypeVar("T")


class Condition(StrEnum):
    """Whether this program can send."""

    NOT_SET_UP = "not_set_up"  # no settings file yet
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - the name of a condition
    ELSEWHERE = "elsewhere"  # another process runs the engine of this data folder
    RUNNING = "running"
    FAILED = "failed"  # see `error`


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the station stands in; tests give twins."""

    paths: Paths
    vault: Vault
    clock: Clock
    options: Options = field(default_factory=Options)
    environ: Mapping[str, str] = field(default_factory=dict)
    redactor: Redactor = field(default_factory=Redactor)
    network: NetworkPort = field(default_factory=UnknownNetwork)
    versions: Mapping[str, str] = field(default_factory=dict)  # of what only the window knows, as Qt
    open_engine: Callable[[Instance], Engine] = open_engine


class Station:
    """One for each running app."""

    def __init__(self, around: Surroundings, listener: Listener) -> None:
        self._around = around
        self._listener = listener
        self.paths = around.paths
        self.clock = around.clock
        self._lock = DataFolderLock(around.paths.lock)
        self._browser = Browser(around.paths.journal)
        self._opening = threading.RLock()
        self._engine: Engine | None = None
        self._password: Secret | None = None  # only where the keyring fails: gone with this process
        self.profile: Profile | None = None
        self.condition = Condition.NOT_SET_UP
        self.error: FieldpostError | None = None

    # life

    def start(self) -> Condition:
        """Open the engine, if all that it needs is there; may be called again when something changed."""
        with self._opening:
            if self._engine is not None and self._engine.alive:
                return self.condition
            self._stop_engine()
            self.error = None
            try:
                self.condition = self._try_to_open()
            except FieldpostError as error:
                self.error = error
                missing = error.code in {Code.NOT_SET_UP, Code.KEYRING_FAILED} and self.profile is not None
                self.condition = Condition.NEEDS_PASSWORD if missing else Condition.FAILED
                self._lock.release()
                _LOG.info("the engine was not started: %s", error)
            self._tell_condition()
            return self.condition

    def close(self) -> None:
        """Stop within seconds; the journal has everything."""
        with self._opening:
            self._stop_engine()
            self._lock.release()

    @property
    def is_well(self) -> bool:
        """False if the engine ended although nobody stopped it; never blocks."""
        engine = self._engine
        return engine is None or (engine.failure is None and engine.alive)

    def tend(self) -> None:
        """Clear up after an engine that died."""
        with self._opening:
            engine = self._engine
            if engine is not None and not self.is_well:
                self.error = FieldpostError(Code.UNEXPECTED, repr(engine.failure))
                self.condition = Condition.FAILED
                self._stop_engine()
                self._lock.release()
                self._tell_condition()

    def _try_to_open(self) -> Condition:
        self.profile = find_profile(self._around.options, self._around.environ, self.paths)
        if self.profile is None:
            return Condition.NOT_SET_UP
        self.paths.make()
        if not self._lock.acquire():
            return Condition.ELSEWHERE
        engine = self._around.open_engine(self.instance(self.profile))
        engine.listen(self._listener)
        engine.start()
        self._engine = engine
        return Condition.RUNNING

    def _stop_engine(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.stop()

    def _tell_condition(self) -> None:
        """While no engine runs nobody else tells how everything is."""
        if self.condition is Condition.RUNNING:
            return
        elsewhere = self.condition is Condition.ELSEWHERE
        state = OverallState.WAITING if elsewhere else OverallState.NOT_SET_UP
        self._listener(OverallChanged(OverallStatus(state)))

    def instance(self, profile: Profile, password: Secret | None = None) -> Instance:
        """What a profile means here."""
        return Instance(
            paths=self.paths,
            profile=profile,
            vault=self._around.vault,
            clock=self.clock,
            environ=self._around.environ,
            ask_password=lambda _name: password or self._password,
            learn=self._around.redactor.add,
            network=self._around.network,
        )

    @property
    def office(self) -> str:
        """What people call the other end; empty while nobody said."""
        return "" if self.profile is None else self.profile.name

    # the engine

    @property
    def engine(self) -> Engine:
        """The running engine.

        Raises:
            FieldpostError: there is none.
        """
        if self._engine is None:
            raise self.error or FieldpostError(Code.NOT_SET_UP)
        return self._engine

    def do(self, command: Callable[[Commands], T]) -> Future[T]:
        """Have a command carried out; never blocks."""
        try:
            return self.engine.do(command)
        except FieldpostError as error:
            future: Future[T] = Future()
            future.set_exception(error)
            return future

    def add(self, paths: Sequence[str]) -> str:
        """Queue files and folders; on disk when this returns. Another process' engine takes them as well."""
        if self.condition is Condition.ELSEWHERE:
            order = {"command": "add", "paths": list(paths), "batch": "window"}
            hand_over(self.paths.journal, order, self.clock.now_ns())
            return "window"
        return self.engine.add(paths)

    def preview(self, paths: Sequence[str], going_on: Callable[[Preview], bool]) -> Preview:
        """What adding these would mean."""
        return preview.preview(paths, going_on)

    def locate(self, file: int, path: str) -> None:
        """A file lies elsewhere now.

        Raises:
            FieldpostError: it cannot be read there.
        """
        try:
            seen = look(path)
        except OSError as error:
            raise FieldpostError(Code.FILE_GONE, str(error.strerror)) from error
        self.do(lambda commands: commands.locate(file, path, seen)).result(_ANSWER_S)

    # the list

    def page(self, query: Query) -> list[FileRow]:
        """Some files of the list."""
        return self._browser.page(query)

    def facts(self, file: int) -> FileFacts | None:
        """All that is known of one file."""
        return self._browser.facts(file)

    def export(self, out: Path, query: Query) -> int:
        """Write the list as a table; how many files are in it."""
        return self._browser.export(out, query)

    # watched folders

    def folders(self) -> list[FolderView]:
        """All of them, with what waits in each."""
        return folder_views(Folders(self.engine.store))

    def look_at_folder(self, path: str) -> FolderLook:
        """Whether a folder may be watched, and what lies in it already.

        Raises:
            FolderRefused: it may not.
        """
        watched = [view.folder.path for view in self.folders()]
        return look_at_folder(Path(path), watched, self.paths.data_dir)

    def add_folder(self, path: str, rules: FolderRules) -> None:
        """Watch it from now on."""
        self._folder_verb(lambda folders: folders.add(path, rules, self.clock.now_ns()))

    def change_folder(self, folder: FolderId, rules: FolderRules) -> None:
        """Watch it by other rules."""
        self._folder_verb(lambda folders: folders.change_rules(folders.known(folder), rules))

    def enable_folder(self, folder: FolderId, *, enabled: bool) -> None:
        """Watch again, or stop watching for a while."""
        self._folder_verb(lambda folders: folders.enable(folder, enabled=enabled))

    def remove_folder(self, folder: FolderId) -> None:
        """Forget it; its queued files go on."""
        self._folder_verb(lambda folders: folders.remove(folder))

    def scan_folder(self, folder: FolderId) -> None:
        """Look at it now."""
        self.engine.watcher.scan_now(folder)

    def _folder_verb(self, change: Callable[[Folders], Folder | None]) -> None:
        """On the core's thread, which writes the journal; then the watcher looks at what is new."""
        engine = self.engine
        changed = self.do(lambda _commands: change(Folders(engine.store))).result(_ANSWER_S)
        if changed is not None:
            engine.watcher.scan_now(changed.id)

    # settings

    def settings(self) -> EngineSettings:
        """What counts now."""
        instance = self.instance(self._profile())
        return instance.settings(self.engine.store)

    def change_setting(self, name: str, value: object) -> EngineSettings:
        """Follow another setting from now on, and remember it.

        Raises:
            SettingsError: wrong, or set by the organisation.
        """
        profile = self._profile()
        engine = self.engine

        def change(_commands: Commands) -> EngineSettings:
            stored = engine_settings.changed(engine.store.meta(SETTINGS_KEY), name, value, profile.locked)
            engine.store.set_meta(SETTINGS_KEY, stored)
            settings = self.instance(profile).settings(engine.store)
            engine.core.use(settings)
            return settings

        return self.do(change).result(_ANSWER_S)

    # profile and password

    def load_profile(self, path: Path) -> Profile:
        """What a settings file says; nothing is kept of it yet."""
        return profiles.load(path)

    def adopt(self, profile: Profile, password: Secret | None) -> Condition:
        """Send by this profile from now on.

        Raises:
            SettingsError: files wait for another office; nothing was changed then.
            FieldpostError: KEYRING_FAILED when the password could not be kept. The engine runs all the same, and the
                password is asked for at the next start.
        """
        profile_store.check_target(profile, self.paths)
        profile_store.keep(profile, self.paths)
        return self._restart(profile, password)

    def change_password(self, password: Secret) -> Condition:
        """Sign in with this one from now on; raises what `adopt` raises about keeping it."""
        return self._restart(self._profile(), password)

    def test_link(self, profile: Profile, password: Secret | None, tell: Callable[[StepResult], None]) -> None:
        """The connection test; without a password the kept one is taken.

        Raises:
            FieldpostError: there is none.
        """
        instance = self.instance(profile)
        kafka = instance.kafka() if password is None else profiles.kafka_settings(profile, password)
        for result in link_check.check(kafka, instance.client, profile.receivers, self.clock):
            tell(result)

    def _restart(self, profile: Profile, password: Secret | None) -> Condition:
        with self._opening:
            self._stop_engine()
            self._lock.release()
            self._password = password
            kept = self._keep(profile, password)
            condition = self.start()
        if kept is not None:
            raise kept
        return condition

    def _keep(self, profile: Profile, password: Secret | None) -> FieldpostError | None:
        """The password belongs into the keyring; where that fails, this process remembers it."""
        if password is None:
            return None
        self._around.redactor.add(password)
        try:
            self._around.vault.set(profile.id, password)
        except FieldpostError as error:
            return error
        self._password = None
        return None

    def _profile(self) -> Profile:
        if self.profile is None:
            raise FieldpostError(Code.NOT_SET_UP)
        return self.profile

    # support

    def about(self) -> dict[str, str]:
        """The versions that support asks for first."""
        return diagnostics.about(self._around.versions)

    def report(self, out: Path) -> list[str]:
        """Write the report for support; what is in it.

        Raises:
            SettingsError: it cannot be written there.
        """
        subject = diagnostics.Subject(
            paths=self.paths,
            redactor=self._around.redactor,
            clock=self.clock,
            profile=self.profile,
            settings=self.settings() if self._engine is not None else EngineSettings(),
            versions=self._around.versions,
        )
        return diagnostics.write_report(out, subject)
