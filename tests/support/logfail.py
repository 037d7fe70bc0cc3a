# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A log line of WARNING or worse that nobody announced fails its test.

A test that expects some says so with `@pytest.mark.logs_warnings` and checks them with `caplog`.
"""

import logging
from collections.abc import Generator
from typing import Final

import pytest

_FOREIGN: Final = ("faker", "hypothesis")  # libraries of the tests themselves


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(_FOREIGN):
            self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Collect while the test runs; judge when it has passed otherwise."""
    collector = _Collector()
    logging.getLogger().addHandler(collector)
    try:
        outcome = yield
    finally:
        logging.getLogger().removeHandler(collector)
    if collector.lines and item.get_closest_marker("logs_warnings") is None:
        pytest.fail("unexpected in the log:\n" + "\n".join(collector.lines))
    return outcome
