# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The contract of staging: write, seal, list, discard, free space."""

import pytest

from contracts.storage.conftest import FINGERPRINT, KEEP_BOTH, Subject
from fieldpost_receiver.storage.errors import NotWhole
from fieldpost_receiver.storage.port import StagedFile, Synced, Whereabouts
from fieldpost_shared.ids import TransferId

CHUNK = 1_000
OTHER = "0123456789abcdef"


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 1])
def test_chunks_in_any_order_become_one_file(subject: Subject, size: int) -> None:
    data = bytes(number % 251 for number in range(size))
    staged = subject.stage(data, chunk=CHUNK)
    assert subject.staging.whereabouts(staged) is Whereabouts.STAGED
    sealed = subject.staging.seal(staged.transfer, staged.fingerprint, size)
    subject.staging.sync()
    assert sealed == staged
    place = subject.published.publish(sealed, subject.published.choose(("a",), KEEP_BOTH))
    assert subject.visible() == {"/".join(place.segments): data}


def test_an_empty_file_needs_no_chunk(subject: Subject) -> None:
    sealed = subject.staging.seal(subject.new_id(), FINGERPRINT, 0)
    assert subject.staging.whereabouts(sealed) is Whereabouts.SEALED


def test_a_sync_tells_what_it_made_durable(subject: Subject) -> None:
    with subject.storage.open_writer("") as writer:
        writer.write(subject.new_id(), FINGERPRINT, 0, b"12345")
        writer.write(subject.new_id(), FINGERPRINT, 5, b"678")
        assert writer.sync() == Synced(2, 8)
        assert writer.sync() == Synced()


def test_the_same_chunk_twice_changes_nothing(subject: Subject) -> None:
    transfer = subject.new_id()
    for _ in range(2):
        with subject.storage.open_writer("") as writer:
            writer.write(transfer, FINGERPRINT, 0, b"whole")
            writer.sync()
    assert [entry.size for entry in subject.staging.list_staged()] == [5]


@pytest.mark.parametrize("size", [4, 6])
def test_a_file_that_is_not_whole_is_not_sealed(subject: Subject, size: int) -> None:
    staged = subject.stage(b"whole")
    with pytest.raises(NotWhole) as caught:
        subject.staging.seal(staged.transfer, staged.fingerprint, size)
    assert (caught.value.expected, caught.value.found) == (size, 5)
    assert subject.staging.whereabouts(staged) is Whereabouts.STAGED


def test_a_file_that_is_not_there_is_not_sealed(subject: Subject) -> None:
    with pytest.raises(NotWhole) as caught:
        subject.staging.seal(subject.new_id(), FINGERPRINT, 5)
    assert caught.value.found is None


def test_sealing_again_is_harmless_and_drops_what_a_replay_began(subject: Subject) -> None:
    sealed = subject.seal(b"whole").file
    with subject.storage.open_writer("") as writer:
        writer.write(sealed.transfer, sealed.fingerprint, 0, b"wh")
        writer.sync()
    assert subject.staging.seal(sealed.transfer, sealed.fingerprint, 5) == sealed
    assert subject.staging.list_staged() == []
    assert [entry.size for entry in subject.staging.list_sealed()] == [5]


def test_versions_of_a_transfer_never_mix(subject: Subject) -> None:
    transfer = subject.new_id()
    with subject.storage.open_writer("") as writer:
        writer.write(transfer, FINGERPRINT, 0, b"one")
        writer.write(transfer, OTHER, 0, b"other")
        writer.sync()
    found = {(entry.file.fingerprint, entry.size) for entry in subject.staging.list_staged()}
    assert found == {(FINGERPRINT, 3), (OTHER, 5)}


def test_listings_tell_staged_and_sealed_files_apart(subject: Subject) -> None:
    staged, sealed = subject.stage(b"staged"), subject.seal(b"sealed!").file
    assert [(entry.file, entry.size) for entry in subject.staging.list_staged()] == [(staged, 6)]
    assert [(entry.file, entry.size) for entry in subject.staging.list_sealed()] == [(sealed, 7)]


def test_discarding_takes_one_version_or_all_and_never_a_sealed_file(subject: Subject) -> None:
    sealed = subject.seal(b"sealed").file
    with subject.storage.open_writer("") as writer:
        for fingerprint in (FINGERPRINT, OTHER):
            writer.write(sealed.transfer, fingerprint, 0, b"late")
        writer.sync()
    subject.staging.discard(sealed.transfer, OTHER)
    assert [entry.file.fingerprint for entry in subject.staging.list_staged()] == [FINGERPRINT]
    subject.staging.discard(sealed.transfer)
    subject.staging.discard(sealed.transfer)
    assert subject.staging.list_staged() == []
    assert subject.staging.whereabouts(sealed) is Whereabouts.SEALED
    subject.staging.discard_sealed(sealed)
    subject.staging.discard_sealed(sealed)
    assert subject.staging.whereabouts(sealed) is Whereabouts.GONE


def test_discarding_leaves_other_transfers_alone(subject: Subject) -> None:
    kept, gone = subject.stage(b"kept"), subject.stage(b"gone")
    subject.staging.discard(gone.transfer)
    assert [entry.file for entry in subject.staging.list_staged()] == [kept]


@pytest.mark.parametrize(("transfer", "fingerprint"), [("../x", FINGERPRINT), ("0" * 32, "../../x"), ("", "")])
def test_ids_that_no_protocol_check_passed_are_refused(transfer: str, fingerprint: str) -> None:
    with pytest.raises(ValueError, match="not a transfer id"):
        StagedFile(TransferId(transfer), fingerprint)


def test_free_space_is_told_by_both_doors(subject: Subject) -> None:
    if subject.published.properties.knows_free_space:
        free = subject.storage.free_bytes()
        assert free is not None
        assert free > 0
        assert subject.staging.free_bytes() > 0


def test_staged_and_sealed_files_outlive_a_restart(subject: Subject) -> None:
    staged, sealed = subject.stage(b"staged"), subject.seal(b"sealed").file
    subject.restart()
    assert subject.staging.whereabouts(staged) is Whereabouts.STAGED
    assert subject.staging.whereabouts(sealed) is Whereabouts.SEALED
