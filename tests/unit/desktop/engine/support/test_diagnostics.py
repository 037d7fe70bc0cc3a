# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import json
import logging
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.settings import EngineSettings, MeteredPolicy
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.support import diagnostics, logs
from fieldpost_desktop.engine.support.diagnostics import CONTENTS, Subject, write_report
from fieldpost_desktop.engine.support.report_names import HiddenNames
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.redaction import Redactor
from fieldpost_shared.secret import Secret
from fieldpost_shared.version import __version__

PLANTED = "hunter2-Qx7"
LOG = logging.getLogger("fieldpost.test")
OFFICE = profile_file.parse(
    json.dumps(
        {
            "version": 1,
            "id": "acme",
            "name": "Head office",
            "bootstrap_servers": "kafka.example:9092",
            "security_protocol": "SASL_SSL",
            "sasl_username": "van-7",
        }
    )
)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = Paths(tmp_path / "data")
    found.make()
    return found


@pytest.fixture
def redactor(paths: Paths) -> Iterator[Redactor]:
    level = logging.getLogger().level
    yield logs.set_up(paths, logging.INFO, [Secret(PLANTED)])
    logs.shut_down()
    logging.getLogger().setLevel(level)


def add_file(paths: Paths, source: str, path: str, **columns: object) -> None:
    store = Store.open(paths.journal)
    files = Files(store)
    row = files.add(SourceFile(source, path, 1234, 5, "1:2"), FileState.QUEUED, 7)
    if columns:
        files.change(row, FileState.ATTENTION, **columns)
    store.close()


def subject(paths: Paths, redactor: Redactor, **more: Any) -> Subject:  # noqa: ANN401 - any field
    return Subject(paths=paths, redactor=redactor, clock=FakeClock(), **more)


def report(tmp_path: Path, about: Subject) -> dict[str, str]:
    out = tmp_path / "report.zip"
    names = write_report(out, about)
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist() == names
        return {name: archive.read(name).decode() for name in names}


def rows(found: dict[str, str], kind: str) -> list[dict[str, Any]]:
    every = [json.loads(line) for line in found["journal.jsonl"].splitlines()]
    return [row for row in every if row["kind"] == kind]


