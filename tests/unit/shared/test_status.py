# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import contextlib
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

import support.strategies as wire
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.protocol import limits
from fieldpost_shared.protocol.status import Notice, ReceiverState, Status, decode_status, encode_status

TRANSFER = "0190f3a2b4c57d8e9fa0b1c2d3e4f506"
BASE = {"fieldpost": "1.0", "receiver": "central", "at": "2026-11-16T18:12:00.123Z", "transfer": TRANSFER}
PROGRESS = BASE | {"kind": "progress", "have": 1, "count": 2, "phase": "receiving"}
RECEIVED = BASE | {"kind": "received", "size": 3, "sha256": "0" * 64, "renamed": False, "duplicate": True}
MISSING = BASE | {"kind": "missing", "ranges": [[0, 2], [4, 4]], "round": 1, "reason": "damaged"}
REJECTED = BASE | {"kind": "rejected", "code": "incomplete", "text": "parts are missing"}
NOTICE = BASE | {"kind": "notice", "state": "ok", "text": "", "processed": {"0": 17}}


@given(wire.statuses)
def test_every_status_survives_the_wire(status: Status) -> None:
    assert decode_status(*encode_status(status)) == status


_keys = st.sampled_from([*PROGRESS, *RECEIVED, *MISSING, *REJECTED, *NOTICE]) | st.text(max_size=5)
_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10)
_values = st.recursive(
    _leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner), max_leaves=8
)


@given(
    st.none() | st.binary(max_size=300),
    st.sampled_from([PROGRESS, RECEIVED, MISSING, REJECTED, NOTICE]),
    st.dictionaries(_keys, _values, max_size=4),
)
def test_decoding_a_tampered_status_gives_a_status_or_a_protocol_error(
    key: bytes | None, base: dict[str, object], changes: dict[str, object]
) -> None:
    with contextlib.suppress(ProtocolError):
        decode_status(key, json.dumps(base | changes).encode())


@given(st.none() | st.binary(max_size=300), st.none() | st.binary())
def test_decoding_any_bytes_gives_a_status_or_a_protocol_error(key: bytes | None, value: bytes | None) -> None:
    with contextlib.suppress(ProtocolError):
        decode_status(key, value)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        (PROGRESS | {"have": 3}, Code.BAD_STATUS),
        (PROGRESS | {"phase": "dreaming"}, Code.BAD_STATUS),
        (PROGRESS | {"transfer": "x"}, Code.BAD_TRANSFER),
        (PROGRESS | {"fieldpost": "2.0"}, Code.UNSUPPORTED_VERSION),
        (PROGRESS | {"fieldpost": 1.0}, Code.BAD_STATUS),
        (PROGRESS | {"kind": "letter"}, Code.UNKNOWN_KIND),
        (PROGRESS | {"receiver": "a/b"}, Code.BAD_STATUS),
        (PROGRESS | {"at": "yesterday"}, Code.BAD_STATUS),
        (PROGRESS | {"at": "2026-13-01T00:00:00Z"}, Code.BAD_STATUS),
        (PROGRESS | {"at": "2026-11-16T18:12:00+02:00"}, Code.BAD_STATUS),
        (RECEIVED | {"sha256": "0" * 63}, Code.BAD_STATUS),
        (RECEIVED | {"renamed": 1}, Code.BAD_STATUS),
        (RECEIVED | {"size": 2**63}, Code.BAD_STATUS),
        (MISSING | {"ranges": [[2, 1]]}, Code.BAD_STATUS),
        (MISSING | {"ranges": [[0, 2], [2, 3]]}, Code.BAD_STATUS),
        (MISSING | {"ranges": [[1]]}, Code.BAD_STATUS),
        (MISSING | {"ranges": ["01"]}, Code.BAD_STATUS),
        (MISSING | {"ranges": [[n * 2, n * 2] for n in range(1001)]}, Code.BAD_STATUS),
        (MISSING | {"ranges": {}}, Code.BAD_STATUS),
        (REJECTED | {"text": "x" * 501}, Code.BAD_STATUS),
        (NOTICE | {"processed": {"x": 1}}, Code.BAD_STATUS),
        (NOTICE | {"processed": {"-1": 1}}, Code.BAD_STATUS),
        (NOTICE | {"processed": []}, Code.BAD_STATUS),
        (NOTICE | {"state": "sleepy"}, Code.BAD_STATUS),
    ],
)
def test_a_wrong_field_is_refused_with_its_code(fields: dict[str, object], code: Code) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_status(b"van-7", json.dumps(fields).encode())
    assert caught.value.code is code


def test_a_status_over_a_bound_is_refused_unread() -> None:
    for key, value in ((b"k" * 257, b"{}"), (None, b" " * (limits.MAX_STATUS_BYTES + 1))):
        with pytest.raises(ProtocolError) as caught:
            decode_status(key, value)
        assert caught.value.code is Code.OVERSIZED


def test_a_key_that_is_no_client_name_is_refused() -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_status("fünf".encode(), json.dumps(PROGRESS).encode())
    assert caught.value.code is Code.BAD_CLIENT


def test_unknown_fields_of_a_newer_minor_version_are_ignored() -> None:
    fields = PROGRESS | {"fieldpost": "1.9", "mood": "fine"}
    assert decode_status(b"van-7", json.dumps(fields).encode()).client == "van-7"


def test_a_status_is_readable_by_a_person() -> None:
    at = datetime(2026, 11, 16, 18, 12, 0, 123456, UTC)
    key, value = encode_status(Status(None, "central", at, Notice(ReceiverState.OK, "", {0: 17})))
    assert key is None
    assert json.loads(value) == {k: v for k, v in NOTICE.items() if k != "transfer"}
