# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver's commands where they need no broker: a real ledger, real files, the command line as it is typed."""

import csv
import hashlib
import io
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from fieldpost_receiver.cli import main
from fieldpost_receiver.commands import check_machine
from fieldpost_receiver.commands.arguments import since
from fieldpost_receiver.commands.check_machine import check_machine as machine_findings
from fieldpost_receiver.commands.exclusive_state import exclusive_state
from fieldpost_receiver.commands.expire import give_up
from fieldpost_receiver.commands.findings import Finding, Outcome, exit_of_all, failed, passed, warning
from fieldpost_receiver.commands.output import Refused
from fieldpost_receiver.commands.rebuild import agreed, explanation, start_anew
from fieldpost_receiver.config.receiver_toml import load
from fieldpost_receiver.config.settings import JobConfig, ReceiverConfig
from fieldpost_receiver.jobs.files.ingest.rows import Row, RowKind
from fieldpost_receiver.jobs.files.job import FilesJob
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.kafka import acls
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_receiver.storage.folder.disk import Disk
from fieldpost_receiver.storage.folder.staging_writer import FolderStagingWriter
from fieldpost_receiver.storage.folder.storage import try_rename
from fieldpost_shared.clock import NS_PER_S, FakeClock, SystemClock
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.messages import FileFacts
from support.receiver.files_job import free_space_of, open_files_job
from support.waiting import wait_until

DAY_S = 86_400.0
CHUNK = 65_536
_NUMBERS = count(1)


@dataclass
class Site:
    """A receiver's folders and settings; `open` gives everything but Spark."""

    folder: Path
    clock: FakeClock

    def __post_init__(self) -> None:
        self.state, self.destination = self.folder / "state", self.folder / "destination"
        self.destination.mkdir()
        self.file = self.folder / "receiver.toml"
        self.configure()

    def configure(self, **settings: str) -> None:
        values = {"state_dir": "state", "destination": "destination", "min_free_space": "1GiB"} | settings
        lines = "\n".join(f'{key} = "{value}"' for key, value in values.items())
        self.file.write_text(f'[receiver]\n{lines}\n[kafka]\nbootstrap_servers = "127.0.0.1:1"\n', encoding="utf-8")

    @property
    def config(self) -> JobConfig:
        (job,) = self.whole_config.jobs
        return job

    @property
    def whole_config(self) -> ReceiverConfig:
        return load(self.file, {})

    @contextmanager
    def open(self) -> Iterator[FilesJob]:
        with closing(open_files_job(self.config, self.clock)) as job:
            yield job

    def run(self, *arguments: str) -> int:
        return main([*arguments, "--config", str(self.file)])

    def arrive(self, path: str, content: bytes, client: str = "van-7") -> FileFacts:
        """A small file comes, is published and gets its receipt."""
        with self.open() as job:
            number = next(_NUMBERS)
            facts = FileFacts(ClientName(client), TransferId(f"{number:032x}"), path, len(content), 0, 5)
            with FolderStagingWriter(self.destination) as writer:
                writer.write(facts.transfer, facts.fingerprint, 0, content)
                writer.sync()
            free_space_of(job).update()
            digest = hashlib.sha256(content).hexdigest()
            job.batch.apply([_row(RowKind.WHOLE, number, facts, sha256=digest)])
            job.sealing.seal()

            def is_published() -> bool:
                job.publishers.step()
                found = job.transfers.get(facts.transfer)
                return found is not None and found.state is TransferState.PUBLISHED

            wait_until(is_published, 10, f"{path} to be published")
            self.clock.advance(1)
            return facts

    def begin(self, path: str) -> FileFacts:
        """The first of ten chunks of a file comes."""
        with self.open() as job:
            number = next(_NUMBERS)
            facts = FileFacts(ClientName("van-7"), TransferId(f"{number:032x}"), path, 10 * CHUNK, CHUNK, 5)
            with FolderStagingWriter(self.destination) as writer:
                writer.write(facts.transfer, facts.fingerprint, 0, bytes(CHUNK))
                writer.sync()
            free_space_of(job).update()
            job.batch.apply([_row(RowKind.CHUNK, number, facts, index=0)])
            return facts

    def staged(self) -> list[str]:
        return [path.name for path in (self.destination / ".fieldpost/staging").iterdir()]


