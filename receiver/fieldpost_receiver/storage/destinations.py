# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which implementation of the storage port a destination is. The only module that knows all of them."""

import grp
from pathlib import Path

from fieldpost_receiver.config.settings import ReceiverSettings
from fieldpost_receiver.storage.folder.folder_tree import Ownership
from fieldpost_receiver.storage.folder.storage import FolderStorage
from fieldpost_receiver.storage.port import Storage


def storage_at(destination: str) -> Storage:
    """Return the storage of a destination as a task knows it: by its text alone."""
    return FolderStorage(Path(destination))


def storage_of(receiver: ReceiverSettings) -> Storage:
    """Return the storage that receiver.toml describes."""
    gid = grp.getgrnam(receiver.group).gr_gid if receiver.group else None
    return FolderStorage(receiver.destination, Ownership(receiver.file_mode, receiver.directory_mode, gid))
