# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Values of headers and of a pack's index, and how a message's value is inflated."""

import re
from typing import Final

import zstandard

from reference_receiver.messages import Unusable

MIB: Final = 1024 * 1024
LARGEST: Final = 16 * MIB  # chunk size and plain length of a pack
MOST_BYTES: Final = 2**63 - 1

_CLIENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_TRANSFER: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_SHA256: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,18})", re.ASCII)


def client_name(text: str) -> str:
    if not _CLIENT.fullmatch(text):
        raise Unusable("the client's name is not allowed")
    return text


def transfer_id(text: str, faults: list[str]) -> str:
    """An id in the layout of a UUIDv7: version 7 in the 13th digit, variant 10 in the 17th."""
    if not _TRANSFER.fullmatch(text):
        raise Unusable("the transfer id is not 32 lower-case hex digits")
    if text[12] != "7" or text[16] not in "89ab":
        faults.append("the transfer id has not the layout of a UUIDv7")
    return text


def sha256(text: str) -> str:
    if not _SHA256.fullmatch(text):
        raise Unusable("the SHA-256 is not 64 lower-case hex digits")
    return text


def number(name: str, text: str, low: int, high: int) -> int:
    """A decimal number in ASCII, written the one way there is."""
    if not _NUMBER.fullmatch(text) or text == "-0":
        raise Unusable(f"{name} is not a decimal number")
    if not low <= int(text) <= high:
        raise Unusable(f"{name} is out of range: {text}")
    return int(text)


def inflated(value: bytes, encoding: str, length: int) -> bytes:
    """The plain bytes, refused before they are inflated if they would not be `length`."""
    if encoding not in {"identity", "zstd"}:
        raise Unusable("the encoding is neither identity nor zstd")
    claimed = len(value) if encoding == "identity" else _frame_length(value)
    if claimed != length:
        raise Unusable(f"the plain value has {claimed} bytes instead of {length}")
    return value if encoding == "identity" else _inflated(value)


def _frame_length(value: bytes) -> int:
    try:
        return zstandard.frame_content_size(value)
    except zstandard.ZstdError:
        raise Unusable("the value is no zstd frame") from None


def _inflated(value: bytes) -> bytes:
    frame = zstandard.ZstdDecompressor(max_window_size=LARGEST).decompressobj()
    try:
        plain = frame.decompress(value)
    except zstandard.ZstdError:
        raise Unusable("the zstd frame is broken") from None
    if not frame.eof or frame.unused_data:
        raise Unusable("the value is not exactly one zstd frame")
    return plain
