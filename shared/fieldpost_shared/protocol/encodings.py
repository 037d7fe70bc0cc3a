# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How a value is stored in a message: as it is, or compressed. Inflating never exceeds the promised length."""

from enum import StrEnum
from typing import Final

import zstandard

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import ProtocolError

LEVEL: Final = 1
WORTHWHILE: Final = 0.9  # a file is compressed only if its first chunk shrinks by at least a tenth
_MAX_WINDOW: Final = 16 * 1024 * 1024  # no frame of ours spans more; a larger window is only there to eat memory


class Encoding(StrEnum):
    """The `encoding` header."""

    IDENTITY = "identity"
    ZSTD = "zstd"


def sample(plain: bytes) -> Encoding:
    """The encoding for a file whose first chunk is this."""
    shrunk = len(deflate(plain, Encoding.ZSTD))
    return Encoding.ZSTD if plain and shrunk <= len(plain) * WORTHWHILE else Encoding.IDENTITY


def deflate(plain: bytes, encoding: Encoding) -> bytes:
    """The value that travels."""
    if encoding is Encoding.IDENTITY:
        return plain
    return zstandard.ZstdCompressor(level=LEVEL).compress(plain)


def check_length(value: bytes, encoding: Encoding, length: int) -> None:
    """Refuse, before a byte is inflated, a value that does not claim to be exactly `length` bytes."""
    claimed = len(value) if encoding is Encoding.IDENTITY else _frame_length(value)
    if claimed != length:
        raise ProtocolError(Code.BAD_LENGTH, f"{claimed} bytes instead of {length}")


def inflate(value: bytes, encoding: Encoding, length: int) -> bytes:
    """The plain bytes, exactly `length` of them."""
    check_length(value, encoding, length)
    if encoding is Encoding.IDENTITY:
        return value
    try:
        # check_length made sure that the frame itself promises `length`, which is what gets allocated
        plain = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).decompress(value, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ProtocolError(Code.BAD_COMPRESSION, str(error)) from None
    return plain


def _frame_length(value: bytes) -> int:
    """What a zstd frame says of itself; a frame that does not say is refused, since ours always do."""
    try:
        claimed = zstandard.frame_content_size(value)
    except zstandard.ZstdError:
        raise ProtocolError(Code.BAD_COMPRESSION, "no zstd frame") from None
    if claimed < 0:
        raise ProtocolError(Code.BAD_COMPRESSION, "the frame does not tell its length")
    return claimed
