# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the app needs from outside: paths, vault, clock, network."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fieldpost_desktop.app.assembly import EngineSpec, Options, open_engine
from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.link.network import NetworkPort, UnknownNetwork
from fieldpost_desktop.engine.profile.vault import Vault
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.clock import Clock
from fieldpost_shared.redaction import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class AppEnvironment:
    """What the app instance needs from outside; tests give twins."""

    paths: Paths
    vault: Vault
    clock: Clock
    options: Options = field(default_factory=Options)
    environ: Mapping[str, str] = field(default_factory=dict)
    redactor: Redactor = field(default_factory=Redactor)
    network: NetworkPort = field(default_factory=UnknownNetwork)
    versions: Mapping[str, str] = field(default_factory=dict)  # of what only the window knows, as Qt
    open_engine: Callable[[EngineSpec], Engine] = open_engine
