# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The target of a journal's files. Receipts come from there, so open files bind the journal to it."""

import json
from dataclasses import asdict, dataclass
from typing import Final, Self

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.states import OPEN
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.ids import ClientName

_KEY: Final = "target"


@dataclass(frozen=True, slots=True)
class Target:
    """An office and our name there. The same profile may name other servers of the same cluster later."""

    profile: str
    files_topic: str
    status_topic: str
    client: str
    name: str
    servers: str

    @classmethod
    def of(cls, profile: Profile, client: ClientName) -> Self:
        """Return the target that a profile means for this computer."""
        topics = profile.files_topic, profile.status_topic
        return cls(profile.id, *topics, client, profile.name, profile.bootstrap_servers)

    def is_same(self, other: "Target") -> bool:
        """Return whether files sent to the one are confirmed by the other."""
        mine = self.profile, self.files_topic, self.status_topic, self.client
        return mine == (other.profile, other.files_topic, other.status_topic, other.client)

    def __str__(self) -> str:
        return f"{self.name} ({self.servers}) as {self.client}"


def bound(store: Store) -> Target | None:
    """Return the target of the journal, if it has ever been used."""
    text = store.meta(_KEY)
    return None if text is None else Target(**json.loads(text))


def bind(store: Store, target: Target, paths: Paths) -> None:
    """Tie the journal to its target; to another one only when nothing is left for the first.

    Raises:
        SettingsError: files wait for another target.
    """
    known = bound(store)
    if known is not None and not known.is_same(target):
        check_free(store, target, paths)
        Files(store).forget_cluster()
    if known != target:
        store.set_meta(_KEY, json.dumps(asdict(target)))


def check_free(store: Store, target: Target, paths: Paths) -> None:
    """Check that a target may be used with this journal.

    Raises:
        SettingsError: files wait for another target.
    """
    known = bound(store)
    waiting = sum(count for state, (count, _) in Files(store).counts().items() if state in OPEN)
    if known is None or known.is_same(target) or not waiting:
        return
    raise SettingsError(
        "data_dir",
        f"{paths.data_dir} still has files for {known} ({waiting} unfinished), and now {target} is named; "
        "finish or cancel those first, or give another folder with --data-dir",
    )
