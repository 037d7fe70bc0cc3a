# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What tests need that run in two processes at once (pytest-xdist).

`@pytest.mark.alone` is for a test that measures time: it waits until the other process is between two tests, and the
other one waits for it.
"""

import fcntl
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def one_at_a_time(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold a lock file, which the system opens again when its holder dies; `shared`: with others that share it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before the clock of pytest-timeout runs
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Give each test its turn, in the order of asking: who waits for the room holds the door."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return (yield)
    folder: Path = item.config._tmp_path_factory.getbasetemp().parent  # type: ignore[attr-defined]  # of the whole run
    with ExitStack() as turn:
        with one_at_a_time(folder / "door.lock"):
            is_shared = item.get_closest_marker("alone") is None
            turn.enter_context(one_at_a_time(folder / "room.lock", shared=is_shared))
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Any:  # noqa: ANN401 - whatever the report is made of
    """Reports travel as UTF-8; some tests log half characters on purpose."""
    return _sendable((yield))


def _sendable(value: Any) -> Any:  # noqa: ANN401 - likewise
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {_sendable(key): _sendable(one) for key, one in value.items()}
        case list() | tuple():
            return type(value)(_sendable(one) for one in value)
        case _:
            return value
