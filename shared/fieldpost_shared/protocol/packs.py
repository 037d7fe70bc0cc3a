# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Packs: many small files in one message, each with its own transfer id and receipt.

Plain value = 4-byte big-endian length of the index, the index as JSON, then the bodies one after another.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.ids import ClientName, TransferId, is_transfer_id
from fieldpost_shared.protocol.encodings import Encoding, deflate, inflate
from fieldpost_shared.protocol.headers import is_sha256
from fieldpost_shared.protocol.json_values import JsonObject, parse_object
from fieldpost_shared.protocol.limits import (
    MAX_MTIME,
    MAX_PACK_FILES,
    MAX_PACK_INDEX,
    MAX_PACK_LENGTH,
    MIN_MTIME,
)
from fieldpost_shared.protocol.messages import Pack, check_path

_PREFIX: Final = 4


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A whole small file."""

    transfer: TransferId
    path: str
    mtime_ns: int
    sha256: str
    body: bytes


@dataclass(frozen=True, slots=True)
class BadMember:
    """A file of a pack that is refused alone; its neighbours are fine."""

    transfer: TransferId
    code: Code
    detail: str


def index_entry(file: PackedFile) -> bytes:
    """The file's part of the index; its length tells a packer how much room it takes."""
    fields = {
        "transfer": file.transfer,
        "path": file.path,
        "size": len(file.body),
        "mtime": file.mtime_ns,
        "sha256": file.sha256,
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def make_pack(client: ClientName, files: Sequence[PackedFile], encoding: Encoding) -> Pack:
    """A pack of 1 to 4,000 files.

    Raises:
        ValueError: the files do not fit into one pack; a packer asks for room before.
    """
    index = b'{"files":[' + b",".join(index_entry(file) for file in files) + b"]}"
    plain = b"".join([len(index).to_bytes(_PREFIX, "big"), index, *(file.body for file in files)])
    if not 1 <= len(files) <= MAX_PACK_FILES or len(index) > MAX_PACK_INDEX or len(plain) > MAX_PACK_LENGTH:
        raise ValueError(f"{len(files)} files in {len(plain)} bytes do not fit into one pack")
    return Pack(client, len(plain), encoding, deflate(plain, encoding), files[0].transfer)


def unpack(pack: Pack) -> list[PackedFile | BadMember]:
    """The files of a pack, each verified; a bad one stands in its place as `BadMember`.

    Raises:
        ProtocolError: the pack as a whole cannot be read.
    """
    try:
        plain = inflate(pack.value, pack.encoding, pack.length)
        entries, start = _read_index(plain)
        return _members(plain, entries, start)
    except ProtocolError as error:
        raise error.about(pack.client, None) from None


def _read_index(plain: bytes) -> tuple[list[JsonObject], int]:
    """The index's entries and where the bodies start; what they need to be told apart is checked here."""
    length = int.from_bytes(plain[:_PREFIX], "big")
    start = _PREFIX + length
    if len(plain) < _PREFIX or length > MAX_PACK_INDEX or start > len(plain):
        raise ProtocolError(Code.BAD_PACK, "the index is longer than allowed")
    index = parse_object(plain[_PREFIX:start], Code.BAD_PACK)
    entries = [JsonObject(entry, Code.BAD_PACK) for entry in index.array("files", MAX_PACK_FILES)]
    seen = {_transfer(entry) for entry in entries}
    if not entries or len(seen) != len(entries):
        raise ProtocolError(Code.BAD_PACK, "no file, or one transfer id twice")
    if start + sum(entry.number("size", 0, MAX_PACK_LENGTH) for entry in entries) != len(plain):
        raise ProtocolError(Code.BAD_PACK, "the sizes do not add up")
    return entries, start


def _members(plain: bytes, entries: Sequence[JsonObject], start: int) -> list[PackedFile | BadMember]:
    members: list[PackedFile | BadMember] = []
    for entry in entries:
        end = start + entry.number("size", 0, MAX_PACK_LENGTH)
        try:
            members.append(_member(entry, plain[start:end]))
        except ProtocolError as error:
            members.append(BadMember(_transfer(entry), error.code, error.detail))
        start = end
    return members


def _member(entry: JsonObject, body: bytes) -> PackedFile:
    mtime = entry.number("mtime", MIN_MTIME, MAX_MTIME)
    path, sha256 = entry.text("path"), entry.text("sha256")
    check_path(path)
    if not is_sha256(sha256):
        raise ProtocolError(Code.BAD_HASH, "sha256")
    if hashlib.sha256(body).hexdigest() != sha256:
        raise ProtocolError(Code.DAMAGED, "file in a pack")
    return PackedFile(_transfer(entry), path, mtime, sha256, body)


def _transfer(entry: JsonObject) -> TransferId:
    text = entry.text("transfer")
    if not is_transfer_id(text):
        raise ProtocolError(Code.BAD_PACK, "transfer id")
    return TransferId(text)
