# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F31: the other end is newer or older: a minor version is accepted, a major one refused with the versions named.

`recorded/` holds messages as 1.0 wrote them; a later version reads them too, and its own tests keep them.
"""

import json
import logging
from typing import Any, Final

import pytest

from faults.bookkeeping import Case
from faults.raw_records import from_json, packed_by_hand, recorded, rig_in_memory, with_headers
from fieldpost_desktop.engine.receipts.status_reader import StatusReader
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.ids import ClientName
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.messages import Record, decode, encode
from fieldpost_shared.protocol.status import Missing, Received, Rejected, Status, decode_status, encode_status
from support.receiver.rig import Sent, sha256

FILES: Final = [from_json(fields) for fields in recorded("files-1.0.json")]
STATUSES: Final = [(one["key"] and one["key"].encode(), one["value"].encode()) for one in recorded("status-1.0.json")]
BIG: Final = (b"Fieldpost " * 8000)[:70_000]
ARRIVED: Final = {"van-7/ordner/bericht ü.pdf": BIG, "van-7/a.txt": b"small", "van-7/b/empty.txt": b""}
NEWER_MINOR: Final = ["1.1", "1.99", "1.9999"]
OTHER_MAJOR: Final = ["0.9", "2.0", "2.1", "10.0", "9999.9999"]
NO_VERSION: Final = ["1", "1.", ".0", "v1.0", "1.0.0", "01.0", "1.00000", "\u0661.0", "", "-1.0", "1.0 "]


def test_f31_messages_recorded_by_1_0_are_read_and_written_the_same(case: Case) -> None:
    for record in FILES:
        again = encode(decode(record.key, record.headers, record.value))
        assert again == record
    for key, value in STATUSES:
        assert encode_status(decode_status(key, value)) == (key, value)
    with rig_in_memory() as rig:
        said = rig.take(FILES)
        assert rig.tree() == ARRIVED
        assert rig.job.quarantine.counts() == {}
        assert {event.code for event in said if isinstance(event, Rejected)} == {"cancelled"}
    case.fault(0)


@pytest.mark.parametrize("version", NEWER_MINOR)
def test_f31_a_newer_minor_version_is_accepted_with_all_that_is_new_in_it(case: Case, version: str) -> None:
    new: dict[str, bytes | str | None] = {
        "fieldpost": version,
        "signature": b"\x00\xff" * 30,
        "encryption": "none",
        "chunk.crc": "7",
    }
    entry = {"transfer": "7" * 32, "path": "new.txt", "size": 2, "mtime": 5, "sha256": sha256(b"hi"), "mode": 420}
    with rig_in_memory() as rig:
        rig.take(
            [with_headers(record, new) for record in FILES],
            with_headers(packed_by_hand({"files": [entry], "signed": {"by": "x"}}, b"hi"), {"fieldpost": version}),
            with_headers(FILES[0], {"fieldpost": version, "kind": "greeting"}),
        )
        case.fault(len(FILES) + 2)
        assert rig.tree() == ARRIVED | {"van-7/new.txt": b"hi"}
        assert rig.job.quarantine.counts() == {"unknown_kind": 1}, "a new kind is counted and skipped"


@pytest.mark.parametrize("version", OTHER_MAJOR)
def test_f31_another_major_version_is_refused_and_told_what_is_understood(case: Case, version: str) -> None:
    old = Sent(9, "old.txt", b"old")
    with rig_in_memory() as rig:
        said = rig.take([with_headers(record, {"fieldpost": version}) for record in FILES], old.chunks(), old.end())
        case.fault(len(FILES))
        assert rig.tree() == {"van-7/old.txt": b"old"}, "1.0 goes on meanwhile"
        assert rig.job.quarantine.counts() == {"unsupported_version": len(FILES)}
        told = {event.transfer: event for event in said if isinstance(event, Rejected)}
        assert set(told) == {f"{1:032x}", f"{4:032x}"}, "each transfer that could be named"
        assert {event.code for event in told.values()} == {"unsupported_version"}
        assert all("1.0" in event.text and version in event.text for event in told.values()), "both versions named"
        assert not [event for event in said if isinstance(event, Missing)]


@pytest.mark.parametrize("version", NO_VERSION)
def test_f31_what_is_no_version_is_refused_without_an_answer(case: Case, version: str) -> None:
    with rig_in_memory() as rig:
        said = rig.take([with_headers(record, {"fieldpost": version}) for record in FILES])
        case.fault(len(FILES))
        assert (said, rig.tree()) == ([], {})
        assert rig.job.quarantine.counts() == {"bad_version": len(FILES)}


# the status topic


def changed(value: bytes, **fields: Any) -> bytes:  # noqa: ANN401 - whatever JSON has
    return json.dumps(json.loads(value) | fields).encode()


@pytest.mark.parametrize("version", NEWER_MINOR)
def test_f31_a_status_of_a_newer_minor_version_is_understood(case: Case, version: str) -> None:
    for key, value in STATUSES:
        newer = changed(value, fieldpost=version, seal={"by": ["x"]}, stored_at="a/b")
        assert decode_status(key, newer) == decode_status(key, value)
        case.fault()
    with pytest.raises(ProtocolError, match="unknown_kind"):
        decode_status(STATUSES[0][0], changed(STATUSES[0][1], fieldpost=version, kind="greeting"))
    rejected = decode_status(STATUSES[3][0], changed(STATUSES[3][1], fieldpost=version, code="brand_new_code"))
    assert isinstance(rejected.event, Rejected)
    assert rejected.event.code == "brand_new_code"


class Message:
    """A status message as the library hands it out."""

    def __init__(self, key: bytes | None, value: bytes) -> None:
        self.key, self.value = lambda: key, lambda: value
        self.partition, self.offset, self.error = lambda: 0, lambda: 5, lambda: None


@pytest.fixture
def heard() -> tuple[StatusReader, list[Status]]:
    statuses: list[Status] = []
    settings = KafkaSettings(bootstrap_servers="none:1", files_topic="f", status_topic="s")
    return (
        StatusReader(settings, ClientName("van-7"), {0: 0}, FakeClock(), lambda batch: statuses.extend(batch.statuses)),
        statuses,
    )


@pytest.mark.parametrize("version", OTHER_MAJOR)
def test_f31_a_status_of_another_major_version_is_passed_over_and_the_log_names_both(
    case: Case, heard: tuple[StatusReader, list[Status]], caplog: pytest.LogCaptureFixture, version: str
) -> None:
    reader, statuses = heard
    caplog.set_level(logging.INFO)
    messages = [Message(key, changed(value, fieldpost=version)) for key, value in STATUSES]
    reader._take([*messages, Message(*STATUSES[1])])  # type: ignore[list-item]  # stands for the library's
    case.fault(len(messages))
    assert [type(status.event) for status in statuses] == [Received], "what is of our version is heard"
    assert len([line for line in caplog.messages if version in line and "1.0" in line]) == len(messages)


def test_f31_a_record_without_any_version_is_refused(case: Case) -> None:
    bare = [
        Record(record.key, [pair for pair in record.headers if pair[0] != "fieldpost"], record.value)
        for record in FILES
    ]
    with rig_in_memory() as rig:
        assert rig.take(bare) == []
        case.fault(len(bare))
        assert rig.job.quarantine.counts() == {"missing_header": len(FILES)}
