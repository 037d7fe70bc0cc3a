# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The contract of final names: whole or not at all, once, never replaced unasked, whatever happens on the way."""

import threading
import unicodedata
from collections.abc import Callable
from contextlib import suppress

import pytest

from contracts.storage.conftest import FINGERPRINT, KEEP_BOTH, MTIME_NS, Subject, content_of
from fieldpost_receiver.config.settings import ConflictPolicy
from fieldpost_receiver.storage.errors import NameTaken, PathBlocked, StorageError
from fieldpost_receiver.storage.port import Place, SealedFile, Segments, StagedFile, Verdict, Whereabouts
from fieldpost_shared.names import Blocked

REPLACE, REJECT = ConflictPolicy.REPLACE, ConflictPolicy.REJECT
LARGE = bytes(range(256)) * 40_000


class Interrupted(Exception):
    """The process ended here."""


# visible only when complete


def test_a_file_is_visible_with_all_its_bytes_or_not_at_all(subject: Subject) -> None:
    """A stranger lists the destination throughout."""
    over, unfinished = threading.Event(), list[int]()

    def watch() -> None:
        while not over.is_set():
            with suppress(FileNotFoundError):  # replaced between the listing and the look
                unfinished.extend(len(data) for data in subject.visible().values() if data[:-1] != LARGE)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for number in range(20):
            subject.put(LARGE + bytes([number]), "f", "a.bin", policy=REPLACE)
    finally:
        over.set()
        watcher.join()
    assert unfinished == []
    assert subject.visible() == {"f/a.bin": LARGE + bytes([19])}


def test_nothing_is_visible_before_publish(subject: Subject) -> None:
    subject.stage(b"staged")
    sealed = subject.seal(b"sealed")
    subject.published.verify([sealed])
    subject.published.prepare([sealed])
    subject.published.choose(("f", "a"), KEEP_BOTH)
    assert subject.visible() == {}


def test_a_published_file_keeps_its_time_and_leaves_the_sealed_ones(subject: Subject) -> None:
    sealed = subject.seal(b"hello")
    assert subject.publish(sealed, "van-7", "day 1", "a.txt") == Place(("van-7", "day 1", "a.txt"))
    assert subject.visible() == {"van-7/day 1/a.txt": b"hello"}
    assert subject.mtime_ns(("van-7", "day 1", "a.txt")) == MTIME_NS
    gone = subject.staging.whereabouts(sealed.file) is Whereabouts.GONE
    assert gone is subject.published.properties.consumes_sealed


# never replaced unless asked


def test_a_name_taken_after_the_choice_is_not_replaced(subject: Subject) -> None:
    sealed = subject.seal(b"mine")
    place = subject.published.choose(("a",), KEEP_BOTH)
    subject.put(b"first", "a")
    with pytest.raises(NameTaken):
        subject.published.publish(sealed.file, place)
    assert subject.staging.whereabouts(sealed.file) is Whereabouts.SEALED
    assert subject.publish(sealed, "a").segments == ("a (2)",)
    assert subject.visible() == {"a": b"first", "a (2)": b"mine"}


def test_keep_both_numbers_the_newcomers(subject: Subject) -> None:
    for number in range(12):
        place = subject.put(str(number).encode(), "f", "a.txt")
        assert place == Place(("f", f"a ({number + 1}).txt"), renamed=True) or number == 0
    assert len(subject.visible()) == 12
    assert [one.segments[-1] for one in subject.published.kept_beside(("f", "a.txt"))][:2] == ["a (2).txt", "a (3).txt"]


def test_replace_replaces_and_reject_rejects(subject: Subject) -> None:
    subject.put(b"old", "a")
    with pytest.raises(NameTaken):
        subject.put(b"new", "a", policy=REJECT)
    assert subject.visible() == {"a": b"old"}
    assert subject.put(b"new", "a", policy=REPLACE) == Place(("a",), replaces=True)
    assert subject.visible() == {"a": b"new"}


@pytest.mark.parametrize("policy", ConflictPolicy)
def test_a_free_name_is_free_under_every_policy(subject: Subject, policy: ConflictPolicy) -> None:
    assert subject.put(b"x", "f", "a", policy=policy) == Place(("f", "a"))


def test_a_folder_is_never_replaced_by_a_file(subject: Subject) -> None:
    subject.put(b"inside", "a", "b")
    with pytest.raises(NameTaken):
        subject.put(b"x", "a", policy=REPLACE)
    with pytest.raises(NameTaken):
        subject.published.publish(subject.seal(b"x").file, Place(("a",), replaces=True))
    assert subject.put(b"beside", "a").segments == ("a (2)",)


