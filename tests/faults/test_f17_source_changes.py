# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F17: the source is cut short, grows, goes away or may not be read while it is sent: the new version, or a named end.

With the test's own office, which finds every message that contradicts another.
"""

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import pytest

from faults.bookkeeping import Case
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.sources import file_reader
from fieldpost_desktop.engine.sources.file_probe import code_of_os_error
from fieldpost_shared.codes import Code
from fieldpost_shared.database import open_for_reading
from fieldpost_shared.errors import FieldpostError
from reference_receiver.checker import compare
from support.brokers import Topics
from support.engine import core
from support.engine.uploader import running_office
from support.processes.cli import CLIENT, Cli, Running, without_privileges, write_profile
from support.samples import make
from support.waiting import wait_until

SIZE: Final = 4_000_000
LONGEST_WAIT_S: Final = 600  # of the back-off
SLOW: Final = ("--bandwidth-limit", "3MB/s")


def cut_short(path: Path) -> None:
    os.truncate(path, SIZE // 3)


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"and one line more\n" * 10_000)


def fill_anew(path: Path) -> None:
    """In place, of the same size: a reader that goes on would mix two versions."""
    with path.open("r+b") as file:
        file.write(os.urandom(SIZE))


def replace(path: Path) -> None:
    """As editors save: another file takes the name, the old one stays open."""
    other = path.with_suffix(".new")
    other.write_bytes(os.urandom(SIZE))
    other.replace(path)


def empty(path: Path) -> None:
    os.truncate(path, 0)


CHANGES: Final[dict[str, Callable[[Path], None]]] = {
    "cut-short.bin": cut_short,
    "emptied.bin": empty,
    "filled-anew.bin": fill_anew,
    "grown.bin": grow,
    "replaced.bin": replace,
}
GONE: Final = "gone.bin"
UNREADABLE: Final = "unreadable.bin"


class Field:
    """A sender with a folder of files, each of which meets its fault while it is sent."""

    def __init__(self, case: Case, topics: Topics, cli: Cli) -> None:
        self.cli, folder = cli, cli.folder
        cli.options = ("--profile", str(write_profile(folder / "p.fieldpost", topics)))
        names = [*CHANGES, GONE, UNREADABLE]
        self.paths = {name: make(folder / "in", name, SIZE, case.random.randrange(2**32)) for name in names}

    def send(self) -> Running:
        return self.cli.start("send", *SLOW, "in")

    def wait_for_parts(self, name: str) -> None:
        wait_until(lambda: self._parts(name), 90, f"a part of {name} to be acknowledged")

    def _parts(self, name: str) -> int:
        sql = "SELECT count(*) FROM chunks JOIN files ON files.id = file WHERE path = ? AND state = 'sending'"
        with suppress(sqlite3.OperationalError), closing(open_for_reading(self.cli.data_dir / "journal.db")) as journal:
            return int(journal.execute(sql, (f"in/{name}",)).fetchone()[0])
        return 0  # it is being made


def test_f17_a_source_that_changes_is_sent_anew_and_one_that_is_gone_is_named(
    case: Case, topics: Topics, tmp_path: Path, bare_cli: Cli
) -> None:
    field = Field(case, topics, bare_cli)
    with running_office(topics, tmp_path / "out") as office:
        running = field.send()
        for name, change in sorted((CHANGES | {GONE: Path.unlink}).items()):  # in the order of sending
            field.wait_for_parts(name)
            change(field.paths[name])
            case.fault()
        field.wait_for_parts(UNREADABLE)
        running.send_signal(signal.SIGKILL)  # an open file stays readable: it must be opened again
        running.wait()
        field.paths[UNREADABLE].chmod(0)
        case.fault()
        ended = field.cli.run("send", "in", preexec=without_privileges).check(Exit.NEEDS_YOU)
        assert "in/unreadable.bin: Needs you: This file may not be read." in ended.out
        status = field.cli.run("status").out
        assert "in/gone.bin  Needs you: The file was moved or deleted." in status
        sent = {f"in/{name}": field.paths[name] for name in CHANGES}
        assert compare(sent, tmp_path / "out", CLIENT) == [], "whole files of one version, and no others"
        assert office.violations == []
    codes = {row.path: row.code for row in field.cli.rows() if row.state is FileState.ATTENTION}
    assert codes == {"in/gone.bin": Code.FILE_GONE, "in/unreadable.bin": Code.FILE_UNREADABLE}
    case.moved(SIZE * len(field.paths))


@pytest.mark.parametrize("number", [32, 33])
def test_f17_a_locked_file_waits_and_goes_out_when_it_is_free(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """What Windows says, in mid-file: Linux knows no lock that keeps a reader out."""
    rig = core.Rig(tmp_path)
    content = case.random.randbytes(20 * core.CHUNK)
    (row,) = rig.add(rig.file("a.bin", content))
    rig.link_holding_after(case.random.randrange(1, 6))
    locked = LockedByAnother(number)
    monkeypatch.setattr(file_reader.SourceReader, "_bytes", locked.wrapped(file_reader.SourceReader._bytes))
    case.fault()
    rig.link.held = False
    rig.until(lambda: rig.row(row).state is FileState.RETRYING)
    transfer = rig.row(row).transfer
    rig.pass_time(3_600, 30)
    assert (rig.row(row).state, rig.row(row).code) == (FileState.RETRYING, Code.FILE_IN_USE)
    locked.is_free = True
    rig.pass_time(LONGEST_WAIT_S, 30)
    rig.until_confirmed(row)
    assert (rig.row(row).transfer, rig.office.published) == (transfer, {"a.bin": content})
    rig.close()


class LockedByAnother:
    """Reading fails as on Windows while another program has the file."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.is_free = False

    def wrapped(self, real: Callable[..., bytes]) -> Callable[..., bytes]:
        def read(reader: object, *arguments: object) -> bytes:
            if self.is_free:
                return real(reader, *arguments)
            raise FieldpostError(code_of_os_error(self._error()), "in use")

        return read

    def _error(self) -> OSError:
        error = OSError(13, "in use")
        error.winerror = self._number  # type: ignore[attr-defined,unused-ignore]  # only Windows has it
        return error
