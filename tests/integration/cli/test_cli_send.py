# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost send` as a process, against a real broker and the office."""

import hashlib
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.chunks import MIB
from reference_receiver.office import Office
from support.brokers import Topics
from support.processes.cli import (
    CLIENT,
    Cli,
    interrupt,
    office_for,
    unreachable_server,
    without_privileges,
    write_profile,
)
from support.waiting import wait_until

KEYS = ["path", "transfer", "state", "size", "sha256", "receiver", "confirmed_at", "seconds", "code"]
SLOW = ("--bandwidth-limit", "4MB/s")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# what is right


def test_a_file_is_sent_and_its_receipt_printed(cli: Cli, office: Office) -> None:
    file = cli.file("report.bin", os.urandom(3 * MIB))
    ended = cli.run("send", "report.bin").check(Exit.DONE)
    assert office.arrived() == {f"{CLIENT}/report.bin": sha256(file)}
    assert "report.bin: Confirmed" in ended.out
    assert "by central" in ended.out
    assert ended.lines[-1] == "1 file confirmed."
    assert ended.err == ""


def test_json_has_one_object_with_exactly_these_keys_for_each_file(cli: Cli, office: Office) -> None:
    files = [cli.file(name, content) for name, content in (("a/one", b"1" * 700), ("a/b/none", b""), ("c", b"3"))]
    ended = cli.run("send", "a", "c", "--json").check(Exit.DONE)
    found = {entry["path"]: entry for entry in ended.objects}
    assert [list(entry) for entry in ended.objects] == [KEYS] * 3
    assert {path: entry["sha256"] for path, entry in found.items()} == {
        "a/one": sha256(files[0]),
        "a/b/none": sha256(files[1]),
        "c": sha256(files[2]),
    }
    assert office.arrived() == {f"{CLIENT}/{path}": entry["sha256"] for path, entry in found.items()}
    for entry in found.values():
        assert (entry["state"], entry["receiver"], entry["code"]) == ("confirmed", "central", None)
        assert len(entry["transfer"]) == 32
        assert entry["seconds"] > 0
        assert entry["confirmed_at"].endswith("+00:00")
    assert {path: entry["size"] for path, entry in found.items()} == {"a/one": 700, "a/b/none": 0, "c": 1}


def test_without_a_profile_the_default_topics_are_used(bare_cli: Cli, topics: Topics) -> None:
    """The broker of the tests has no such topics, which is what it says."""
    bare_cli.file("a")
    running = bare_cli.start("send", "--bootstrap-servers", topics.bootstrap_servers, "--client", CLIENT, "a")
    line = running.says("The server has no mailbox for us. Trying again in")
    assert "(2nd try). (S3)" in line
    interrupt(running)
    ended = running.wait(10).check(Exit.GAVE_UP)
    assert "The server has no mailbox for us." in ended.lines[-1]
    assert [row.state for row in bare_cli.rows()] == [FileState.QUEUED]


def test_a_file_that_is_there_already_is_confirmed(cli: Cli, office: Office) -> None:
    cli.file("a")
    cli.run("send", "a").check(Exit.DONE)
    ended = cli.run("send", "a").check(Exit.DONE)
    assert "which had it already" in ended.out
    assert len(office.arrived()) == 1


def test_queued_files_go_out_with_the_next_run(cli: Cli, office: Office) -> None:
    first, second = cli.file("first"), cli.file("second")
    ended = cli.run("send", "--no-wait", "first").check(Exit.DONE)
    assert "go out when Fieldpost runs next" in ended.err
    assert [(row.path, row.state) for row in cli.rows()] == [("first", FileState.QUEUED)]
    cli.run("send", "second").check(Exit.DONE)
    assert office.wait_for(2) == {f"{CLIENT}/first": sha256(first), f"{CLIENT}/second": sha256(second)}


# the live table


