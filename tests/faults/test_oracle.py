# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The oracle finds each violation that is planted, and nothing where all is well."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fieldpost_desktop.engine.journal.store import Store
from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from oracle import (
    Evidence,
    Source,
    Surroundings,
    Watcher,
    at_any_time,
    at_end,
    demand,
    exit_violations,
    memory_violations,
    said_in,
)
from oracle.evidence import digest
from oracle.violations import Promise
from support.waiting import wait_until

CONTENT = b"all of the report"
SHA = digest(CONTENT)
ID, OTHER = "0" * 31 + "1", "0" * 31 + "2"
NAME = "van-7/report.txt"


class Scene:
    """One file that was sent, published, receipted and confirmed; each test spoils something."""

    def __init__(self, folder: Path) -> None:
        self.destination = folder / "office" / "destination"
        self.ledger, self.journal = folder / "ledger.db", folder / "journal.db"
        (self.destination / ".fieldpost" / "staging").mkdir(parents=True)
        LedgerStore.open(self.ledger).close()
        Store.open(self.journal).close()
        (folder / "office" / "neighbour").write_text("untouched")
        self.surroundings = Surroundings.look(folder / "office", self.destination)
        self.sources = [Source("van-7", "report.txt").had(CONTENT)]
        self.messages: list[tuple[bytes, bytes]] = []
        self.taken: list[tuple[str, str]] = []
        self.place(NAME, CONTENT)
        self.say("received", transfer=ID, size=len(CONTENT), sha256=SHA, renamed=False, duplicate=False)
        self.transfer(ID)
        self.file("report.txt", "confirmed", transfer=ID, sha256=SHA)

    def place(self, name: str, content: bytes) -> Path:
        path = self.destination / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return path

    def say(self, kind: str, **fields: object) -> None:
        self.messages.append((b"van-7", json.dumps({"kind": kind, **fields}).encode()))

    def transfer(self, transfer: str, **columns: object) -> None:
        usual = {"id": transfer, "client": "van-7", "path": "report.txt", "size": len(CONTENT), "chunk_size": 0}
        usual |= {"mtime_ns": 0, "fingerprint": "f", "state": "published", "sha256": SHA, "name": NAME}
        self.insert(self.ledger, "transfers", **(usual | {"first_ns": 0, "last_ns": 0} | columns))

    def file(self, path: str, state: str, **columns: object) -> None:
        usual = {"source": path, "path": path, "size": 1, "mtime_ns": 0, "identity": "", "seen_ns": 0, "added_ns": 0}
        self.insert(self.journal, "files", state=state, **(usual | columns))

    def insert(self, database: Path, table: str, **columns: object) -> None:
        marks = ", ".join("?" for _ in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        self.sql(database, f"INSERT INTO {table} ({names}) VALUES ({marks})", *columns.values())  # noqa: S608 - ours

    def sql(self, database: Path, sql: str, *values: Any) -> None:  # noqa: ANN401 - column values
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(sql, values)

    def evidence(self, bad: frozenset[tuple[int, int]] = frozenset()) -> Evidence:
        said = said_in(self.messages)
        return Evidence(
            self.sources,
            self.destination,
            said,
            self.ledger,
            {"van-7": self.journal},
            self.surroundings,
            self.taken,
            bad,
        )

    def found(self) -> list[tuple[Promise, str]]:
        return [(violation.promise, violation.words) for violation in at_end(self.evidence())]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_where_all_is_well_nothing_is_found(scene: Scene) -> None:
    demand(at_end(scene.evidence()))


def test_files_that_the_office_took_or_that_stand_beside_another_are_well(scene: Scene) -> None:
    scene.sources[0].had(b"second version")
    scene.place("van-7/report (2).txt", b"second version")
    sha = digest(b"second version")
    scene.transfer(OTHER, sha256=sha, size=14, name="van-7/report (2).txt", renamed=1)
    scene.say("received", transfer=OTHER, size=14, sha256=sha, renamed=True, duplicate=False)
    (scene.destination / NAME).unlink()
    scene.taken.append((NAME, SHA))
    demand(at_end(scene.evidence()))


@pytest.mark.parametrize("content", [CONTENT[:-1], b"", CONTENT + b"!", bytes(len(CONTENT))])
def test_unfinished_bytes_under_a_final_name(scene: Scene, content: bytes) -> None:
    scene.place(NAME, content)
    assert (Promise.NEVER_PARTIAL, "shows bytes that its source never had") in scene.found()


def test_a_name_that_nobody_sent(scene: Scene) -> None:
    scene.place("van-7/stranger.txt", CONTENT)
    assert (Promise.NEVER_PARTIAL, "nobody sent a file of this name") in scene.found()


def test_bytes_of_another_file(scene: Scene) -> None:
    scene.sources.append(Source("van-7", "other.txt").had(b"other"))
    scene.file("other.txt", "cancelled")
    scene.place("van-7/other.txt", CONTENT)
    assert (Promise.NEVER_PARTIAL, "shows bytes that its source never had") in scene.found()


def test_a_second_copy(scene: Scene) -> None:
    scene.place("van-7/report (2).txt", CONTENT)
    assert scene.found() == [(Promise.NEVER_TWICE, "2 copies of 1 published transfers")]


def test_a_second_copy_after_the_office_took_the_first(scene: Scene) -> None:
    scene.taken.append((NAME, SHA))
    assert scene.found() == [(Promise.NEVER_TWICE, "2 copies of 1 published transfers")]


def test_a_copy_for_a_transfer_that_was_called_a_duplicate(scene: Scene) -> None:
    scene.transfer(OTHER, duplicate=1)
    scene.place("van-7/report (2).txt", CONTENT)
    assert scene.found() == [(Promise.NEVER_TWICE, "2 copies of 1 published transfers")]


def test_a_receipt_without_the_file(scene: Scene) -> None:
    (scene.destination / NAME).unlink()
    assert (Promise.RECEIPTS_TRUE, "the bytes it names are not at the destination") in scene.found()
    assert (Promise.RECEIPTS_TRUE, "published in the ledger, but its bytes are not there") in scene.found()


def test_a_receipt_for_bytes_that_nobody_had(scene: Scene) -> None:
    scene.say("received", transfer=ID, size=3, sha256="ab" * 32, renamed=False, duplicate=False)
    words = [words for promise, words in scene.found() if promise is Promise.RECEIPTS_TRUE]
    assert "names bytes that no source ever had" in words
    assert "the ledger has other bytes" in words


@pytest.mark.parametrize("state", ["receiving", "sealed", "intent", "rejected"])
def test_a_receipt_before_the_ledger_has_published(scene: Scene, state: str) -> None:
    scene.sql(scene.ledger, "UPDATE transfers SET state = ?", state)
    found = at_any_time(scene.evidence())
    assert "the ledger has not published it" in [violation.words for violation in found]


def test_a_receipt_and_a_rejection_of_one_transfer(scene: Scene) -> None:
    scene.say("rejected", transfer=ID, code="cancelled", text="")
    assert [promise for promise, words in scene.found() if "two verdicts" in words] == [Promise.RECEIPTS_TRUE]


def test_two_receipts_that_differ(scene: Scene) -> None:
    scene.say("received", transfer=ID, size=len(CONTENT), sha256=SHA, renamed=False, duplicate=True)
    assert [promise for promise, words in scene.found() if "two verdicts" in words] == [Promise.RECEIPTS_TRUE]


def test_the_same_receipt_twice_is_well(scene: Scene) -> None:
    scene.messages *= 2
    assert scene.found() == []


def test_a_confirmation_without_a_receipt(scene: Scene) -> None:
    scene.messages.clear()
    assert scene.found() == [(Promise.RECEIPTS_TRUE, "confirmed without a receipt")]


def test_a_confirmation_of_other_bytes(scene: Scene) -> None:
    scene.sql(scene.journal, "UPDATE files SET sha256 = 'abc'")
    assert (Promise.RECEIPTS_TRUE, "confirmed with bytes that its source never had") in scene.found()


@pytest.mark.parametrize(
    ("state", "code"), [("queued", ""), ("sent", ""), ("sent", "receipt_late"), ("attention", "receipt_absent")]
)
def test_a_file_that_still_waits(scene: Scene, state: str, code: str) -> None:
    scene.sql(scene.journal, "UPDATE files SET state = ?, code = ?", state, code)
    assert [promise for promise, _ in scene.found()] == [Promise.EQUAL_OR_TERMINAL]


def test_attention_without_a_code(scene: Scene) -> None:
    scene.sql(scene.journal, "UPDATE files SET state = 'attention'")
    assert [promise for promise, _ in scene.found()] == [Promise.EQUAL_OR_TERMINAL]


def test_a_file_that_the_uploader_forgot(scene: Scene) -> None:
    scene.sql(scene.journal, "DELETE FROM files")
    assert scene.found() == [(Promise.EQUAL_OR_TERMINAL, "the uploader has forgotten it")]


def test_without_a_journal_a_source_that_was_never_answered_for(scene: Scene) -> None:
    scene.sources.append(Source("van-7", "lost.txt").had(b"lost"))
    evidence = Evidence(scene.sources, scene.destination, said_in(scene.messages), scene.ledger)
    assert [violation.about for violation in at_end(evidence)] == ["lost.txt"]


@pytest.mark.parametrize("what", ["new", "changed", "gone"])
def test_something_outside_the_root(scene: Scene, what: str) -> None:
    neighbour = scene.destination.parent / "neighbour"
    match what:
        case "new":
            neighbour.with_name("escaped").write_text("x")
        case "changed":
            neighbour.write_text("overwritten")
        case _:
            neighbour.unlink()
    assert scene.found() == [(Promise.INSIDE_THE_ROOT, f"{what}, outside the destination")]


def test_a_link_instead_of_a_file(scene: Scene) -> None:
    (scene.destination / "van-7" / "link").symlink_to("report.txt")
    assert scene.found() == [(Promise.INSIDE_THE_ROOT, "is a link or a special file")]


def test_a_good_message_in_quarantine(scene: Scene) -> None:
    scene.insert(scene.ledger, "quarantine", partition=1, offset=5, code="damaged", detail="", at_ns=0)
    assert [promise for promise, _ in scene.found()] == [Promise.ONLY_BAD_IS_REFUSED]
    demand(at_end(scene.evidence(frozenset({(1, 5)}))))


def test_what_is_left_behind(scene: Scene) -> None:
    scene.transfer(OTHER, state="receiving", name="")
    scene.insert(scene.ledger, "outbox", client="van-7", value=b"{}")
    (scene.destination / ".fieldpost" / "staging" / "x.part").write_bytes(b"x")
    assert [promise for promise, _ in scene.found()] == [Promise.NOTHING_LEFT] * 3


def test_demand_tells_all_that_was_found(scene: Scene) -> None:
    shutil.rmtree(scene.destination / "van-7")
    with pytest.raises(AssertionError, match=r"(?s)broken promises:.*not at the destination.*not there"):
        demand(at_end(scene.evidence()))


def test_memory_above_its_bound_and_processes_without_one() -> None:
    assert memory_violations([("uploader", 1), ("jvm", 699_000_000), ("worker", 256_000_000)]) == []
    found = memory_violations([("uploader", 1), ("uploader", 150_000_001), ("uploader", 2), ("stranger", 1)])
    assert [(violation.promise, violation.about) for violation in found] == [
        (Promise.MEMORY, "uploader"),
        (Promise.MEMORY, "stranger"),
    ]


@pytest.mark.parametrize("code", [0, 2, 74, 75, 78])
def test_documented_exit_codes_are_well(code: int) -> None:
    assert exit_violations("receiver", code) == []


@pytest.mark.parametrize(("program", "code"), [("receiver", 1), ("receiver", -9), ("send", 74), ("send", 139)])
def test_exit_codes_that_are_not_documented(program: str, code: int) -> None:
    assert [violation.promise for violation in exit_violations(program, code)] == [Promise.EXIT]


def test_an_exit_code_that_this_test_does_not_expect() -> None:
    assert [violation.promise for violation in exit_violations("receiver", 0, [78])] == [Promise.EXIT]


def test_the_watcher_sees_what_shows_for_a_moment(scene: Scene) -> None:
    with Watcher(scene.sources, scene.destination, 0.001) as watcher:
        wait_until(lambda: watcher.listings > 1, 10.0, "two listings")
        assert watcher.violations == []
        passing = scene.place("van-7/half.txt", CONTENT[:5])
        wait_until(lambda: watcher.violations, 10.0, "the watcher sees it")
        passing.unlink()
    assert {(violation.promise, violation.about) for violation in watcher.violations} == {
        (Promise.NEVER_PARTIAL, "van-7/half.txt")
    }


def test_the_watcher_is_content_with_whole_files_that_come_and_go(scene: Scene) -> None:
    with Watcher(scene.sources, scene.destination, 0.001) as watcher:
        for _ in range(50):
            os.rename(scene.destination / NAME, scene.destination / "van-7" / "report (2).txt")  # noqa: PTH104 - as it is
            os.rename(scene.destination / "van-7" / "report (2).txt", scene.destination / NAME)  # noqa: PTH104 - likewise
    assert watcher.violations == []