def _row(kind: RowKind, offset: int, about: FileFacts, **fields: object) -> Row:
    known = (about.client, about.transfer, about.path, about.size, about.chunk_size, about.mtime_ns)
    return Row(kind, 0, offset, *known, **fields)  # type: ignore[arg-type]  # named by the tests


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, FakeClock(SystemClock().now_ns() - round(20 * DAY_S * NS_PER_S)))


# the command line


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    said = capsys.readouterr().out
    names = ("run", "check", "prepare", "topics", "status", "files", "expire", "verify", "rebuild")
    for name in (*names, "74", "75", "78"):
        assert name in said


@pytest.mark.parametrize(
    "wrong",
    [["files", "--since", "yesterday"], ["expire", "--older-than", "14"], ["topics", "create", "--partitions", "0"]],
)
def test_a_wrong_value_is_a_wrong_use(site: Site, wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        site.run(*wrong)
    assert "write a" in capsys.readouterr().err


def test_wrong_settings_are_named_and_end_with_78(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.configure(on_conflict="guess")
    assert site.run("status") == 78
    assert "receiver.on_conflict" in capsys.readouterr().err


def test_since_is_a_date_or_a_time_before_now() -> None:
    now = 1_800_000_000 * NS_PER_S
    assert since("1970-01-02").at(now) == round(DAY_S) * NS_PER_S
    assert since("7d").at(now) == now - round(7 * DAY_S) * NS_PER_S


# before the first run


@pytest.mark.parametrize("command", ["files", "verify", "expire"])
def test_without_a_ledger_nothing_is_made_and_nothing_fails(
    site: Site, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.run(command) == 0
    assert "the receiver has not run" in capsys.readouterr().err
    assert not site.state.exists()


@pytest.mark.parametrize("command", ["files", "verify", "expire"])
def test_a_damaged_ledger_is_explained_and_ends_with_78(
    site: Site, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    site.arrive("a.txt", b"a")
    (site.state / "ledger.db").write_bytes(b"not a database" * 1000)
    assert site.run(command) == 78
    assert "The receiver's ledger is damaged" in capsys.readouterr().err


# files


def test_files_lists_what_arrived_with_its_hash_and_what_became_of_it(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    for content in (b"one", b"two", b"one"):
        site.arrive("a.txt", content)
    assert site.run("files") == 0
    first, second, third, total = capsys.readouterr().out.splitlines()
    assert hashlib.sha256(b"one").hexdigest() in first
    assert first.endswith("van-7/a.txt")
    assert second.endswith("van-7/a (2).txt  (renamed)")
    assert third.endswith("van-7/a.txt  (duplicate)")
    assert total == "3 files, 9 B"


def test_files_as_csv_can_be_read_back_and_holds_no_formula(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.configure(layout="{path}")
    site.arrive('=1+1, "x".csv', b"one")
    site.arrive("ä/b.txt", b"two", client="van-8")
    assert site.run("files", "--csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["client"], row["name"], row["size"]) for row in rows][1] == ("van-8", "ä/b.txt", "3")
    assert rows[0]["name"].startswith("./=1+1")
    assert (site.destination / rows[0]["name"]).read_bytes() == b"one"
    assert rows[0]["sha256"] == hashlib.sha256(b"one").hexdigest()


def test_files_can_be_narrowed_by_client_and_time(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.arrive("old.txt", b"1")
    site.clock.advance(10 * DAY_S)
    site.arrive("new.txt", b"2")
    site.arrive("other.txt", b"3", client="van-8")
    assert site.run("files", "--since", "15d", "--client", "van-7") == 0
    said = capsys.readouterr().out
    assert "new.txt" in said
    assert "old.txt" not in said
    assert "other.txt" not in said


def test_more_files_than_a_page_holds_are_all_listed_once(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with site.open() as job, job.store.transaction():
        for number in range(2_500):
            facts = FileFacts(ClientName("van-7"), TransferId(f"{number:032x}"), f"{number}", 1, 0, 5)
            transfer = job.transfers.add(facts, TransferState.SEALED, 1)
            job.transfers.finish(transfer, TransferState.PUBLISHED, 1 + number // 100, name=f"{number}")
    assert site.run("files", "--csv") == 0
    names = [row["name"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert names == [str(number) for number in range(2_500)]


def test_a_reader_that_closes_the_pipe_is_no_error(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.arrive("a.txt", b"a")
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr("sys.stdout", gone)
        assert site.run("files") == 0


# verify


def test_verify_tells_same_missing_and_different_apart(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("same", "moved", "changed", "shorter"):
        site.arrive(name, name.encode())
    (site.destination / "van-7/moved").unlink()
    (site.destination / "van-7/changed").write_bytes(b"CHANGED")
    (site.destination / "van-7/shorter").write_bytes(b"")
    before = everything(site.folder)
    assert site.run("verify") == 74
    assert everything(site.folder) == before
    said = capsys.readouterr()
    listed = {tuple(line.split()[::2]) for line in said.out.splitlines() if "van-7/" in line}
    assert listed == {("missing", "van-7/moved"), ("different", "van-7/changed"), ("different", "van-7/shorter")}
    assert "Same: 1 file\nMissing: 1 file (moved or removed since; no error)\nDifferent: 2 files" in said.out
    assert "not what was received" in said.err


def test_files_that_were_moved_away_are_no_error(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.arrive("a/b.txt", b"a")
    (site.destination / "van-7").rename(site.folder / "taken")
    assert site.run("verify") == 0
    assert "Missing: 1 file" in capsys.readouterr().out


def test_verify_compares_with_what_came_last_under_a_name(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.configure(on_conflict="replace")
    site.arrive("a.txt", b"old")
    site.arrive("A.txt", b"new")
    assert site.run("verify") == 0
    assert "Same: 1 file\n" in capsys.readouterr().out


def test_a_file_that_is_about_to_be_replaced_is_not_called_different(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.arrive("a.txt", b"old")
    with site.open() as job:  # the moment between the rename and its note in the ledger
        facts = FileFacts(ClientName("van-7"), TransferId("f" * 32), "a.txt", 3, 0, 5)
        intent = json.dumps({"parts": ["van-7", "a.txt"], "renamed": False, "replaces": True})
        coming = job.transfers.add(facts, TransferState.SEALED, 1)
        job.transfers.change(coming, TransferState.INTENT, intent=intent)
    (site.destination / "van-7/a.txt").write_bytes(b"new")
    assert site.run("verify") == 0
    assert "Different: 0 files" in capsys.readouterr().out


def test_verify_works_while_a_receiver_runs(site: Site) -> None:
    site.arrive("a.txt", b"a")
    with exclusive_state(site.config), site.open() as job, job.store.transaction():
        assert site.run("verify") == 0


# expire


def test_silent_transfers_are_given_up_and_their_senders_told_later(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = site.begin("silent.bin")
    site.clock.advance(1.5 * DAY_S)
    soon = site.begin("soon.bin")
    site.clock.advance(13.2 * DAY_S)
    fresh = site.begin("fresh.bin")
    assert give_up(site.config, site.clock, None, dry_run=False) == 0
    said = capsys.readouterr().out
    assert "Given up: 1 file\n  van-7  silent.bin  1 of 10 parts of 655 kB, silent since" in said
    assert "Expire within a day, unless something comes: 1 file\n  van-7  soon.bin" in said
    assert "fresh.bin" not in said
    with site.open() as job:
        states = [found.state for facts in (silent, soon, fresh) if (found := job.transfers.get(facts.transfer))]
        letters = job.outbox.next(10)
    assert states == [TransferState.REJECTED, TransferState.RECEIVING, TransferState.RECEIVING]
    assert [b"timed_out" in letter.value for letter in letters] == [True]
    assert not [name for name in site.staged() if name.startswith(silent.transfer)]
    assert [name for name in site.staged() if name.startswith(soon.transfer)]


def test_a_dry_run_lists_and_changes_nothing_even_while_a_receiver_runs(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = site.begin("silent.bin")
    with exclusive_state(site.config):
        assert site.run("expire", "--older-than", "1h", "--dry-run") == 0
    assert "Would be given up: 1 file" in capsys.readouterr().out
    with site.open() as job:
        found = job.transfers.get(facts.transfer)
    assert found is not None
    assert found.state is TransferState.RECEIVING
    assert len(site.staged()) == 1


def test_a_person_may_be_less_patient_than_the_settings(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.begin("silent.bin")
    site.clock.advance(7200)
    assert give_up(site.config, site.clock, 3600, dry_run=False) == 0
    assert "Given up: 1 file" in capsys.readouterr().out
    assert site.staged() == []


def test_without_java_nothing_can_be_prepared(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert site.run("prepare") == 78
    assert "there is no Java" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["expire"], ["rebuild", "--yes"]])
def test_nothing_is_changed_while_a_receiver_runs(
    site: Site, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    site.begin("a.bin")
    before = (site.state / "ledger.db").stat().st_ino
    with exclusive_state(site.config):
        assert site.run(*command) == 75
    assert "A receiver is running on" in capsys.readouterr().err
    assert (site.state / "ledger.db").stat().st_ino == before
    assert len(site.staged()) == 1


# rebuild


def test_rebuilding_sets_the_ledger_aside_and_discards_what_is_unfinished(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.arrive("a.txt", b"a")
    site.begin("b.bin")
    (site.state / "checkpoint/offsets").mkdir(parents=True)
    (site.state / "ledger.db-wal").touch()
    for _ in range(2):  # the second time in the same second
        start_anew(site.config, site.clock, "topic-1")
    assert site.staged() == []
    assert (site.destination / "van-7/a.txt").read_bytes() == b"a"
    assert not (site.state / "checkpoint").exists()
    first, second = sorted(site.state.glob("ledger.db.*.old"), key=lambda path: len(path.name))
    with closing(sqlite3.connect(first)) as old:
        assert old.execute("SELECT count(*) FROM transfers").fetchone() == (2,)
    with site.open() as job:
        assert job.transfers.counts() == {}
        assert job.store.meta("topic_id") == "topic-1"
    assert f"The old ledger is now {first}" in capsys.readouterr().out
    assert second.exists()


def test_after_rebuilding_a_file_in_place_is_recognised_and_never_doubled(site: Site) -> None:
    site.arrive("a.txt", b"a")
    start_anew(site.config, site.clock, "topic-1")
    again = site.arrive("a.txt", b"a")
    other = site.arrive("a.txt", b"changed by nobody")
    with site.open() as job:
        known, new = job.transfers.get(again.transfer), job.transfers.get(other.transfer)
    assert known is not None
    assert known.duplicate
    assert new is not None
    assert new.renamed
    assert sorted(path.name for path in (site.destination / "van-7").iterdir()) == ["a (2).txt", "a.txt"]


@pytest.mark.parametrize("damage", [b"", b"not a database" * 1000, None])
def test_a_damaged_or_lost_ledger_can_be_rebuilt(site: Site, damage: bytes | None) -> None:
    site.arrive("a.txt", b"a")
    ledger = site.state / "ledger.db"
    if damage is None:
        ledger.unlink()
    else:
        ledger.write_bytes(damage)
    start_anew(site.config, site.clock, "topic-1")
    with site.open() as job:
        assert job.transfers.counts() == {}
    assert [path.read_bytes() for path in site.state.glob("ledger.db.*.old")] == ([] if damage is None else [damage])


def test_rebuilding_refuses_a_destination_that_is_not_mounted(site: Site) -> None:
    site.arrive("a.txt", b"a")
    site.destination.rename(site.folder / "unmounted")
    site.destination.mkdir()
    with pytest.raises(StorageError):
        start_anew(site.config, site.clock, "topic-1")
    assert not list(site.state.glob("*.old"))
    assert not list(site.destination.iterdir())


def test_rebuilding_refuses_to_let_old_files_replace_newer_ones(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.configure(on_conflict="replace")
    assert site.run("rebuild", "--yes") == 78
    assert "keep-both" in capsys.readouterr().err


def test_the_explanation_warns_of_dates_in_the_layout(site: Site) -> None:
    assert "dates" not in " ".join(explanation(site.config))
    site.configure(layout="{year}/{client}/{path}")
    assert "dates" in " ".join(explanation(site.config))


@pytest.mark.parametrize(("typed", "counts"), [("yes\n", True), ("YES\n", True), ("y\n", False), ("", False)])
def test_only_a_whole_yes_counts(monkeypatch: pytest.MonkeyPatch, typed: str, counts: bool) -> None:
    stdin = io.StringIO(typed)
    monkeypatch.setattr(stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", stdin)
    assert agreed() is counts


def test_without_a_terminal_no_question_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    with pytest.raises(Refused, match="--yes") as refusal:
        agreed()
    assert refusal.value.exit == 2


# check


def machine(site: Site) -> dict[str, Finding]:
    return {finding.check: finding for finding in machine_findings(site.whole_config, SystemClock())}


def everything(folder: Path) -> set[Path]:
    """Except for the files that SQLite puts beside a ledger while it is read."""
    return {path for path in folder.rglob("*") if not path.name.endswith(("-wal", "-shm"))}


def test_a_machine_that_can_run_the_receiver_is_told_so_and_left_as_it_was(site: Site) -> None:
    before = everything(site.folder)
    assert {finding.outcome for finding in machine(site).values()} == {Outcome.OK}
    assert everything(site.folder) == before
    site.arrive("a.txt", b"a")
    before = everything(site.folder)
    assert {finding.outcome for finding in machine(site).values()} == {Outcome.OK}
    assert everything(site.folder) == before


def test_a_destination_that_is_missing_or_not_mounted_is_a_matter_of_storage(site: Site) -> None:
    site.arrive("a.txt", b"a")
    site.destination.rename(site.folder / "unmounted")
    missing = machine(site)
    assert (missing["destination"].exit, missing["destination"].advice) == (74, "Make or mount it.")
    assert "space" not in missing
    site.destination.mkdir()
    assert machine(site)["destination"].advice == "Is the disk mounted?"
    assert exit_of_all(machine(site).values()) == 74


def test_too_little_space_is_a_matter_of_storage(site: Site) -> None:
    site.configure(min_free_space="1000TiB")
    assert machine(site)["space"].exit == 74


def test_an_unusable_state_folder_is_a_matter_of_storage(site: Site) -> None:
    site.state.write_bytes(b"")
    assert machine(site)["state folder"].exit == 74


def test_a_damaged_ledger_is_a_matter_of_configuration(site: Site) -> None:
    site.arrive("a.txt", b"a")
    (site.state / "ledger.db").write_bytes(b"not a database" * 1000)
    assert machine(site)["ledger"].exit == 78


class ReplacingDisk(Disk):
    """A file system that takes `rename without replacing` lightly."""

    def rename_new(self, folder: int, name: str, to_folder: int, to_name: str) -> None:
        self.rename_over(folder, name, to_folder, to_name)


def test_a_file_system_that_replaces_is_noticed_and_nothing_stays(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        assert try_rename(ReplacingDisk(), folder, folder, None)
        assert not try_rename(Disk(), folder, folder, os.getgid())
    finally:
        os.close(folder)
    assert everything(tmp_path) == set()


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        ("echo 'openjdk version \"21.0.1\" 2026-01-01' >&2", Outcome.OK),
        ("echo 'openjdk version \"17\" 2026-01-01' >&2", Outcome.OK),
        ("echo 'java version \"1.8.0_401\"' >&2", Outcome.FAILED),
        ("echo hello", Outcome.WARNING),
        (None, Outcome.FAILED),
    ],
)
def test_java_must_be_there_and_new_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, outcome: Outcome
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    if script is not None:
        program = tmp_path / "bin/java"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
    found = check_machine.java()
    assert found.outcome is outcome
    assert found.exit == (78 if outcome is Outcome.FAILED else 0)


def test_a_clock_of_the_last_century_is_noticed(site: Site) -> None:
    findings = machine_findings(site.whole_config, FakeClock(0))
    assert [finding.exit for finding in findings if finding.check == "clock"] == [78]


def test_the_gravest_failure_decides_how_check_ends() -> None:
    broker, disk, topic = (failed("x", "", "", code) for code in (75, 74, 78))
    assert exit_of_all([passed("x", ""), warning("x", "", "")]) == 0
    assert exit_of_all([broker, passed("x", "")]) == 75
    assert exit_of_all([broker, disk]) == 74
    assert exit_of_all([broker, disk, topic]) == 78


def test_the_rights_to_grant_are_the_least_ones(site: Site) -> None:
    lines = list(acls.grant_commands(site.config.kafka, group="connect-files"))
    start = "kafka-acls --bootstrap-server 127.0.0.1:1 --add --allow-principal User:"
    describing = "--operation Describe --operation DescribeConfigs --topic fieldpost.files"
    assert lines == [
        f"{start}uploader --operation Write {describing}",
        f"{start}uploader --operation Read --operation Describe --topic fieldpost.status",
        f"{start}receiver --operation Read {describing}",
        f"{start}receiver --operation Write --operation Describe --topic fieldpost.status",
        f"{start}receiver --operation Read --group connect-files",
    ]
