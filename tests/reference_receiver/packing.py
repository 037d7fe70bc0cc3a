# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Opens packs by docs/protocol.md: 4-byte big-endian length of the index, the index as JSON, then the bodies."""

import hashlib
import json
from collections.abc import Sequence
from typing import Final

from reference_receiver import values
from reference_receiver.messages import Facts, Member, Unusable
from reference_receiver.paths import path_faults

_PREFIX: Final = 4
_MOST_FILES: Final = 4_000
_ENTRY: Final = {"transfer": str, "path": str, "size": int, "mtime": int, "sha256": str}
_SHARE: Final = 4  # a packed file has at most a quarter of the chunk size

Entry = dict[str, object]


def open_pack(client: str, plain: bytes, largest_chunk: int, faults: list[str]) -> tuple[Member, ...]:
    """The files of a pack; a bad one is marked, a bad index raises."""
    start = _PREFIX + int.from_bytes(plain[:_PREFIX], "big")
    if len(plain) < _PREFIX or start > len(plain):
        raise Unusable("the pack's index is longer than the pack")
    entries = _entries(plain[_PREFIX:start], faults)
    members = []
    for entry in entries:
        end = start + _size(entry)
        members.append(_member(client, entry, plain[start:end], faults))
        start = end
    if start != len(plain):
        raise Unusable("the sizes in the pack's index do not add up to its length")
    _check_sizes(members, largest_chunk, faults)
    return tuple(members)


def _entries(text: bytes, faults: list[str]) -> list[Entry]:
    try:
        index = json.loads(text.decode(), object_pairs_hook=_object)
    except (ValueError, RecursionError):
        raise Unusable("the pack's index is no JSON") from None
    files = index.get("files") if isinstance(index, dict) else None
    if not isinstance(files, list) or not all(isinstance(entry, dict) for entry in files):
        raise Unusable("the pack's index lists no files")
    if index.keys() != {"files"}:
        faults.append("the pack's index has more than files")
    if not 1 <= len(files) <= _MOST_FILES:
        raise Unusable(f"{len(files)} files in a pack")
    _check_ids(files, faults)
    return files


def _object(pairs: Sequence[tuple[str, object]]) -> Entry:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def _check_ids(entries: Sequence[Entry], faults: list[str]) -> None:
    for entry in entries:
        for name, kind in _ENTRY.items():
            if type(entry.get(name)) is not kind:
                raise Unusable(f"a packed file's {name} is missing or of the wrong type")
        if entry.keys() != _ENTRY.keys():
            faults.append("a packed file's entry has more than it should")
    ids = [values.transfer_id(str(entry["transfer"]), faults) for entry in entries]
    if len(set(ids)) != len(ids):
        raise Unusable("a transfer id twice in one pack")


def _size(entry: Entry) -> int:
    return values.number("a packed file's size", str(entry["size"]), 0, values.LARGEST)


def _member(client: str, entry: Entry, body: bytes, faults: list[str]) -> Member:
    transfer, path, digest = str(entry["transfer"]), str(entry["path"]), str(entry["sha256"])
    mtime = values.number("a packed file's mtime", str(entry["mtime"]), -values.MOST_BYTES - 1, values.MOST_BYTES)
    facts = Facts(client, transfer, path, len(body), mtime)
    if wrong := _path_faults(path):
        faults += [f"packed file: {words}" for words in wrong]
        return Member(facts, digest, body, "name_refused")
    if hashlib.sha256(body).hexdigest() != digest:
        faults.append("packed file: the bytes do not match their SHA-256")
        return Member(facts, digest, body, "damaged")
    return Member(facts, digest, body)


def _path_faults(path: str) -> list[str]:
    try:
        path.encode()
    except UnicodeEncodeError:  # JSON can spell what UTF-8 cannot
        return ["the path has a lone surrogate"]
    return path_faults(path)


def _check_sizes(members: Sequence[Member], largest_chunk: int, faults: list[str]) -> None:
    largest = max(member.facts.size for member in members)
    if largest * _SHARE > largest_chunk:
        faults.append(f"a packed file of {largest} bytes is more than a quarter of a chunk")
