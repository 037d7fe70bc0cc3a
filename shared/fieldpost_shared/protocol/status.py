# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The status topic: what a receiver tells its senders, as JSON. No message carries a path or a file name."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TypeVar

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.ids import ClientName, TransferId, is_client_name, is_transfer_id
from fieldpost_shared.protocol.headers import is_sha256, major_version
from fieldpost_shared.protocol.json_values import JsonObject, parse_object, whole_number
from fieldpost_shared.protocol.limits import (
    MAJOR,
    MAX_KEY_BYTES,
    MAX_PARTITIONS,
    MAX_RANGES,
    MAX_ROUND,
    MAX_SIZE,
    MAX_STATUS_BYTES,
    MAX_TEXT,
    VERSION,
)

_TIME: Final = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]{1,6})?Z", re.ASCII)
_PARTITION: Final = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_BAD: Final = Code.BAD_STATUS


class Phase(StrEnum):
    """What the receiver is doing with a transfer."""

    RECEIVING = "receiving"
    HELD = "held"
    VERIFYING = "verifying"


class MissingReason(StrEnum):
    """Why chunks are asked for again."""

    NEVER_ARRIVED = "never_arrived"
    DAMAGED = "damaged"
    EXPIRED = "expired"
    HELD = "held"


class ReceiverState(StrEnum):
    """How the receiver as a whole is."""

    OK = "ok"
    LOW_SPACE = "low_space"
    PAUSED = "paused"
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True)
class Progress:
    """Chunks that are synced to the receiver's disk."""

    transfer: TransferId
    have: int
    count: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Received:
    """The receipt."""

    transfer: TransferId
    size: int
    sha256: str
    renamed: bool
    duplicate: bool


@dataclass(frozen=True, slots=True)
class Missing:
    """Send these chunks again, then `end` with this round. Ranges are inclusive."""

    transfer: TransferId
    ranges: tuple[tuple[int, int], ...]
    round: int
    reason: MissingReason


@dataclass(frozen=True, slots=True)
class Rejected:
    """The transfer is over. `code` may be one that only a newer Fieldpost knows."""

    transfer: TransferId
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """The receiver's own state, and how far it has read each partition of the files topic."""

    state: ReceiverState
    text: str
    processed: Mapping[int, int]


Event = Progress | Received | Missing | Rejected | Notice


@dataclass(frozen=True, slots=True)
class Status:
    """One message of the status topic; `client` is None for a notice, which is for every sender."""

    client: ClientName | None
    receiver: str
    at: datetime
    event: Event


_KIND: Final[Mapping[type[Event], str]] = {
    Progress: "progress",
    Received: "received",
    Missing: "missing",
    Rejected: "rejected",
    Notice: "notice",
}


def encode_status(status: Status) -> tuple[bytes | None, bytes]:
    """The key and value of a status message."""
    fields: dict[str, object] = {"fieldpost": VERSION, "kind": _KIND[type(status.event)]}
    fields |= {"receiver": status.receiver, "at": _time_text(status.at)}
    fields |= asdict(status.event)
    key = None if status.client is None else status.client.encode("ascii")
    return key, json.dumps(fields, separators=(",", ":")).encode("ascii")


def decode_status(key: bytes | None, value: bytes | None) -> Status:
    """The status in a message.

    Raises:
        ProtocolError: and nothing else, whatever the bytes.
    """
    if len(key or b"") > MAX_KEY_BYTES or len(value or b"") > MAX_STATUS_BYTES:
        raise ProtocolError(Code.OVERSIZED, "status")
    fields = parse_object(value or b"", _BAD)
    version = fields.text("fieldpost", 16)
    if major_version(version) != MAJOR:
        raise ProtocolError(Code.UNSUPPORTED_VERSION, f"sent: {version}; understood here: {VERSION}")
    return Status(_client(key), _receiver(fields), _time(fields), _event(fields))


def _event(fields: JsonObject) -> Event:
    match fields.text("kind", 64):
        case "progress":
            return _progress(fields)
        case "received":
            return _received(fields)
        case "missing":
            return _missing(fields)
        case "rejected":
            return Rejected(_transfer(fields), fields.text("code", 64), fields.text("text", MAX_TEXT))
        case "notice":
            state = _choice(ReceiverState, fields, "state")
            return Notice(state, fields.text("text", MAX_TEXT), _processed(fields))
    raise ProtocolError(Code.UNKNOWN_KIND, "kind")


def _progress(fields: JsonObject) -> Progress:
    count = fields.number("count", 0, MAX_SIZE)
    return Progress(_transfer(fields), fields.number("have", 0, count), count, _choice(Phase, fields, "phase"))


def _received(fields: JsonObject) -> Received:
    sha256 = fields.text("sha256", 64)
    if not is_sha256(sha256):
        raise ProtocolError(_BAD, "sha256")
    size = fields.number("size", 0, MAX_SIZE)
    return Received(_transfer(fields), size, sha256, fields.flag("renamed"), fields.flag("duplicate"))


def _missing(fields: JsonObject) -> Missing:
    """Ranges must be in order and apart, so that no chunk is asked for twice in one message."""
    ranges: list[tuple[int, int]] = []
    after = 0
    for pair in fields.array("ranges", MAX_RANGES):
        if not isinstance(pair, list) or len(pair) != 2:  # noqa: PLR2004 - first and last
            raise ProtocolError(_BAD, "ranges")
        first = whole_number(pair[0], after, MAX_SIZE, _BAD, "ranges")
        last = whole_number(pair[1], first, MAX_SIZE, _BAD, "ranges")
        ranges.append((first, last))
        after = last + 1
    round_ = fields.number("round", 0, MAX_ROUND)
    return Missing(_transfer(fields), tuple(ranges), round_, _choice(MissingReason, fields, "reason"))


def _processed(fields: JsonObject) -> dict[int, int]:
    processed: dict[int, int] = {}
    for partition, offset in fields.mapping("processed", MAX_PARTITIONS).items():
        if _PARTITION.fullmatch(partition) is None:
            raise ProtocolError(_BAD, "processed")
        processed[int(partition)] = whole_number(offset, 0, MAX_SIZE, _BAD, "processed")
    return processed


def _client(key: bytes | None) -> ClientName | None:
    if key is None:
        return None
    text = key.decode("ascii", "replace")
    if not is_client_name(text):
        raise ProtocolError(Code.BAD_CLIENT, "key")
    return ClientName(text)


def _receiver(fields: JsonObject) -> str:
    """Receivers are named by the same rule as clients."""
    name = fields.text("receiver")
    if not is_client_name(name):
        raise ProtocolError(_BAD, "receiver")
    return name


def _transfer(fields: JsonObject) -> TransferId:
    text = fields.text("transfer")
    if not is_transfer_id(text):
        raise ProtocolError(Code.BAD_TRANSFER, "transfer")
    return TransferId(text)


_Choice = TypeVar("_Choice", bound=StrEnum)


def _choice(enum: type[_Choice], fields: JsonObject, name: str) -> _Choice:
    try:
        return enum(fields.text(name, 64))
    except ValueError:
        raise ProtocolError(_BAD, name) from None


def _time(fields: JsonObject) -> datetime:
    text = fields.text("at", 32)
    try:
        if _TIME.fullmatch(text) is not None:
            return datetime.fromisoformat(text)
    except ValueError:  # a 13th month
        pass
    raise ProtocolError(_BAD, "at")


def _time_text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
