# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The ledger's tables. A change adds a migration at the end; a published migration is never edited."""

from collections.abc import Sequence
from typing import Final

_FIRST: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE transfers (
    id TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,            -- 0: came in a pack
    mtime_ns INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL,
    bitmap BLOB,                            -- NULL once it is finished, or came whole
    have INTEGER NOT NULL DEFAULT 0,
    sha256 TEXT NOT NULL DEFAULT '',        -- of the whole file, fixed by the first `end`
    end_round INTEGER,                      -- of an `end` that waits for its barrier
    barrier TEXT NOT NULL DEFAULT '',       -- JSON {partition: offset} that must be processed before a hole is a loss
    round INTEGER NOT NULL DEFAULT 0,       -- of the last `missing` said
    stale_rounds INTEGER NOT NULL DEFAULT 0,
    grew INTEGER NOT NULL DEFAULT 0,        -- a new chunk came since the last `missing`
    expired INTEGER NOT NULL DEFAULT 0,     -- retention took offsets unread while it was open
    first_ns INTEGER NOT NULL,
    last_ns INTEGER NOT NULL,
    told_ns INTEGER NOT NULL DEFAULT 0,     -- last `progress`
    intent TEXT NOT NULL DEFAULT '',        -- JSON: the final name's parts, before the rename
    name TEXT NOT NULL DEFAULT '',          -- the final name, published
    name_key TEXT NOT NULL DEFAULT '',      -- the same, as the conflict policy compares names
    renamed INTEGER NOT NULL DEFAULT 0,
    duplicate INTEGER NOT NULL DEFAULT 0,
    code TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL DEFAULT '',
    ended_ns INTEGER
);
CREATE INDEX transfers_by_state ON transfers (state, last_ns);
CREATE INDEX transfers_by_client ON transfers (client, state);
CREATE INDEX transfers_by_name ON transfers (name_key) WHERE name_key <> '';
CREATE INDEX transfers_by_end ON transfers (ended_ns);

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    client TEXT NOT NULL,
    value BLOB NOT NULL
);

CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    partition INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    client TEXT NOT NULL DEFAULT '',
    transfer TEXT NOT NULL DEFAULT '',
    at_ns INTEGER NOT NULL,
    UNIQUE (partition, "offset", transfer)
);
CREATE TABLE refusals (code TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;  -- of all, not only the newest

CREATE TABLE processed (partition INTEGER PRIMARY KEY, next_offset INTEGER NOT NULL);
"""

MIGRATIONS: Final[Sequence[str]] = (_FIRST,)