def test_a_terminal_shows_the_three_stages_speed_and_a_receipt_line(cli: Cli, office: Office) -> None:
    cli.file("large.bin", os.urandom(12 * MIB))
    cli.file("note.txt")
    office.switches.delay_receipts()  # until the middle stage was seen: it may be too short to be drawn
    waiting = "Sent, waiting for confirmation"
    upon = (waiting, office.switches.release_receipts)
    code, drawn = cli.on_a_terminal("send", *SLOW, "large.bin", "note.txt", upon=upon)
    assert code == Exit.DONE
    for heading in ("File", "Size", "Progress", "Parts", "Speed", "Time left", "Status"):
        assert heading in drawn
    assert re.search(r"Sending \d+ of 13 parts", drawn)
    assert "MB/s" in drawn
    stages = [drawn.index(words) for words in ("Sending", waiting, "large.bin: Confirmed")]
    assert stages == sorted(stages)
    assert "note.txt: Confirmed" in drawn
    assert drawn.rstrip().endswith("2 files confirmed.")
    assert len(office.arrived()) == 2


def test_a_narrow_terminal_keeps_the_status(cli: Cli, office: Office) -> None:
    cli.file("files/a-file-with-a-rather-long-name-that-cannot-be-shown-as-a-whole.bin", os.urandom(2 * MIB))
    office.switches.delay_receipts()
    code, drawn = cli.on_a_terminal("send", "--timeout", "3", "files", columns=80)
    assert code == Exit.GAVE_UP
    assert "Sent, waiting for confirmation" in drawn
    assert max(len(line) for line in drawn.replace("\r", "\n").split("\n")[:3]) <= 80


# bad input


def test_a_missing_path_is_named_and_nothing_is_queued(cli: Cli) -> None:
    cli.file("there")
    ended = cli.run("send", "there", "nowhere/missing.txt").check(Exit.USAGE)
    assert "nowhere/missing.txt is not there." in ended.err
    assert "Nothing was queued." in ended.err
    assert cli.rows() == []


def test_a_folder_without_files_is_refused(cli: Cli) -> None:
    cli.file("only/.hidden")
    ended = cli.run("send", "only").check(Exit.USAGE)
    assert "only has no files that can be sent." in ended.err
    assert cli.rows() == []


def test_a_link_a_device_and_the_data_folder_are_refused(cli: Cli) -> None:
    (cli.folder / "link").symlink_to(cli.file("a"))
    ended = cli.run("send", "link", os.devnull, ".").check(Exit.USAGE)
    assert "link is a link" in ended.err
    assert ". holds Fieldpost's own data" in ended.err
    assert f"{os.devnull} is no plain file." in ended.err


def test_a_file_that_may_not_be_read_needs_a_person(cli: Cli, office: Office) -> None:
    cli.file("secret").chmod(0)
    cli.file("open")
    ended = cli.run("send", "secret", "open", preexec=without_privileges).check(Exit.NEEDS_YOU)
    assert "secret: Needs you: This file may not be read." in ended.out
    assert "(F5)" in ended.out
    assert ended.lines[-1] == "1 of 2 files confirmed, 1 needs you."
    assert list(office.arrived()) == [f"{CLIENT}/open"]


def test_a_file_that_vanished_needs_a_person(cli: Cli, office: Office) -> None:
    file = cli.file("going")
    cli.run("send", "--no-wait", "going").check(Exit.DONE)
    file.unlink()
    file.with_name("staying").write_bytes(b"x")
    cli.run("send", "staying").check(Exit.DONE)
    ended = cli.run("status").check(Exit.DONE)
    assert "Something needs you." in ended.out
    assert "going  Needs you: The file was moved or deleted." in ended.out
    assert "(F2)" in ended.out
    assert list(office.arrived()) == [f"{CLIENT}/staying"]


def test_a_file_that_the_office_rejects_needs_a_person(cli: Cli, office: Office) -> None:
    cli.file("huge")
    office.switches.reject(lambda _facts: True, "too_large")
    ended = cli.run("send", "huge", "--json").check(Exit.NEEDS_YOU)
    assert [(entry["state"], entry["code"]) for entry in ended.objects] == [("attention", "too_large")]
    assert "1 needs you" in ended.err


