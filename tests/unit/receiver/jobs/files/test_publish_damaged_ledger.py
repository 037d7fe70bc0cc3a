# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Bits of the ledger changed where SQLite sees nothing wrong: publishing ends in words, and never goes in a circle."""

from collections.abc import Callable, Iterator
from concurrent.futures import wait
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from support.receiver.rig import CLIENT, Rig, Sent, noise, pack, rig_at

S = TransferState
DONE = Sent(1, "done.txt", noise(900))
HURT = Sent(2, "hurt.txt", noise(1_000))
OTHER = Sent(3, "other.txt", noise(2_000))
SMALL = [Sent(16 + number, f"small-{number}", noise(100 + number)) for number in range(30)]
UNKNOWN = "f" + HURT.id[1:]
ROUNDS = 5  # more than any of these needs
INTENT = '{"parts": ["van-7", "hurt.txt"], "renamed": false, "replaces": false}'


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """One file is published, two wait for the publisher."""
    with rig_at(tmp_path / "rig", monkeypatch) as rig:
        rig.take(pack(DONE), pack(*SMALL))
        rig.topic.send(pack(HURT), pack(OTHER))
        rig.batch()
        yield rig


def edit(rig: Rig, old: bytes, new: bytes) -> None:
    """While the receiver is away."""
    rig.job.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rig.close()
    ledger = rig.state.ledger
    data = ledger.read_bytes()
    assert data.count(old) == 1
    assert len(old) == len(new)
    ledger.write_bytes(data.replace(old, new))
    rig.reopen()


def row(transfer: str) -> bytes:
    """As the table's row begins; in the index of ids no client follows."""
    return f"{transfer}{CLIENT}".encode()


def set_column(rig: Rig, **columns: str) -> None:
    for name, value in columns.items():
        rig.job.store.connection.execute(f"UPDATE transfers SET {name} = ? WHERE id = ?", (value, HURT.id))  # noqa: S608


def rounds(rig: Rig) -> None:
    """As the service makes them, but not for ever."""
    for _ in range(ROUNDS):
        rig.job.publishers.step()
        wait(rig.job.publishers._busy)


def assert_ends_as_damaged(rig: Rig) -> None:
    before = rig.tree()
    with pytest.raises(FieldpostError) as caught:
        rounds(rig)
    assert caught.value.code is Code.LEDGER_DAMAGED
    rig.close()
    assert rig.tree().items() >= before.items(), "what was published stays"


def test_a_file_not_found_by_its_id_does_not_block_other_files(rig: Rig) -> None:
    edit(rig, row(HURT.id), row(UNKNOWN))
    assert_ends_as_damaged(rig)


def test_a_file_found_as_another_does_not_block_other_files(rig: Rig) -> None:
    """The row bears the id of one that was published long ago."""
    edit(rig, row(HURT.id), row(DONE.id))
    assert_ends_as_damaged(rig)


def test_an_index_out_of_order_gives_no_file_the_row_of_another(rig: Rig) -> None:
    """The search for the second id ended at the first one, as the long run of F33 met it."""
    rig.job.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = rig.state.ledger.read_bytes()
    places = [place for place in range(len(data)) if data.startswith(DONE.id.encode(), place)]
    (place,) = [place for place in places if not data.startswith(row(DONE.id), place)]
    entry = data[place - 3 : place + len(DONE.id)]  # begins with the entry's own numbers
    edit(rig, entry, entry[:10] + b"8" + entry[11:])
    assert_ends_as_damaged(rig)


def test_an_intent_not_found_by_its_id_ends_as_a_damaged_ledger(rig: Rig) -> None:
    waiting = rig.job.transfers.get(HURT.id)
    assert waiting is not None
    rig.job.transfers.change(waiting, S.INTENT, intent=INTENT)
    edit(rig, row(HURT.id), row(UNKNOWN))
    assert_ends_as_damaged(rig)


@pytest.mark.parametrize(
    "intent",
    [
        "",
        INTENT[1:],
        "[]",
        "7",
        INTENT.replace("parts", "qarts"),
        INTENT.replace("renamed", "senamed"),
        INTENT.replace('["van-7", "hurt.txt"]', "7"),
        INTENT.replace("hurt.txt", "hurt/txt"),
        INTENT.replace("hurt.txt", ".."),
        INTENT.replace("van-7", ".fieldpost"),
        INTENT.replace('"hurt.txt"', "7"),
    ],
)
def test_an_unreadable_intent_ends_as_a_damaged_ledger(rig: Rig, intent: str) -> None:
    set_column(rig, state=S.INTENT, intent=intent)
    assert_ends_as_damaged(rig)


@pytest.mark.parametrize("state", [S.SEALED, S.INTENT])
def test_an_invalid_fingerprint_ends_as_a_damaged_ledger(rig: Rig, state: TransferState) -> None:
    set_column(rig, state=state, intent=INTENT, fingerprint="../../../../etc/")
    assert_ends_as_damaged(rig)


def state_entry(rig: Rig, file: Sent) -> tuple[bytes, Callable[[int], bytes]]:
    """Its entry in the index of states: state, time, number of the row."""
    found = rig.job.store.connection.execute("SELECT rowid, last_ns FROM transfers WHERE id = ?", (file.id,))
    number, last_ns = found.fetchone()
    head = b"sealed" + last_ns.to_bytes(8)
    return head + bytes([number]), lambda other: head + bytes([other])


def test_a_finished_file_listed_as_waiting_ends_as_a_damaged_ledger(rig: Rig) -> None:
    old, of = state_entry(rig, HURT)
    edit(rig, old, of(5))
    assert_ends_as_damaged(rig)


def test_a_file_that_is_listed_twice_ends_as_a_damaged_ledger(rig: Rig) -> None:
    old, of = state_entry(rig, HURT)
    edit(rig, old, of(state_entry(rig, OTHER)[0][-1]))
    assert_ends_as_damaged(rig)


def test_a_file_lost_by_an_index_is_noticed_in_a_day_and_the_sound_copy_stays(rig: Rig) -> None:
    """No query finds it, so nothing else ever reports it."""
    copy = rig.state.ledger_copy
    rig.job.maintenance.step()
    sound = copy.read_bytes()
    old, of = state_entry(rig, HURT)
    edit(rig, old, b"rejecs" + of(old[-1])[6:])
    rounds(rig)
    rig.clock.advance(2 * 86_400)
    with pytest.raises(FieldpostError) as caught:
        rig.job.maintenance.step()
    assert caught.value.code is Code.LEDGER_DAMAGED
    assert copy.read_bytes() == sound


# a whole ledger is never called damaged


def test_a_lost_file_that_came_again_before_the_next_look_is_published(rig: Rig) -> None:
    """It was sealed before and is sealed now: not the same seal."""
    waiting = rig.job.transfers.get(HURT.id)
    assert waiting is not None
    (rig.destination / f".fieldpost/sealed/{waiting.id}-{waiting.fingerprint}").unlink()
    rig.job.publishers.step()
    wait(rig.job.publishers._busy)
    rig.topic.send(pack(HURT))
    rig.batch()
    rig.settle()
    assert rig.tree().items() >= {f"{CLIENT}/{file.path}": file.content for file in (HURT, OTHER)}.items()


def test_cancelling_a_group_while_it_is_published_is_no_ledger_damage(rig: Rig) -> None:
    rig.job.publishers.step()
    rig.topic.send(HURT.cancel(), OTHER.cancel())
    rig.batch()
    rig.settle()
    assert rig.job.transfers.in_state(S.SEALED, S.INTENT) == []
