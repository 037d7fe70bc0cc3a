# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The ways out that docs/operations.md tells for disasters, step by step on the receiver without Spark."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldpost_receiver.commands.rebuild import start_anew
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.protocol.status import Received
from support.receiver.rig import CHUNK, Rig, Sent, noise, rig_at

EARLY = Sent(1, "early.bin", noise(3 * CHUNK))
LATE = Sent(2, "late.bin", noise(2 * CHUNK + 1))
HALF = Sent(3, "half.bin", noise(4 * CHUNK))


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    with rig_at(tmp_path / "rig", monkeypatch) as one:
        yield one


def state_of(rig: Rig) -> Path:
    return rig.config.receiver.state_dir


def set_ledger_aside(rig: Rig) -> None:
    """`mkdir lost && mv ledger.db* lost/`."""
    rig.job.close()
    lost = state_of(rig) / "lost"
    lost.mkdir()
    for path in rig.state.root.glob(f"{rig.state.ledger.name}*"):
        path.rename(lost / path.name)


def start_again(rig: Rig) -> None:
    """From the oldest message on."""
    rig.position = dict.fromkeys(rig.position, 0)
    rig.job = rig._open()
    rig.sender = rig.new_sender()
    rig.said.clear()
    rig.settle()


def test_with_the_copy_of_the_ledger_nothing_is_lost_or_doubled(rig: Rig) -> None:
    rig.take(EARLY.chunks(), EARLY.end())
    rig.job.maintenance.step()  # makes the copy
    rig.take(LATE.chunks(), LATE.end(), HALF.chunk(0))
    before = rig.tree()
    set_ledger_aside(rig)
    shutil.copy(rig.state.ledger_copy, rig.state.ledger)
    start_again(rig)
    assert rig.tree() == before
    assert {event.transfer for event in rig.said if isinstance(event, Received)} >= {LATE.id}
    rig.take(HALF.chunks()[1:], HALF.end())
    assert rig.tree() == before | {f"{HALF.client}/{HALF.path}": HALF.content}


def test_after_the_loss_of_the_disk_the_topic_fills_what_the_backup_lacks(rig: Rig) -> None:
    rig.take(EARLY.chunks(), EARLY.end(), LATE.chunks(), LATE.end(), HALF.chunk(0))
    before = rig.tree()
    shutil.rmtree(rig.destination)
    restored = rig.destination / EARLY.client / EARLY.path
    restored.parent.mkdir(parents=True)
    restored.write_bytes(EARLY.content)
    set_ledger_aside(rig)
    start_anew(rig.config, rig.clock, "the topic's id")
    start_again(rig)
    assert rig.tree() == before
    rig.take(HALF.chunks()[1:], HALF.end())
    assert rig.tree() == before | {f"{HALF.client}/{HALF.path}": HALF.content}


def test_an_empty_disk_in_place_of_the_old_one_is_not_filled_unasked(rig: Rig) -> None:
    rig.take(EARLY.chunks(), EARLY.end())
    shutil.rmtree(rig.destination)
    rig.destination.mkdir()
    with pytest.raises(StorageError):
        start_anew(rig.config, rig.clock, "the topic's id")
    with pytest.raises(StorageError):
        rig._open()
    assert list(rig.destination.iterdir()) == []
