# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The journal's tables. A change adds a migration at the end; a published one is never edited."""

from collections.abc import Sequence
from typing import Final

_FIRST: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE folders (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL,                    -- JSON, see watching/rules.py
    enabled INTEGER NOT NULL DEFAULT 1,
    added_ns INTEGER NOT NULL,
    scanned_ns INTEGER,                     -- end of the last complete scan
    code TEXT NOT NULL DEFAULT ''           -- folder_gone while it is not there
);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,                   -- where it lies on this computer
    path TEXT NOT NULL,                     -- under which name it travels
    folder INTEGER REFERENCES folders (id) ON DELETE SET NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    identity TEXT NOT NULL,                 -- device and inode: a file swapped for another is a change
    seen_ns INTEGER NOT NULL,               -- since when size and mtime are what they are
    state TEXT NOT NULL,
    transfer TEXT UNIQUE,                   -- of this generation; NULL before its first part
    generation INTEGER NOT NULL DEFAULT 1,
    chunk_size INTEGER NOT NULL DEFAULT 0,  -- 0: travels in a pack
    encoding TEXT NOT NULL DEFAULT 'identity',
    sha256 TEXT NOT NULL DEFAULT '',
    attempt INTEGER NOT NULL DEFAULT 0,
    next_try_ns INTEGER,
    code TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    resends INTEGER NOT NULL DEFAULT 0,     -- new transfers begun by themselves since a person last acted
    round INTEGER NOT NULL DEFAULT 0,       -- of the last `missing` answered in full
    end_partition INTEGER,                  -- where the last `end` (or the pack) lies in the topic
    end_offset INTEGER,
    asked INTEGER NOT NULL DEFAULT 0,
    ask_ns INTEGER,                         -- when the receipt is asked for next; NULL until the receiver has passed it
    urgent INTEGER NOT NULL DEFAULT 0,      -- first in line
    anyway INTEGER NOT NULL DEFAULT 0,      -- a person said: send it on this metered connection
    added_ns INTEGER NOT NULL,
    started_ns INTEGER,
    sent_ns INTEGER,
    ended_ns INTEGER,                       -- confirmed or cancelled
    clean_up TEXT NOT NULL DEFAULT '',      -- '', due, done, failed
    clean_up_tries INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX files_by_state ON files (state, urgent DESC, id, size);
CREATE INDEX files_by_place ON files (folder, source);
CREATE INDEX files_by_source ON files (source);
CREATE INDEX files_to_clean ON files (clean_up) WHERE clean_up = 'due';

CREATE TABLE batches (batch TEXT, file INTEGER REFERENCES files (id) ON DELETE CASCADE, PRIMARY KEY (batch, file))
    WITHOUT ROWID;

CREATE TABLE chunks (                       -- acknowledged by the broker
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    PRIMARY KEY (file, idx)
) WITHOUT ROWID;

CREATE TABLE receipts (                     -- of this generation, one for each receiver
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    receiver TEXT NOT NULL,
    at TEXT NOT NULL,
    renamed INTEGER NOT NULL,
    duplicate INTEGER NOT NULL,
    PRIMARY KEY (file, receiver)
) WITHOUT ROWID;

CREATE TABLE rounds (                       -- the last `missing` of each receiver that was taken up
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    receiver TEXT NOT NULL,
    round INTEGER NOT NULL,
    PRIMARY KEY (file, receiver)
) WITHOUT ROWID;

CREATE TABLE cancels (transfer TEXT PRIMARY KEY) WITHOUT ROWID;  -- still to be told to the receiver

CREATE TABLE status_positions (partition INTEGER PRIMARY KEY, next_offset INTEGER NOT NULL);

CREATE TABLE inbox (id INTEGER PRIMARY KEY AUTOINCREMENT, command TEXT NOT NULL, at_ns INTEGER NOT NULL);
"""

MIGRATIONS: Final[Sequence[str]] = (_FIRST,)
VERSION: Final = len(MIGRATIONS)