def test_a_name_with_escape_sequences_cannot_reach_the_terminal(cli: Cli, office: Office) -> None:
    cli.file("names/evil\x1b]0;title\x07[bold]x\u202etxt.exe")
    cli.file("names/[red]plain[/red].txt")
    ended = cli.run("send", "names").check(Exit.NEEDS_YOU)
    assert "does not accept this name" in ended.out
    assert "[red]plain[/red].txt: Confirmed" in ended.out
    assert "\\x1b" in ended.out
    assert "\u202e" not in ended.out
    assert office.arrived()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bootstrap_server": "a:1"}, "bootstrap_server"),
        ({"receivers": "central"}, "receivers"),
        ({"version": 99}, "needs a newer Fieldpost"),
    ],
)
def test_a_wrong_settings_file_says_which_key(bare_cli: Cli, changes: dict[str, object], words: str) -> None:
    bare_cli.file("a")
    path = write_profile(bare_cli.folder / "p", None, **({"bootstrap_servers": "127.0.0.1:9092"} | changes))
    ended = bare_cli.run("send", "--profile", str(path), "a").check(Exit.NOT_SET_UP)
    assert words in ended.err
    assert bare_cli.rows() == []


def test_a_settings_file_that_is_none_says_so(bare_cli: Cli) -> None:
    bare_cli.file("a")
    ended = bare_cli.run("send", "--profile", "a", "a").check(Exit.NOT_SET_UP)
    assert "This settings file cannot be read: it is not JSON" in ended.err


def test_without_settings_it_is_not_set_up(bare_cli: Cli) -> None:
    bare_cli.file("a")
    ended = bare_cli.run("send", "a").check(Exit.NOT_SET_UP)
    assert "Fieldpost is not set up yet." in ended.err
    assert "(P3)" in ended.err


@pytest.mark.parametrize(
    "arguments", [("--timeout", "0"), ("--bootstrap-servers", "x:y"), ("--bandwidth-limit", "fast")]
)
def test_a_wrong_option_is_a_wrong_use(bare_cli: Cli, arguments: tuple[str, ...]) -> None:
    bare_cli.file("a")
    servers = () if "--bootstrap-servers" in arguments else ("--bootstrap-servers", "127.0.0.1:1")
    ended = bare_cli.run("send", *servers, *arguments, "a").check(Exit.USAGE)
    assert arguments[0] in ended.err
    assert bare_cli.rows() == []


def test_without_a_connection_it_tries_on_until_the_time_is_up(bare_cli: Cli) -> None:
    bare_cli.file("a")
    server = unreachable_server()
    ended = bare_cli.run("send", "--bootstrap-servers", server, "--timeout", "3", "--json", "a").check(Exit.GAVE_UP)
    assert f"Connecting to {server}." in ended.err
    assert "stays queued" in ended.err
    assert [(entry["path"], entry["state"]) for entry in ended.objects] == [("a", "queued")]
    status = bare_cli.run("status").check(Exit.DONE)
    assert "Fieldpost is not running: nothing goes out until it does." in status.out


def test_a_server_that_is_not_found_is_said_at_once(bare_cli: Cli) -> None:
    bare_cli.file("a")
    server = "no-such-host.invalid:9092"
    running = bare_cli.start("send", "--bootstrap-servers", server, "a")
    line = running.says(f"The server of {server} was not found. Trying again in")
    assert "(2nd try)" in line
    running.send_signal(signal.SIGTERM)
    running.wait().check(Exit.GAVE_UP)


def test_open_files_tie_the_data_folder_to_their_target(cli: Cli, topics: Topics) -> None:
    cli.file("a")
    cli.run("send", "--no-wait", "a").check(Exit.DONE)
    other = write_profile(cli.folder / "other", topics, id="other", name="Elsewhere")
    ended = cli.run("send", "--profile", str(other), "a").check(Exit.NOT_SET_UP)
    assert "Head office" in ended.err
    assert "Elsewhere" in ended.err
    assert "--data-dir" in ended.err
    assert len(cli.rows()) == 1
    cli.run("cancel", "1").check(Exit.DONE)
    cli.run("send", "--no-wait", "--profile", str(other), "a").check(Exit.DONE)


# more than one process, and stopping


def test_a_second_process_hands_over_and_follows_to_the_receipt(cli: Cli, office: Office) -> None:
    large, small = cli.file("large", os.urandom(16 * MIB)), cli.file("small")
    first = cli.start("send", *SLOW, "large")
    first.says("Sending")
    second = cli.run("send", "small").check(Exit.DONE)
    assert "Another Fieldpost is running" in second.err
    assert "small: Confirmed" in second.out
    assert first.wait().check(Exit.DONE).lines[-1] == "1 file confirmed."
    assert office.arrived() == {f"{CLIENT}/large": sha256(large), f"{CLIENT}/small": sha256(small)}


