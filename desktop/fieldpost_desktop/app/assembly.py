# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""From data folder, profile, vault and settings to an engine.

Command line > environment > file > default: what the command line gives comes in as `Options`.
"""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NoReturn

from fieldpost_desktop.app import target as targets
from fieldpost_desktop.app.hold_report import HoldReporter
from fieldpost_desktop.app.target import Target
from fieldpost_desktop.engine.core import Core
from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.journal.inbox import hand_over
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.link.kafka_transport import KafkaConnector
from fieldpost_desktop.engine.link.network import NetworkPort, UnknownNetwork
from fieldpost_desktop.engine.link.transport import Transport
from fieldpost_desktop.engine.ports import Config, Ports
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile import settings as engine_settings
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.profile.vault import Vault
from fieldpost_desktop.engine.receipts.status_reader import StatusReader
from fieldpost_desktop.engine.runtime import keep_awake
from fieldpost_desktop.engine.runtime.paths import Paths, default_data_dir
from fieldpost_desktop.engine.runtime.worker_threads import InlineWorkers, WorkerThreads
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.crash_points import CrashPoints, NoCrashPoints
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.ids import ClientName, clean_client_name, is_client_name
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.secret import Secret

SETTINGS_KEY: Final = "settings"  # in the journal's meta; what `settings.changed` made


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says about data folder and profile; None: not given."""

    data_dir: Path | None = None
    profile: Path | None = None
    bootstrap_servers: str | None = None
    client: str | None = None
    bandwidth_limit: str | None = None


def paths_of(options: Options, environ: Mapping[str, str]) -> Paths:
    """Return the paths of the data folder that counts."""
    given = options.data_dir or environ.get("FIELDPOST_DATA_DIR")
    return Paths(Path(given).absolute() if given else default_data_dir())


def find_profile(options: Options, environ: Mapping[str, str], paths: Paths) -> Profile | None:
    """Return the settings file that counts, or the ad-hoc one for given servers; None: not set up.

    Raises:
        FieldpostError: it is there and cannot be used.
    """
    found = (
        _named(options.profile, options.bootstrap_servers)
        or _named(environ.get("FIELDPOST_PROFILE"), environ.get("FIELDPOST_BOOTSTRAP_SERVERS"))
        or (profile_file.load(paths.profile) if paths.profile.exists() else None)
    )
    client = options.client or environ.get("FIELDPOST_CLIENT")
    if found is None or not client:
        return found
    if not is_client_name(client):
        raise SettingsError("client", f"{client!r} is not 1 to 64 letters, digits, dots, '_' and '-'")
    return replace(found, client=client)


def _named(profile: str | Path | None, servers: str | None) -> Profile | None:
    if profile:
        return profile_file.load(Path(profile))
    return profile_file.adhoc(servers) if servers else None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSpec:
    """What an engine is opened from."""

    paths: Paths
    profile: Profile
    vault: Vault
    clock: Clock
    environ: Mapping[str, str] = field(default_factory=dict)
    command_line: Mapping[str, object] = field(default_factory=dict)  # settings
    ask_password: Callable[[str], Secret | None] = lambda _: None  # given the profile's name
    redact: Callable[[Secret], None] = lambda _: None  # keeps the password out of logs and reports
    network: NetworkPort = field(default_factory=UnknownNetwork)
    crash: CrashPoints = field(default_factory=NoCrashPoints)

    @property
    def client(self) -> ClientName:
        """The name this computer sends under."""
        return self.profile.client_name(*profile_file.this_user_and_host())

    @property
    def target(self) -> Target:
        """Where the files go."""
        return Target.of(self.profile, self.client)

    def kafka(self) -> KafkaSettings:
        """Return what the Kafka clients need, with the password from the vault or from a person.

        Raises:
            FieldpostError: NOT_SET_UP without a password, or what the vault raises.
        """
        return profile_file.kafka_settings(self.profile, self._password() if self.profile.needs_password else None)

    def settings(self, store: Store) -> EngineSettings:
        """Return what counts of profile, journal, environment and command line."""
        return engine_settings.resolve(
            self.profile.settings,
            locked=self.profile.locked,
            stored=store.meta(SETTINGS_KEY),
            environ=self.environ,
            command_line=self.command_line,
        )

    def _password(self) -> Secret:
        try:
            password = self.vault.get(self.profile.id)
        except FieldpostError as error:
            password = self.ask_password(self.profile.name)
            if password is None:
                raise
            error.add_note("a person was asked instead")
        password = password or self.ask_password(self.profile.name)
        if password is None:
            raise FieldpostError(Code.NOT_SET_UP, f"no password is kept for {self.profile.name}")
        self.redact(password)
        return password


def open_engine(spec: EngineSpec) -> Engine:
    """Open the engine of a data folder whose lock the caller holds; it is not started yet.

    Raises:
        FieldpostError: no password, a wrong setting, a damaged journal, or files that wait for another target.
    """
    kafka = spec.kafka()
    store = Store.open(spec.paths.journal)
    try:
        targets.bind(store, spec.target, spec.paths)
        config = _config(spec, spec.settings(store))
    except (FieldpostError, sqlite3.Error):
        store.close()
        raise

    def ports(wake: Callable[[], None]) -> Ports:
        return Ports(
            clock=spec.clock,
            connector=KafkaConnector(kafka, config.client, spec.clock),
            status_source=lambda positions, deliver: StatusReader(kafka, config.client, positions, spec.clock, deliver),
            network=spec.network,
            workers=WorkerThreads(wake),
            crash=spec.crash,
            wake=wake,
            keep_awake=keep_awake.this_system(),
        )

    engine = Engine(spec.paths, store, config, ports)
    engine.listen(HoldReporter(store))
    return engine


def _config(spec: EngineSpec, settings: EngineSettings) -> Config:
    limits = spec.profile.limits
    return Config(
        client=spec.client,
        receivers=spec.profile.receivers,
        max_file_size=limits.max_file_size,
        late_h=limits.receipt_late_hours,
        absent_h=limits.receipt_absent_hours,
        may_delete=limits.allow_delete,
        settings=settings,
    )


class _NoConnector:
    """Refuses to connect: the inbox is read without sending."""

    def connect(self, cap: int | None = None) -> Transport:  # noqa: ARG002 - the port's signature
        raise FieldpostError(Code.NO_CONNECTION, "offline by intention")


def carry_out_offline(
    paths: Paths, clock: Clock, order: dict[str, Any] | None = None, spec: EngineSpec | None = None
) -> None:
    """Have an order, and what is in the inbox, carried out without a connection; the journal shows it on return.

    The caller holds the data folder's lock. Without an spec nothing is known of the profile's limits: enough for
    all orders but those that add files.
    """
    with closing(Store.open(paths.journal)) as store:
        if spec is not None:
            targets.bind(store, spec.target, paths)
            config = _config(spec, spec.settings(store))
        else:
            config = Config(clean_client_name("offline"))
        if order is not None:
            hand_over(paths.journal, order, clock.now_ns())
        core = Core(store, config, _offline_ports(clock), tell=lambda _: None)
        while core.take_inbox():
            pass


def _offline_ports(clock: Clock) -> Ports:
    return Ports(clock, _NoConnector(), _no_status, UnknownNetwork(), InlineWorkers())


def _no_status(_positions: object, _deliver: object) -> NoReturn:
    raise FieldpostError(Code.NO_CONNECTION, "offline by intention")