def test_a_file_is_never_taken_for_a_folder(subject: Subject) -> None:
    subject.put(b"x", "a")
    with pytest.raises(PathBlocked) as caught:
        subject.put(b"y", "a", "b")
    assert caught.value.detail == Blocked.NOT_A_FOLDER
    assert subject.visible() == {"a": b"x"}


# names


@pytest.mark.parametrize(
    "name", [("..", "a"), ("a", "."), ("",), ("a/b",), ("a\0",), (".fieldpost", "a"), (".FieldPost",), ("a", "..", "b")]
)
def test_names_that_no_layout_makes_are_refused_by_every_step(subject: Subject, name: Segments) -> None:
    sealed = subject.seal(b"x")
    steps: list[Callable[[], object]] = [
        lambda: subject.published.find(name),
        lambda: subject.published.choose(name, KEEP_BOTH),
        lambda: subject.published.publish(sealed.file, Place(name)),
    ]
    for step in steps:
        with pytest.raises(ValueError, match=r"own folder|not the name"):
            step()
    assert subject.visible() == {}


@pytest.mark.parametrize("name", ["~", "%2e%2e", "a\\b", "-rf", "é", "名", " a ", "a\nb", "\u202etxt.exe", "n" * 255])
def test_odd_names_come_back_as_they_were_given(subject: Subject, name: str) -> None:
    assert subject.put(b"x", "f", name).segments == ("f", name)
    assert subject.visible() == {f"f/{name}": b"x"}


@pytest.mark.parametrize("name", [("n" * 300,), ("n" * 300, "a")])
def test_a_name_that_is_too_long_stops_only_its_own_file(subject: Subject, name: Segments) -> None:
    with pytest.raises(PathBlocked) as caught:
        subject.put(b"x", *name)
    assert caught.value.detail == Blocked.NOT_STORABLE
    subject.put(b"y", "b")
    assert subject.visible() == {"b": b"y"}


@pytest.mark.parametrize(
    ("first", "second"),
    [("a.TXT", "A.txt"), (unicodedata.normalize("NFD", "Zoë"), "Zoë"), ("Straße", "STRASSE"), ("F", "f")],
)
def test_twins_count_as_one_name(subject: Subject, first: str, second: str) -> None:
    if not subject.published.properties.has_twins:
        assert subject.put(b"2", second) == Place((second,))
        return
    subject.put(b"1", "Photos", first)
    found = subject.published.find(("photos", second))
    assert found is not None
    assert found.segments == ("Photos", first)
    assert subject.put(b"2", "PHOTOS", second).renamed
    with pytest.raises(NameTaken):
        subject.put(b"3", "photos", second, policy=REJECT)
    assert subject.put(b"4", "photos", second, policy=REPLACE).segments == ("Photos", first)


def test_what_is_not_there_is_not_found(subject: Subject) -> None:
    assert subject.published.find(("no", "such", "file")) is None
    assert subject.published.kept_beside(("no", "such")) == []


# read back


def test_read_back_tells_damaged_bytes(subject: Subject) -> None:
    sound, damaged, shorter = subject.seal(b"sound"), subject.seal(b"damaged"), subject.seal(b"shorter")
    subject.damage(damaged.file, b"dAmaged")
    subject.damage(shorter.file, b"short")
    found = subject.published.verify([sound, damaged, shorter])
    assert found == [Verdict.SAME, Verdict.DIFFERENT, Verdict.DIFFERENT]


@pytest.mark.parametrize("data", [b"", b"x", LARGE])
def test_one_file_alone_is_read_back_too(subject: Subject, data: bytes) -> None:
    sealed = subject.seal(data)
    assert subject.published.verify([sealed]) == [Verdict.SAME]
    assert subject.published.verify([SealedFile(sealed.file, content_of(data + b"!"))]) == [Verdict.DIFFERENT]


def test_a_cancelled_read_back_says_so(subject: Subject) -> None:
    assert subject.published.verify([subject.seal(LARGE)], lambda: True) == [Verdict.CANCELLED]


def test_a_sealed_file_that_is_missing_is_a_storage_error(subject: Subject) -> None:
    sealed = subject.seal(b"x")
    subject.staging.discard_sealed(sealed.file)
    steps: list[Callable[[], object]] = [
        lambda: subject.published.verify([sealed]),
        lambda: subject.published.prepare([sealed]),
        lambda: subject.published.publish(sealed.file, Place(("b",))),
    ]
    for step in steps:
        with pytest.raises(StorageError):
            step()
    assert subject.visible() == {}


