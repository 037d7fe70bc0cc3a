# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The program on a broker with TLS, passwords and rights: signing in, being refused, and never showing a secret."""

import json
import zipfile
from pathlib import Path

import pytest

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from support.brokers import Topics
from support.processes.cli import CLIENT, Cli, office_for, secure_profile

STEPS = ["find", "reach", "secure", "sign_in", "write", "limit", "office"]


@pytest.fixture
def secure_cli(bare_cli: Cli, secure_topics: Topics) -> Cli:
    """With the uploader's settings file; its password in a file that the environment names."""
    profile = secure_profile(bare_cli.folder / "office.fieldpost", secure_topics)
    bare_cli.options = ("--profile", str(profile))
    give_password(bare_cli, secure_topics.cluster.security.passwords["uploader"])
    return bare_cli


def give_password(cli: Cli, password: str) -> Path:
    path = cli.folder / "password"
    path.write_text(f"{password}\n", encoding="utf-8")
    path.chmod(0o600)
    cli.env["FIELDPOST_PASSWORD_FILE"] = str(path)
    return path


def test_the_password_comes_from_the_named_file_and_shows_nowhere(secure_cli: Cli, secure_topics: Topics) -> None:
    password = secure_topics.cluster.security.passwords["uploader"]
    secure_cli.file("a")
    with office_for(secure_topics, secure_cli.folder / "office") as office:
        ended = secure_cli.run("send", "a").check(Exit.DONE)
        check = secure_cli.run("check", "--json").check(Exit.DONE)
    assert list(office.arrived()) == [f"{CLIENT}/a"]
    assert [(step["step"], step["outcome"]) for step in check.objects] == [(step, "ok") for step in STEPS]
    report = secure_cli.run("diagnostics", "report.zip").check(Exit.DONE)
    said = ended.out + ended.err + check.out + check.err + report.out + report.err
    assert password not in said
    with zipfile.ZipFile(secure_cli.folder / "report.zip") as archive:
        assert {"about.json", "profile.fieldpost", "journal.jsonl", "logs/fieldpost.log"} <= set(archive.namelist())
        assert not any(password.encode() in archive.read(name) for name in archive.namelist())
    kept = [path for path in secure_cli.data_dir.rglob("*") if path.is_file()]
    assert kept
    assert not any(password.encode() in path.read_bytes() for path in kept)


def test_a_wrong_password_ends_in_words_and_keeps_the_file(secure_cli: Cli) -> None:
    give_password(secure_cli, "surely-wrong")
    secure_cli.file("a")
    ended = secure_cli.run("send", "a").check(Exit.NEEDS_YOU)
    assert "User name or password not accepted. Enter the password again. (A1)" in ended.err
    assert "stays queued" in ended.err
    assert [row.state for row in secure_cli.rows()] == [FileState.QUEUED]
    check = secure_cli.run("check").check(Exit.NEEDS_YOU)
    assert check.lines[3].startswith("✗ Sign in: User name or password not accepted.")
    assert [line[0] for line in check.lines[:4]] == ["✓", "✓", "✓", "✗"]
    assert [line[0] for line in check.lines[-4:-1]] == ["\N{EN DASH}"] * 3
    assert "surely-wrong" not in ended.out + ended.err + check.out + check.err


def test_an_account_without_rights_ends_in_words_and_keeps_the_file(bare_cli: Cli, secure_topics: Topics) -> None:
    profile = secure_profile(bare_cli.folder / "p", secure_topics, "stranger")
    bare_cli.options = ("--profile", str(profile))
    give_password(bare_cli, secure_topics.cluster.security.passwords["stranger"])
    bare_cli.file("a")
    ended = bare_cli.run("send", "a", "--json").check(Exit.NEEDS_YOU)
    assert "This account may not send here. Call support. (A2)" in ended.err
    assert [(entry["path"], entry["state"]) for entry in ended.objects] == [("a", "queued")]
    check = bare_cli.run("check", "--json").check(Exit.NEEDS_YOU)
    failed = [step for step in check.objects if step["outcome"] == "failed"]
    assert [(step["step"], step["code"]) for step in failed] == [("write", "may_not_send")]
    assert "(A2)" in failed[0]["words"]


def test_without_a_password_it_is_not_set_up(secure_cli: Cli) -> None:
    secure_cli.env["FIELDPOST_PASSWORD_FILE"] = str(secure_cli.folder / "nowhere")
    secure_cli.file("a")
    ended = secure_cli.run("send", "a").check(Exit.NOT_SET_UP)
    assert "FIELDPOST_PASSWORD_FILE" in ended.err
    del secure_cli.env["FIELDPOST_PASSWORD_FILE"]  # this computer has no keyring
    ended = secure_cli.run("send", "a").check(Exit.NOT_SET_UP)
    assert "FIELDPOST_PASSWORD_FILE" in ended.err
    assert secure_cli.rows() == []


def test_on_a_terminal_a_person_is_asked_for_the_password(secure_cli: Cli, secure_topics: Topics) -> None:
    password = secure_topics.cluster.security.passwords["uploader"]
    del secure_cli.env["FIELDPOST_PASSWORD_FILE"]
    secure_cli.file("a")
    with office_for(secure_topics, secure_cli.folder / "office"):
        code, drawn = secure_cli.on_a_terminal("send", "a", typed=password)
    assert code == Exit.DONE
    assert "Password for Head office:" in drawn
    assert password not in drawn
    assert not any(password.encode() in path.read_bytes() for path in secure_cli.data_dir.rglob("*") if path.is_file())


def test_importing_checks_the_password_file_and_keeps_no_password(secure_cli: Cli, secure_topics: Topics) -> None:
    profile = secure_cli.options[1]
    secure_cli.options = ()
    ended = secure_cli.run("profile", "import", profile).check(Exit.DONE)
    assert "FIELDPOST_PASSWORD_FILE" in ended.err
    kept = (secure_cli.data_dir / "profile.fieldpost").read_text(encoding="utf-8")
    assert json.loads(kept)["sasl_username"] == "uploader"
    assert secure_topics.cluster.security.passwords["uploader"] not in kept
    password = secure_cli.env.pop("FIELDPOST_PASSWORD_FILE")
    ended = secure_cli.run("profile", "import", profile).check(Exit.NOT_SET_UP)
    assert "This account needs a password." in ended.err
    ended = secure_cli.run("profile", "import", profile, "--password-file", password).check(Exit.NEEDS_YOU)
    assert "The password could not be stored on this computer." in ended.err
