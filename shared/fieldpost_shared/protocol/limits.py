# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of protocol 1.0. Every bound is checked before anything is allocated or computed from it."""

from typing import Final

VERSION: Final = "1.0"
MAJOR: Final = 1

MAX_KEY_BYTES: Final = 256
MAX_HEADERS: Final = 64
MAX_HEADER_NAME: Final = 64  # characters
MAX_HEADER_VALUE: Final = 2048  # bytes; the longest of ours is a path of 1,024

MAX_SIZE: Final = 2**63 - 1
MIN_MTIME: Final = -(2**63)
MAX_MTIME: Final = 2**63 - 1
MAX_ROUND: Final = 2**31 - 1
MIN_CHUNK_SIZE: Final = 16 * 1024
MAX_CHUNK_SIZE: Final = 16 * 1024 * 1024

MAX_PACK_LENGTH: Final = 16 * 1024 * 1024
MAX_PACK_FILES: Final = 4_000
MAX_PACK_INDEX: Final = 1024 * 1024  # parsed JSON takes up to 40 times its text: 40 MB at the most

MAX_STATUS_BYTES: Final = 1024 * 1024
MAX_RANGES: Final = 1_000
MAX_PARTITIONS: Final = 10_000  # in one notice
MAX_TEXT: Final = 500  # characters of words in a status message
