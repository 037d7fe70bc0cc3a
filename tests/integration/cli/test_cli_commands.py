# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The other commands as processes: looking, controlling, watching, settings, report, self-test."""

import csv
import json
from pathlib import Path

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.version import __version__
from reference_receiver.office import Office
from support.brokers import Topics
from support.processes.cli import CLIENT, OFFICE, Cli, interrupt, unreachable_server, write_profile
from support.waiting import wait_until

DASH = "\N{EN DASH}"


def queue(cli: Cli, *names: str) -> None:
    for name in names:
        cli.file(name)
    cli.run("send", "--no-wait", *names).check(Exit.DONE)


def states(cli: Cli) -> list[FileState]:
    return [row.state for row in cli.rows()]


# without anything


def test_where_qt_is_not_installed_it_says_what_the_window_needs(bare_cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ModuleNotFoundError('none', name='PySide6')\n")
    bare_cli.env["PYTHONPATH"] = str(tmp_path)
    ended = bare_cli.run().check(Exit.NOT_SET_UP)
    assert "fieldpost[desktop]" in ended.err
    assert "fieldpost send" in ended.err


def test_help_names_every_command_and_exit_code(bare_cli: Cli) -> None:
    ended = bare_cli.run("--help").check(Exit.DONE)
    for word in ("send", "watch", "status", "history", "retry", "cancel", "pause", "resume", "check", "diagnostics"):
        assert f"    {word} " in ended.out
    for word in ("profile", "self-test", "--data-dir", "--profile", "--json", "--version", "75", "78"):
        assert word in ended.out
    assert __version__ in bare_cli.run("--version").check(Exit.DONE).out


def test_looking_into_an_unused_folder_makes_nothing(bare_cli: Cli) -> None:
    assert "Nothing was ever queued here." in bare_cli.run("status").check(Exit.DONE).out
    assert "No folder is watched." in bare_cli.run("watch", "--list").check(Exit.DONE).err
    assert not bare_cli.data_dir.exists()


def test_an_id_that_names_no_file_is_a_wrong_use(bare_cli: Cli) -> None:
    assert "Nothing was ever queued here." in bare_cli.run("retry", "7").check(Exit.USAGE).err
    queue_without_profile(bare_cli)
    assert "No file has the number 7" in bare_cli.run("cancel", "1", "7").check(Exit.USAGE).err
    assert states(bare_cli) == [FileState.QUEUED]


def queue_without_profile(cli: Cli) -> None:
    cli.file("a")
    cli.run("send", "--no-wait", "--bootstrap-servers", unreachable_server(), "a").check(Exit.DONE)


def test_a_damaged_journal_is_said_in_words(bare_cli: Cli) -> None:
    bare_cli.file("data/journal.db", b"this is no database " * 1000)
    for command in ("pause", "status"):
        ended = bare_cli.run(command).check(Exit.NEEDS_YOU)
        assert "The list of files was damaged." in ended.err
        assert "(D2)" in ended.err


def test_a_data_folder_that_cannot_be_used_is_not_set_up(bare_cli: Cli) -> None:
    bare_cli.file("data", b"a file in its place")
    ended = bare_cli.run("send", "--bootstrap-servers", unreachable_server(), "data").check(Exit.NOT_SET_UP)
    assert "data_dir" in ended.err


# controlling without an engine


def test_orders_are_carried_out_at_once_when_nothing_runs(bare_cli: Cli) -> None:
    queue_without_profile(bare_cli)
    assert "1 a: Paused" in bare_cli.run("pause", "1").check(Exit.DONE).out
    assert states(bare_cli) == [FileState.PAUSED]
    assert "1 a: Cancelled" in bare_cli.run("cancel", "1").check(Exit.DONE).out
    assert states(bare_cli) == [FileState.CANCELLED]
    bare_cli.run("pause", "1").check(Exit.NEEDS_YOU)
    bare_cli.run("pause").check(Exit.DONE)
    assert "Paused." in bare_cli.run("status").check(Exit.DONE).out
    bare_cli.run("resume").check(Exit.DONE)
    assert "Nothing is left to send." in bare_cli.run("status").check(Exit.DONE).out


def test_a_file_that_came_back_is_tried_again(cli: Cli, office: Office) -> None:
    queue(cli, "going")
    (cli.folder / "going").rename(cli.folder / "elsewhere")
    cli.file("other")
    cli.run("send", "other").check(Exit.DONE)
    assert states(cli) == [FileState.ATTENTION, FileState.CONFIRMED]
    (cli.folder / "elsewhere").rename(cli.folder / "going")
    cli.run("retry").check(Exit.DONE)
    assert states(cli)[0] is FileState.QUEUED
    cli.run("send", "going").check(Exit.DONE)
    assert set(office.arrived()) == {f"{CLIENT}/going", f"{CLIENT}/other"}


def test_history_tells_what_was_confirmed_when_and_by_whom(cli: Cli, office: Office) -> None:
    cli.file("notes/Größe, 1.txt", b"x" * 10)
    cli.file("photo.jpg", b"y" * 20)
    cli.run("send", "notes", "photo.jpg").check(Exit.DONE)
    queue(cli, "waiting")
    assert cli.run("history", "--search", "photo").check(Exit.DONE).out.count("\n") == 1
    lines = cli.run("history").check(Exit.DONE).lines
    assert [line.split()[0] for line in lines] == ["3", "2", "1"]
    assert "by central" in lines[1]
    cli.run("history", "--csv", "history.csv").check(Exit.DONE)
    with (cli.folder / "history.csv").open(encoding="utf-8", newline="") as file:
        table = {row["path"]: row for row in csv.DictReader(file)}
    published = {each.path: each for each in office.seen.published()}
    row = table["notes/Größe, 1.txt"]
    assert row["sha256"] == published[f"{CLIENT}/notes/Größe, 1.txt"].sha256
    assert (row["receiver"], row["state"], row["size"]) == ("central", "confirmed", "10")
    assert table["waiting"]["state"] == "queued"
    objects = cli.run("history", "--json", "--search", "photo").check(Exit.DONE).objects
    assert [entry["path"] for entry in objects] == ["photo.jpg"]
    assert "cannot be written" in cli.run("history", "--csv", "no/such/place.csv").check(Exit.USAGE).err


# watching


def test_a_watched_folder_is_sent_until_ctrl_c(cli: Cli, office: Office) -> None:
    (cli.folder / "out").mkdir()
    running = cli.start("watch", "out", "--after", "move", "--label", "site-4", "--exclude", "*.log")
    running.says("Watching.")
    cli.file("out/result.txt")
    cli.file("out/noise.log")
    running.says("site-4/result.txt: Confirmed")
    assert list(office.arrived()) == [f"{CLIENT}/site-4/result.txt"]
    listed = cli.run("watch", "--list", "--json").check(Exit.DONE).objects
    assert [(Path(each["path"]).name, each["rules"]["after"]) for each in listed] == [("out", "move")]
    second = cli.run("watch", str(cli.file("more/here").parent)).check(Exit.DONE)
    assert "Another Fieldpost is running" in second.err
    wait_until(lambda: len(cli.run("watch", "--list").check(Exit.DONE).lines) == 2, 10, "the second folder")
    interrupt(running)
    ended = running.wait(10).check(Exit.DONE)
    assert "Stopped." in ended.err
    cli.run("watch", "--remove", "more").check(Exit.DONE)
    assert "more is not watched" in cli.run("watch", "--remove", "more").check(Exit.USAGE).err


def test_a_folder_that_cannot_be_watched_is_refused(cli: Cli) -> None:
    (cli.folder / "x").mkdir()
    assert "No folder is watched yet" in cli.run("watch").check(Exit.USAGE).err
    assert "missing is no folder" in cli.run("watch", "x", "missing").check(Exit.USAGE).err
    assert "holds Fieldpost's own data" in cli.run("watch", ".").check(Exit.USAGE).err
    assert "label" in cli.run("watch", "x", "--label", "../up").check(Exit.USAGE).err
    assert cli.run("watch", "--list").check(Exit.DONE).lines == []


def test_deleting_needs_the_settings_leave_and_a_yes(cli: Cli, topics: Topics) -> None:
    (cli.folder / "x").mkdir()
    refused = cli.run("watch", "x", "--after", "delete").check(Exit.USAGE)
    assert "do not allow files to be deleted" in refused.err
    write_profile(Path(cli.options[1]), topics, limits={"allow_delete": True})
    assert "add --yes" in cli.run("watch", "x", "--after", "delete").check(Exit.USAGE).err


def test_a_watched_folder_that_goes_away_is_said(cli: Cli) -> None:
    folder = cli.folder / "stick"
    folder.mkdir()
    running = cli.start("watch", "stick")
    running.says("Watching.")
    (folder / "x").write_bytes(b"")
    folder.joinpath("x").unlink()
    folder.rmdir()
    running.says("The watched folder is not there.", 40)
    interrupt(running)
    running.wait(10).check(Exit.DONE)


# settings


def test_an_imported_settings_file_is_used_from_then_on(cli: Cli, office: Office) -> None:
    profile = cli.options[1]
    cli.options = ()
    ended = cli.run("profile", "import", profile).check(Exit.DONE)
    assert f"Name:         {OFFICE}" in ended.out
    fingerprint = next(line for line in ended.lines if line.startswith("Fingerprint:"))
    assert fingerprint in cli.run("profile", "show").check(Exit.DONE).out
    assert fingerprint in cli.run("profile", "show", profile).check(Exit.DONE).out
    cli.file("a")
    cli.run("send", "a").check(Exit.DONE)
    assert list(office.arrived()) == [f"{CLIENT}/a"]


def test_a_wrong_settings_file_is_not_imported(bare_cli: Cli) -> None:
    path = write_profile(bare_cli.folder / "p", None, bootstrap_servers="a:1", nmae="x")
    ended = bare_cli.run("profile", "import", str(path)).check(Exit.NOT_SET_UP)
    assert "nmae" in ended.err
    assert "name" in ended.err
    assert not (bare_cli.data_dir / "profile.fieldpost").exists()
    bare_cli.run("profile", "show").check(Exit.NOT_SET_UP)


def test_another_settings_file_is_not_imported_over_open_files(cli: Cli, topics: Topics) -> None:
    queue(cli, "a")
    other = write_profile(cli.folder / "other", topics, id="other", name="Elsewhere")
    ended = cli.run("profile", "import", str(other)).check(Exit.NOT_SET_UP)
    assert "Elsewhere" in ended.err


def test_the_environment_stands_in_for_options(cli: Cli, office: Office) -> None:
    cli.env = {"FIELDPOST_PROFILE": cli.options[1], "FIELDPOST_CLIENT": "from-environment"}
    cli.options = ()
    cli.file("a")
    cli.run("send", "a").check(Exit.DONE)
    cli.run("send", "a", "--client", "from-option").check(Exit.DONE)
    assert set(office.arrived()) == {"from-environment/a", "from-option/a"}


# check, report, self-test


def test_check_shows_each_step_and_stops_at_the_first_that_fails(cli: Cli, office: Office) -> None:
    lines = cli.run("check").check(Exit.DONE).lines
    assert [line[0] for line in lines] == ["✓", "✓", DASH, DASH, "✓", "✓", "✓", "E"]
    assert lines[6].startswith(f"✓ {OFFICE} was heard: central")
    server = unreachable_server()
    ended = cli.run("check", "--bootstrap-servers", server, "--json")
    assert ended.code == Exit.USAGE  # a settings file is given, too
    cli.options = ()
    cli.env["PYTHONIOENCODING"] = "ascii"
    ended = cli.run("check", "--bootstrap-servers", server).check(Exit.NEEDS_YOU)
    assert [line[:2] for line in ended.lines[:3]] == ["OK", "XX", "  "]
    assert f"No connection to {server}." in ended.lines[1]
    assert office.arrived() == {}


def test_a_report_holds_no_file_names(cli: Cli) -> None:
    queue(cli, "very-private-name.txt")
    ended = cli.run("diagnostics", "report.zip", "--json").check(Exit.DONE)
    assert "journal.jsonl" in ended.objects[0]["contents"]
    content = (cli.folder / "report.zip").read_bytes()
    assert b"very-private-name" not in content
    assert "cannot be written" in cli.run("diagnostics", "no/such/place.zip").check(Exit.USAGE).err


def test_a_report_can_be_made_when_nothing_is_set_up(bare_cli: Cli) -> None:
    broken = bare_cli.file("broken", b"{")
    ended = bare_cli.run("diagnostics", "report.zip", "--profile", str(broken)).check(Exit.DONE)
    assert "This settings file cannot be read" in ended.err
    assert (bare_cli.folder / "report.zip").exists()


def test_the_self_test_tries_every_part(bare_cli: Cli) -> None:
    bare_cli.run("self-test", "result.json").check(Exit.DONE)
    result = json.loads((bare_cli.folder / "result.json").read_text(encoding="utf-8"))
    assert result["ok"] is True
    outcomes = {name: part["outcome"] for name, part in result["parts"].items()}
    assert outcomes.pop("vault") in {"ok", "skipped"}
    assert outcomes.pop("bundle") == "skipped", "there is none in a source tree"
    engine, window = ("journal", "watcher", "tls", "kafka", "protocol"), ("window", "tray", "icons", "languages")
    assert outcomes == dict.fromkeys((*engine, *window), "ok")
