# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The ledger that 0.1 left behind is opened, says what it said, and its transfers go on where they were."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from fieldpost_receiver.cli import main
from fieldpost_receiver.jobs.files.ledger.outbox import Outbox
from fieldpost_receiver.jobs.files.ledger.quarantine import Quarantine
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ledger.transfers import Transfers
from fieldpost_receiver.jobs.files.ownership_tags import bind_topic
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.protocol.status import Received, Rejected
from support.receiver.rig import CHUNK, Rig, Sent, rig_at
from support.recorded import RECEIVER, receiver_of_0_1, recorded_json, rows_of

TABLES: Final = ("transfers", "outbox", "quarantine", "refusals", "processed", "meta")


def sent(number: int, path: str, size: int) -> Sent:
    """A file as it was cut for the recording."""
    return Sent(number, path, (f"Fieldpost {number} ".encode() * (size // 12 + 2))[:size])


RECEIVING: Final = sent(20, "receiving.bin", 3 * CHUNK)
ASKED_AGAIN: Final = sent(21, "asked again.bin", 3 * CHUNK)
INTENT: Final = sent(22, "intent.bin", CHUNK + 1)
SEALED: Final = sent(23, "sealed.bin", CHUNK + 2)
COMPLETE: Final = sent(24, "complete.bin", CHUNK + 3)
HELD: Final = sent(25, "held.bin", 2 * CHUNK)
ARRIVE_NOW: Final = (RECEIVING, ASKED_AGAIN, INTENT, SEALED, COMPLETE, HELD)
PUBLISHED: Final = sent(1, "sub/published ü.bin", CHUNK + 5)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return receiver_of_0_1(tmp_path)


@pytest.fixture
def ledger(config: Path) -> Path:
    return config.parent / "state" / "ledger.db"


@pytest.fixture
def rig(config: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """A receiver on these folders, with as many messages in its topic as 0.1 had read."""
    processed = {row["partition"]: row["next_offset"] for row in rows_of(ledger, "processed")}
    with rig_at(config.parent, monkeypatch) as opened:
        for partition, count in processed.items():
            opened.topic.send(*[None] * count, partition=partition)
        opened.position = processed
        yield opened


def test_opening_a_ledger_of_0_1_loses_no_row_and_no_value(ledger: Path) -> None:
    before = {table: rows_of(ledger, table) for table in TABLES}
    assert {len(rows) for rows in before.values()}.isdisjoint({0}), "each table has something in it"
    assert {row["state"] for row in before["transfers"]} == set(TransferState)
    store = LedgerStore.open(ledger)
    store.examine()
    store.close()
    for table, rows in before.items():
        opened = [{name: row[name] for name in rows[0]} for row in rows_of(ledger, table)]
        assert opened == rows


def test_counts_are_those_that_0_1_told(ledger: Path) -> None:
    said = recorded_json(RECEIVER / "status.json")
    store = LedgerStore.open(ledger)
    assert Transfers(store).counts() == said["transfers"]
    assert Quarantine(store).counts() == said["quarantine"]
    assert Transfers(store).totals() == (said["files_published"], said["bytes_published"])
    assert Outbox(store).waiting() == 2
    store.close()


@pytest.mark.parametrize(("name", "options"), [("files.txt", []), ("files.csv", ["--csv"])])
def test_files_are_listed_as_0_1_listed_them(
    config: Path, capsys: pytest.CaptureFixture[str], name: str, options: list[str]
) -> None:
    assert main(["files", *options, "--config", str(config)]) == 0
    assert capsys.readouterr().out == (RECEIVER / name).read_text(encoding="utf-8")


def test_the_topic_of_0_1_is_known_again(ledger: Path) -> None:
    store = LedgerStore.open(ledger)
    bind_topic(store, "Zm9yIHRlc3RzIG9ubHkuLg")
    with pytest.raises(FieldpostError, match="made anew"):
        bind_topic(store, "another")
    store.close()


def test_what_0_1_did_not_finish_is_published_and_told(rig: Rig) -> None:
    before = rig.tree()
    rig.settle()
    rig.job.sealing.seal()
    rig.settle()
    told = [event for event in rig.said if isinstance(event, Received)]
    unsaid = Sent(7, "published, not told.txt", b"")
    assert {event.transfer for event in told} == {one.id for one in (unsaid, INTENT, SEALED, COMPLETE)}
    assert [event.code for event in rig.said if isinstance(event, Rejected)] == ["cancelled"], "it was in the outbox"
    rig.take(RECEIVING.chunk(1), RECEIVING.end(), ASKED_AGAIN.chunk(0), ASKED_AGAIN.chunk(2), ASKED_AGAIN.end(1))
    rig.job.maintenance.step()  # there is room again: what was held is let in
    rig.take(HELD.chunks(), HELD.end())
    assert rig.tree() == before | {f"van-7/{one.path}": one.content for one in ARRIVE_NOW}


def test_a_file_that_0_1_published_is_known_as_a_duplicate(rig: Rig) -> None:
    rig.job.sealing.seal()
    rig.settle()
    before = rig.tree()
    rig.said.clear()
    again = Sent(99, PUBLISHED.path, PUBLISHED.content)
    told = [event for event in rig.take(again.chunks(), again.end()) if isinstance(event, Received)]
    assert [(event.transfer, event.duplicate) for event in told if event.transfer == again.id] == [(again.id, True)]
    assert rig.tree() == before
