# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.runtime.ownership_tags import bind_checkpoint, bind_topic
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LedgerStore]:
    with closing(LedgerStore.open(tmp_path / "ledger.db")) as store:
        yield store


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    return tmp_path / "state" / "checkpoint"


def offsets(checkpoint: Path) -> Path:
    return checkpoint / "offsets"


def used(store: LedgerStore, checkpoint: Path) -> None:
    """A checkpoint with something in it."""
    bind_checkpoint(store, checkpoint)
    offsets(checkpoint).write_text("12")


def test_a_ledger_knows_its_checkpoint_again(store: LedgerStore, checkpoint: Path) -> None:
    used(store, checkpoint)
    bind_checkpoint(store, checkpoint)
    assert offsets(checkpoint).exists()


def test_a_lost_checkpoint_is_created_again(store: LedgerStore, checkpoint: Path) -> None:
    used(store, checkpoint)
    offsets(checkpoint).unlink()
    (checkpoint / "fieldpost-ledger-id").unlink()
    checkpoint.rmdir()
    bind_checkpoint(store, checkpoint)
    bind_checkpoint(store, checkpoint)


def test_a_checkpoint_of_another_ledger_is_refused_and_kept(
    store: LedgerStore, checkpoint: Path, tmp_path: Path
) -> None:
    used(store, checkpoint)
    with closing(LedgerStore.open(tmp_path / "other.db")) as other:
        with pytest.raises(FieldpostError) as refused:
            bind_checkpoint(other, checkpoint)
        bind_checkpoint(other, tmp_path / "its own")
        with pytest.raises(FieldpostError):
            bind_checkpoint(other, checkpoint)
    assert refused.value.code is Code.LEDGER_FOREIGN
    assert offsets(checkpoint).exists()


def test_a_crash_while_binding_a_checkpoint_does_not_make_it_foreign(
    store: LedgerStore, checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut that left an empty tag once made the receiver refuse its own checkpoint."""

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            bind_checkpoint(store, checkpoint)
    bind_checkpoint(store, checkpoint)
    used(store, checkpoint)
    bind_checkpoint(store, checkpoint)
    assert offsets(checkpoint).exists()


def test_a_topic_created_again_is_refused(store: LedgerStore) -> None:
    bind_topic(store, "one")
    bind_topic(store, "one")
    with pytest.raises(FieldpostError) as refused:
        bind_topic(store, "two")
    assert refused.value.code is Code.LEDGER_FOREIGN