def test_a_planted_password_is_nowhere_in_the_report(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    stranger = "s3cret-of-another"
    add_file(
        paths,
        f"/data/{PLANTED}/invoice {PLANTED}.pdf",
        f"in/{PLANTED}.{PLANTED}",
        code="file_unreadable",
        detail=f"{PLANTED} in a detail, password={stranger} too",
    )
    LOG.info("signing in with %s", PLANTED)
    LOG.info("reading /data/%s/invoice %s.pdf", PLANTED, PLANTED)
    # a line from before anybody redacted, and one that an editor cut
    (paths.logs / "fieldpost.log.1").write_bytes(
        f"old {PLANTED}\npassword={stranger}\ncut {PLANTED}".encode() + b"\xff"
    )
    (paths.data_dir / "password").write_text(stranger)
    out = tmp_path / "report.zip"
    names = write_report(out, subject(paths, redactor, profile=OFFICE))
    with zipfile.ZipFile(out) as archive:
        everything = b"\n".join(archive.read(name) for name in archive.namelist()) + "\n".join(names).encode()
    everything += out.read_bytes()
    for secret in (PLANTED, stranger, "invoice"):
        assert secret.encode() not in everything
        assert secret.encode("utf-16-le") not in everything
    assert b"signing in with ***" in everything
    assert b"old ***" in everything


def test_the_report_holds_what_it_says(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    add_file(paths, "/data/a.jpg", "a.jpg")
    LOG.info("hello")
    found = report(tmp_path, subject(paths, redactor, profile=OFFICE))
    assert {name.partition("/")[0].removesuffix("/") for name in found} == {name.rstrip("/") for name in CONTENTS}
    assert profile_file.parse(found["profile.fieldpost"]) == OFFICE
    assert "hello" in found["logs/fieldpost.log"]


def test_it_tells_versions_and_settings(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    chosen = EngineSettings(metered=MeteredPolicy.NOTHING)
    with DataFolderLock(paths.lock):
        found = report(tmp_path, subject(paths, redactor, settings=chosen, versions={"qt": "6.11.3"}))
    about = json.loads(found["about.json"])
    assert about["fieldpost"] == __version__
    assert about["qt"] == "6.11.3"
    assert about["report_made"] == "2027-01-15T08:00:00+00:00"
    assert about["free_bytes"] > 0
    assert about["engine_process"] > 0
    assert {"python", "librdkafka", "system"} <= about.keys()
    assert json.loads(found["settings.json"])["metered"] == "nothing"


def test_file_names_are_hashed_and_the_same_everywhere(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    add_file(
        paths,
        "/data/private/letter to Anna.docx",
        "letter to Anna.docx",
        code="file_gone",
        detail="letter to Anna.docx",
    )
    add_file(paths, "/data/private/other.x y", "other.x y")
    LOG.info("cannot open '/data/private/letter to Anna.docx' (letter to Anna.docx), see /data/private")
    found = report(tmp_path, subject(paths, redactor))
    assert not any(word in text for text in found.values() for word in ("Anna", "private", "other"))
    newest, letter = rows(found, "file")
    assert letter["name"].endswith(".docx")
    assert letter["detail"] == letter["name"]
    assert "." not in newest["name"]
    assert f"open '{letter['place']}' ({letter['name']}), see " in found["logs/fieldpost.log"]
    assert (letter["size"], letter["state"], letter["code"]) == (1234, "attention", "file_gone")


def test_the_same_name_has_another_hash_in_another_report(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    add_file(paths, "/data/a.jpg", "a.jpg")
    first, second = (rows(report(tmp_path, subject(paths, redactor)), "file")[0]["name"] for _ in range(2))
    assert first != second


def test_it_counts_the_files_and_hides_watched_folders(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    add_file(paths, "/data/a.jpg", "a.jpg")
    store = Store.open(paths.journal)
    with store.transaction() as db:
        db.execute("INSERT INTO folders (path, rules, added_ns) VALUES ('/data/Patients', '{\"label\": \"Anna\"}', 1)")
    store.close()
    LOG.info("scanning /data/Patients")
    found = report(tmp_path, subject(paths, redactor))
    assert [(row["state"], row["files"], row["bytes"]) for row in rows(found, "count")] == [("queued", 1, 1234)]
    (folder,) = rows(found, "folder")
    assert f"scanning {folder['place']}" in found["logs/fieldpost.log"]
    assert not any(word in text for text in found.values() for word in ("Patients", "Anna"))


def test_a_running_engine_does_not_keep_the_report_from_being_made(
    tmp_path: Path, paths: Paths, redactor: Redactor
) -> None:
    store = Store.open(paths.journal)
    Files(store).add(SourceFile("/data/a.jpg", "a.jpg", 1, 1, "1:2"), FileState.QUEUED, 7)
    with store.transaction():
        assert len(rows(report(tmp_path, subject(paths, redactor)), "file")) == 1
    store.close()


def test_a_damaged_journal_is_told_and_the_rest_is_there(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    paths.journal.write_bytes(b"no database at all" * 100)
    found = report(tmp_path, subject(paths, redactor))
    assert rows(found, "unreadable")[0]["error"] == sqlite3.DatabaseError.__name__
    assert "about.json" in found


def test_an_instance_that_was_never_used_gives_a_report(tmp_path: Path) -> None:
    found = report(tmp_path, subject(Paths(tmp_path / "never"), Redactor()))
    assert found["journal.jsonl"] == ""
    assert set(found) == {"about.json", "settings.json", "journal.jsonl"}
    assert "free_bytes" not in json.loads(found["about.json"])


def test_a_report_replaces_an_older_one(tmp_path: Path, paths: Paths, redactor: Redactor) -> None:
    (tmp_path / "report.zip").write_text("older")
    assert "about.json" in report(tmp_path, subject(paths, redactor))
    assert [path.name for path in tmp_path.glob("report*")] == ["report.zip"]


def test_a_place_that_cannot_be_written_is_named_and_nothing_is_left(
    tmp_path: Path, paths: Paths, redactor: Redactor
) -> None:
    with pytest.raises(SettingsError, match=r"report: .*missing.*cannot be written"):
        write_report(tmp_path / "missing" / "report.zip", subject(paths, redactor))
    (tmp_path / "folder.zip").mkdir()
    with pytest.raises(SettingsError, match="cannot be written"):
        write_report(tmp_path / "folder.zip", subject(paths, redactor))
    assert not list(tmp_path.glob("*.part"))


def test_a_packaged_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnostics.about()["packaged"] == "no"
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert diagnostics.about()["packaged"] == "yes"


@given(
    st.lists(st.text("ab/.", min_size=4, max_size=8), min_size=1, max_size=5, unique=True),
    st.text("ab/. ", max_size=40),
)
def test_no_learned_name_is_left_in_a_text(known: list[str], text: str) -> None:
    names = HiddenNames()
    for name in known:
        names.learn([name], "<>")  # not of the alphabet, so that nothing comes together anew
    names.ready()
    hidden = names.hide(text + known[0])
    assert not any(name in hidden for name in known)
    assert "<>" in hidden


def test_without_a_name_a_text_stays_as_it_is() -> None:
    names = HiddenNames()
    names.learn(["abc"], "x")  # too short to be looked for
    names.ready()
    assert names.hide("abc abcd") == "abc abcd"
