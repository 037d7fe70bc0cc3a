# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The engine's hold in the journal, where other processes read why nothing is being sent.

It counts only while its writer holds the lock of the data folder; one left by a crash is ignored.
"""

import json
import os
from typing import Final

from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import Event, OverallChanged
from fieldpost_desktop.engine.model.hold import Hold, HoldKind
from fieldpost_shared.codes import known

_KEY: Final = "hold"


class HoldReporter:
    """Listens to the engine and writes its hold when that changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reported: Hold | None = None
        store.forget_meta(_KEY)

    def __call__(self, event: Event) -> None:
        if not isinstance(event, OverallChanged) or event.status.hold == self._reported:
            return
        self._reported = event.status.hold
        if self._reported is None:
            self._store.forget_meta(_KEY)
        else:
            self._store.set_meta(_KEY, _text(self._reported))


def reported_hold(store: Store, engine_process: int | None) -> Hold | None:
    """Return the hold that the engine of that process reports."""
    text = store.meta(_KEY)
    if text is None or engine_process is None:
        return None
    note = json.loads(text)
    if note["process"] != engine_process:
        return None
    code = known(note["code"]) if note["code"] else None
    return Hold(HoldKind(note["kind"]), code, note["until_ns"], note["attempt"])


def _text(hold: Hold) -> str:
    note = {"kind": hold.kind, "code": hold.code, "until_ns": hold.until_ns, "attempt": hold.attempt}
    return json.dumps(note | {"process": os.getpid()})
