# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost quit` waits until the app answers no more and the data folder is free, but not for ever."""

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fieldpost_desktop.commands import quit_app
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.engine.runtime.lock import DataFolderLock
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.clock import FakeClock


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data")


@pytest.fixture
def lock(paths: Paths) -> Iterator[DataFolderLock]:
    paths.make()
    with DataFolderLock(paths.lock) as held:
        yield held


def end(paths: Paths, ask: Callable[[], bool]) -> tuple[Exit, str]:
    """How the command ends, and what it says."""
    said = io.StringIO()
    code = quit_app.run(paths, FakeClock(), Terminal(io.StringIO(), said), ask)
    return code, said.getvalue()


def test_nothing_is_made_where_nothing_runs(paths: Paths) -> None:
    assert end(paths, lambda: False) == (Exit.DONE, "It was not open.\n")
    assert not paths.data_dir.exists()


def test_it_waits_for_the_lock_after_the_app_has_heard_it(paths: Paths, lock: DataFolderLock) -> None:
    asked: list[bool] = []

    def ask() -> bool:
        asked.append(lock.held)
        if len(asked) == 5:
            lock.release()
        return len(asked) == 1

    code, said = end(paths, ask)
    assert (code, asked) == (Exit.DONE, [True] * 5)
    assert "Fieldpost has ended." in said


def test_an_app_that_hears_only_the_third_time_is_ended(paths: Paths) -> None:
    answers = iter([True, True, False])
    assert end(paths, lambda: next(answers))[0] is Exit.DONE
    assert not list(answers)


@pytest.mark.usefixtures("lock")
def test_a_command_without_a_window_is_named_and_left_alone(paths: Paths) -> None:
    code, said = end(paths, lambda: False)
    assert code is Exit.GAVE_UP
    assert f"still running in process {os.getpid()}." in said