def test_when_the_first_process_dies_the_second_takes_over(cli: Cli, office: Office) -> None:
    cli.file("large", os.urandom(16 * MIB))
    small = cli.file("small")
    first = cli.start("send", *SLOW, "large")
    first.says("Sending")
    office.switches.delay_receipts()
    second = cli.start("send", "small", "--json")
    wait_until(lambda: len(cli.rows()) == 2, 20, "the second file in the journal")
    first.send_signal(signal.SIGKILL)
    first.wait()
    office.switches.release_receipts()
    ended = second.wait().check(Exit.DONE)
    assert [(entry["path"], entry["sha256"]) for entry in ended.objects] == [("small", sha256(small))]


def test_a_second_process_with_another_target_is_refused(cli: Cli, topics: Topics, office: Office) -> None:
    cli.file("large", os.urandom(16 * MIB))
    first = cli.start("send", *SLOW, "large")
    first.says("Sending")
    other = write_profile(cli.folder / "other", topics, client="somebody-else")
    ended = cli.run("send", "--profile", str(other), "large").check(Exit.NOT_SET_UP)
    assert "another Fieldpost is running" in ended.err
    assert "somebody-else" in ended.err
    interrupt(first)
    first.wait(10).check(Exit.GAVE_UP)
    assert office.arrived() == {}


def test_ctrl_c_keeps_the_files_and_the_next_run_goes_on(cli: Cli, office: Office) -> None:
    file = cli.file("large", os.urandom(8 * MIB))
    first = cli.start("send", "--bandwidth-limit", "2MB/s", "large")
    wait_until(lambda: office.seen.messages()["chunk"] >= 2, 30, "some parts at the office")
    interrupt(first)
    ended = first.wait(10).check(Exit.GAVE_UP)
    assert "Stopped. 0 of 1 file confirmed. What is left stays queued" in ended.lines[-1]
    assert office.seen.messages()["chunk"] < 9
    cli.run("send", "large").check(Exit.DONE)
    assert office.arrived() == {f"{CLIENT}/large": sha256(file)}
    assert len(cli.rows()) == 1


def test_a_reader_that_goes_away_does_not_stop_the_sending(cli: Cli, office: Office) -> None:
    cli.file("a")
    reader, pipe = os.pipe()
    os.close(reader)
    done = subprocess.run(cli.command("send", "a"), cwd=cli.folder, stdout=pipe, stderr=subprocess.PIPE, check=False)
    os.close(pipe)
    assert (done.returncode, done.stderr) == (Exit.DONE, b"")
    assert len(office.arrived()) == 1


def test_a_file_cancelled_by_another_process_ends_the_waiting(cli: Cli, topics: Topics, tmp_path: Path) -> None:
    cli.file("large", os.urandom(16 * MIB))
    with office_for(topics, tmp_path / "office") as office:
        first = cli.start("send", "--bandwidth-limit", "1MB/s", "large")
        first.says("Sending")
        transfer = wait_until(lambda: cli.rows()[0].transfer, 10, "a transfer id")
        ended = cli.run("cancel", str(transfer)).check(Exit.DONE)
        assert "large: Cancelled" in ended.out
        assert first.wait().check(Exit.NEEDS_YOU).lines[-1] == "0 of 1 file confirmed, 1 cancelled."
        assert office.arrived() == {}


def test_pausing_and_resuming_reach_the_running_process(cli: Cli, office: Office) -> None:
    cli.file("large", os.urandom(5 * MIB))
    first = cli.start("send", "--bandwidth-limit", "1MB/s", "large")
    first.says("Sending")
    cli.run("pause").check(Exit.DONE)
    first.says("Paused. `fieldpost resume` goes on.")
    status = cli.run("status", "--json").check(Exit.DONE).objects[0]
    assert (status["state"], status["running"], status["hold"]["kind"]) == ("paused", True, "paused")
    cli.run("resume").check(Exit.DONE)
    first.says("Sending goes on.")
    first.wait().check(Exit.DONE)
    assert len(office.arrived()) == 1


def test_ctrl_c_ends_even_while_no_server_answers(bare_cli: Cli) -> None:
    bare_cli.file("a")
    running = bare_cli.start("send", "--bootstrap-servers", unreachable_server(), "a")
    running.says("Connecting to")
    interrupt(running)
    running.wait(5).check(Exit.GAVE_UP)
