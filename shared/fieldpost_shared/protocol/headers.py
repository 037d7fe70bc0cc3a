# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads Kafka headers of any origin."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.ids import ClientName, TransferId, is_client_name, is_transfer_id
from fieldpost_shared.protocol.limits import MAX_HEADER_NAME, MAX_HEADER_VALUE, MAX_HEADERS, MAX_KEY_BYTES

RawHeaders = Sequence[tuple[str, bytes | None]]

KNOWN: Final = frozenset(
    {
        "fieldpost",
        "kind",
        "client",
        "transfer",
        "path",
        "size",
        "chunk.size",
        "index",
        "sha256",
        "mtime",
        "encoding",
        "length",
        "round",
    }
)
_NUMBER: Final = re.compile(r"(?:0|[1-9][0-9]{0,18})", re.ASCII)
_SIGNED: Final = re.compile(r"(?:0|-?[1-9][0-9]{0,18})", re.ASCII)
_SHA256: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})", re.ASCII)


class Headers:
    """The known headers of one message, each there at most once; read by name and kind of value."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, bytes | None]) -> None:
        self._values = values

    @classmethod
    def read(cls, key: bytes | None, raw: RawHeaders | None) -> "Headers":
        """Bounds first, then each known header once. Unknown ones are passed over."""
        if key is not None and len(key) > MAX_KEY_BYTES:
            raise ProtocolError(Code.OVERSIZED, f"key of {len(key)} bytes")
        raw = raw or ()
        if len(raw) > MAX_HEADERS:
            raise ProtocolError(Code.TOO_MANY_HEADERS, f"{len(raw)} headers")
        values: dict[str, bytes | None] = {}
        for position, (name, value) in enumerate(raw):
            if len(name) > MAX_HEADER_NAME or (value is not None and len(value) > MAX_HEADER_VALUE):
                raise ProtocolError(Code.OVERSIZED, f"header {position}")
            if name in values:
                raise ProtocolError(Code.DUPLICATE_HEADER, name)
            if name in KNOWN:
                values[name] = value
        return cls(values)

    def text(self, name: str) -> str:
        """A header's text."""
        value = self._values.get(name)
        if value is None:
            raise ProtocolError(Code.MISSING_HEADER, name)
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise ProtocolError(Code.BAD_TEXT, name) from None

    def number(self, name: str, low: int, high: int) -> int:
        """A decimal number: ASCII digits, no leading zero, a sign only where negative numbers are allowed."""
        text = self.text(name)
        pattern = _NUMBER if low >= 0 else _SIGNED
        if pattern.fullmatch(text) is None or not low <= int(text) <= high:
            raise ProtocolError(Code.BAD_NUMBER, name)
        return int(text)

    def sha256(self) -> str:
        """The `sha256` header."""
        text = self.text("sha256")
        if not is_sha256(text):
            raise ProtocolError(Code.BAD_HASH, "sha256")
        return text

    def client(self) -> ClientName:
        """The `client` header."""
        text = self.text("client")
        if not is_client_name(text):
            raise ProtocolError(Code.BAD_CLIENT, "client")
        return ClientName(text)

    def transfer(self) -> TransferId:
        """The `transfer` header."""
        text = self.text("transfer")
        if not is_transfer_id(text):
            raise ProtocolError(Code.BAD_TRANSFER, "transfer")
        return TransferId(text)

    def addressee(self) -> tuple[ClientName | None, TransferId | None]:
        """Whom an answer could be sent to, as far as the message says."""
        try:
            client = self.client()
        except ProtocolError:
            return None, None
        try:
            return client, self.transfer()
        except ProtocolError:
            return client, None


def major_version(text: str) -> int:
    """The major part of a version such as `1.0`."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ProtocolError(Code.BAD_VERSION, "fieldpost")
    return int(match[1])


def is_sha256(text: str) -> bool:
    """Whether the text is a SHA-256 in lower-case hex."""
    return _SHA256.fullmatch(text) is not None