def test_what_bears_a_name_is_compared_by_its_bytes(subject: Subject) -> None:
    subject.put(b"hello", "f", "a")
    subject.put(b"folder", "f", "b", "c")
    existing, folder = subject.published.find(("f", "a")), subject.published.find(("f", "b"))
    assert existing is not None
    assert folder is not None
    assert existing.size == 5
    assert subject.published.same_content(existing, content_of(b"hello"))
    assert not subject.published.same_content(existing, content_of(b"jello"))
    assert not subject.published.same_content(existing, content_of(b"hello!"))
    assert not subject.published.same_content(existing, content_of(b"hello"), lambda: True)
    assert not subject.published.same_content(folder, content_of(b"folder"))


# several at once


def test_of_racing_publishers_of_one_place_one_wins(subject: Subject) -> None:
    files = [subject.seal(f"{number}".encode()) for number in range(16)]
    place = subject.published.choose(("f", "a"), KEEP_BOTH)
    outcomes: list[bytes | None] = [None] * len(files)
    start = threading.Barrier(len(files))

    def race(number: int) -> None:
        start.wait()
        with suppress(NameTaken):
            subject.published.publish(files[number].file, place)
            outcomes[number] = f"{number}".encode()

    _run_all(len(files), race)
    winners = [data for data in outcomes if data is not None]
    assert len(winners) == 1
    assert subject.visible() == {"f/a": winners[0]}
    assert len(subject.staging.list_sealed()) == 15


def test_many_publishers_with_one_name_keep_all(subject: Subject) -> None:
    spellings = ["a.txt", "A.txt", "a.TXT", "A.TXT"] * 4
    files = [subject.seal(f"{number}".encode()) for number in range(len(spellings))]

    def publish(number: int) -> None:
        while True:
            with suppress(NameTaken):
                subject.publish(files[number], "f", spellings[number])
                return

    _run_all(len(files), publish)
    found = subject.visible()
    assert sorted(found.values()) == sorted(f"{number}".encode() for number in range(16))
    assert len({name.casefold() for name in found}) == 16


# crashes


@pytest.mark.parametrize("step", ["stage", "seal", "verify", "prepare", "choose", "publish", "settle"])
@pytest.mark.parametrize("policy", [KEEP_BOTH, REPLACE])
def test_a_crash_behind_any_step_publishes_once_and_whole(subject: Subject, step: str, policy: ConflictPolicy) -> None:
    if policy is REPLACE:
        subject.put(b"old", "f", "a")
    data, file = LARGE, StagedFile(subject.new_id(), FINGERPRINT)
    with suppress(Interrupted):
        _walk(subject, file, data, policy, stop_behind=step)
    for name, found in subject.visible().items():
        assert (name, found) in {("f/a", data), ("f/a", b"old")}
    subject.restart()
    _walk(subject, file, data, policy, stop_behind="")
    assert subject.visible() == {"f/a": data}
    assert subject.staging.list_staged() == []
    assert subject.staging.list_sealed() == []


def _walk(subject: Subject, file: StagedFile, data: bytes, policy: ConflictPolicy, *, stop_behind: str) -> None:
    """What the job does with one file, from wherever an earlier life left it: the intent is `f/a`."""
    sealed = SealedFile(file, content_of(data))

    def done(step: str) -> None:
        if step == stop_behind:
            raise Interrupted

    found = subject.published.find(("f", "a"))
    if found is None or not subject.published.same_content(found, sealed.content):
        if subject.staging.whereabouts(sealed.file) is not Whereabouts.SEALED:
            with subject.storage.open_writer("") as writer:
                writer.write(sealed.file.transfer, sealed.file.fingerprint, 0, data)
                writer.sync()
            done("stage")
            subject.staging.seal(sealed.file.transfer, sealed.file.fingerprint, len(data))
            subject.staging.sync()
        done("seal")
        assert subject.published.verify([sealed]) == [Verdict.SAME]
        done("verify")
        subject.published.prepare([sealed])
        done("prepare")
        place = subject.published.choose(("f", "a"), policy)
        done("choose")
        subject.published.publish(sealed.file, place)
        done("publish")
    subject.published.settle([("f", "a")])
    done("settle")


def _run_all(count: int, work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
