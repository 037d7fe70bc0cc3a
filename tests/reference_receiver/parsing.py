# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the records of the files topic strictly by docs/protocol.md, without the product's own decoder.

Two kinds of faults: those that a receiver must refuse end the reading (`Unusable`); those that a receiver passes over
but a sender of ours must never produce are only noted. Both are violations.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Final

from reference_receiver import values
from reference_receiver.messages import Cancel, Chunk, End, Facts, Message, Pack, Raw, Reading, Refusal, Unusable
from reference_receiver.packing import open_pack
from reference_receiver.paths import path_faults

VERSION: Final = "1.0"
_ALL: Final = frozenset({"fieldpost", "kind", "client"})
_FACTS: Final = _ALL | {"transfer", "path", "size", "chunk.size", "mtime"}
_HEADERS: Final[Mapping[str, frozenset[str]]] = {
    "chunk": _FACTS | {"index", "sha256", "encoding"},
    "end": _FACTS | {"sha256", "round"},
    "pack": _ALL | {"encoding", "length"},
    "cancel": _ALL | {"transfer"},
}
_VERSION_FORM: Final = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)", re.ASCII)
_SMALLEST_CHUNK: Final = 16 * 1024
_ROUNDING: Final = 4 * 1024
_WORTHWHILE: Final = 0.9
_MOST_ROUNDS: Final = 2**31 - 1


def read(raw: Raw, largest_chunk: int = values.LARGEST) -> Reading:
    """What a record says, and everything that is wrong with it. `largest_chunk` is what the sender is set to."""
    faults: list[str] = []
    fields: dict[str, str] = {}
    try:
        _collect(raw.headers, fields)
        message = _Reader(raw, fields, faults, largest_chunk).message()
    except Unusable as why:
        return Reading(None, _refusal(fields, why), (*faults, str(why)))
    return Reading(message, None, tuple(faults))


def _collect(headers: Sequence[tuple[str, bytes | None]], fields: dict[str, str]) -> None:
    """Fills `fields` as far as it gets: an answer needs client and transfer even if another header is broken."""
    problems = []
    for name, value in headers:
        if name in fields:
            problems.append(f"the header {name} is there twice")
        try:
            fields[name] = (value or b"").decode()
        except UnicodeDecodeError:
            problems.append(f"the header {name} is not UTF-8")
    if problems:
        raise Unusable("; ".join(problems))


def _refusal(fields: Mapping[str, str], why: Unusable) -> Refusal | None:
    if not why.code:
        return None
    try:
        client = values.client_name(fields.get("client", ""))
        transfer = values.transfer_id(fields.get("transfer", ""), [])
    except Unusable:
        return None
    return Refusal(client, transfer, why.code, str(why))


class _Reader:
    """Reads one record."""

    def __init__(self, raw: Raw, fields: Mapping[str, str], faults: list[str], largest_chunk: int) -> None:
        self._raw = raw
        self._fields = fields
        self._faults = faults
        self._largest_chunk = largest_chunk

    def message(self) -> Message:
        self._check_version()
        kind = self._text("kind")
        if kind not in _HEADERS:
            raise Unusable(f"the kind {kind!r} is unknown")
        strangers = sorted(self._fields.keys() - _HEADERS[kind])
        self._faults += [f"the header {name} does not belong on {kind}" for name in strangers]
        match kind:
            case "chunk":
                return self._chunk()
            case "end":
                return self._end()
            case "pack":
                return self._pack()
        return self._cancel()

    def _check_version(self) -> None:
        version = self._text("fieldpost")
        form = _VERSION_FORM.fullmatch(version)
        if form is None:
            raise Unusable("the version is unreadable")
        if form[1] != VERSION.partition(".")[0]:
            raise Unusable(f"version {version}; understood here: {VERSION}", "unsupported_version")
        if version != VERSION:
            self._faults.append(f"version {version} instead of {VERSION}")

    def _chunk(self) -> Chunk:
        facts = self._facts()
        if not facts.count:
            raise Unusable("a chunk of an empty file, which is an end alone")
        index = self._number("index", 0, facts.count - 1)
        digest, encoding = values.sha256(self._text("sha256")), self._text("encoding")
        try:
            plain = values.inflated(self._raw.value, encoding, facts.length(index))
        except Unusable as why:
            self._faults.append(f"chunk {index}: {why}")
            return Chunk(facts, index, digest, None)
        if encoding == "zstd" and index == 0 and len(self._raw.value) > len(plain) * _WORTHWHILE:
            self._faults.append("zstd although the first chunk saves less than 10 %")
        if hashlib.sha256(plain).hexdigest() != digest:
            self._faults.append(f"chunk {index}: the bytes do not match their SHA-256")
            return Chunk(facts, index, digest, None)
        return Chunk(facts, index, digest, plain)

    def _end(self) -> End:
        facts = self._facts()
        self._check_empty("end")
        return End(facts, values.sha256(self._text("sha256")), self._number("round", 0, _MOST_ROUNDS))

    def _cancel(self) -> Cancel:
        client, transfer = self._client(), self._transfer()
        self._check_empty("cancel")
        return Cancel(client, transfer)

    def _pack(self) -> Pack:
        client = self._client()
        length = self._number("length", 0, values.LARGEST)
        plain = values.inflated(self._raw.value, self._text("encoding"), length)
        members = open_pack(client, plain, self._largest_chunk, self._faults)
        self._check_key(members[0].facts.transfer)
        return Pack(client, members)

    def _facts(self) -> Facts:
        client, transfer = self._client(), self._transfer()
        size = self._number("size", 0, values.MOST_BYTES)
        chunk_size = self._number("chunk.size", _SMALLEST_CHUNK, values.LARGEST)
        if chunk_size % _ROUNDING:
            self._faults.append(f"the chunk size {chunk_size} is not rounded down to 4 KiB")
        if chunk_size > self._largest_chunk:
            self._faults.append(f"the chunk size {chunk_size} is above the {self._largest_chunk} that are set")
        mtime = self._number("mtime", -values.MOST_BYTES - 1, values.MOST_BYTES)
        path = self._text("path")
        if wrong := path_faults(path):
            raise Unusable("; ".join(wrong), "name_refused")
        return Facts(client, transfer, path, size, mtime, chunk_size)

    def _client(self) -> str:
        return values.client_name(self._text("client"))

    def _transfer(self) -> str:
        transfer = values.transfer_id(self._text("transfer"), self._faults)
        self._check_key(transfer)
        return transfer

    def _check_key(self, transfer: str) -> None:
        if self._raw.key != transfer.encode():
            self._faults.append("the key is not the transfer id")

    def _check_empty(self, kind: str) -> None:
        if self._raw.value:
            self._faults.append(f"the value of {kind} is not empty")

    def _number(self, name: str, low: int, high: int) -> int:
        return values.number(name, self._text(name), low, high)

    def _text(self, name: str) -> str:
        if name not in self._fields:
            raise Unusable(f"the header {name} is missing")
        return self._fields[name]
