# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import logging

import pytest

from fieldpost_shared.kafka.library_log import LIBRARY_LOG


def _heard(level: int) -> list[str]:
    seen: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(record.levelname)

    handler = Handler(logging.DEBUG)
    before = LIBRARY_LOG.level
    LIBRARY_LOG.addHandler(handler)
    LIBRARY_LOG.setLevel(level)
    try:
        LIBRARY_LOG.error("Connect to ipv4#127.0.0.1:9092 failed")
    finally:
        LIBRARY_LOG.setLevel(before)
        LIBRARY_LOG.removeHandler(handler)
    return seen


def test_the_client_librarys_errors_are_no_errors_of_ours() -> None:
    assert _heard(logging.DEBUG) == ["DEBUG"]


@pytest.mark.parametrize("level", [logging.INFO, logging.WARNING])
def test_half_an_hour_without_a_connection_does_not_fill_the_log(level: int) -> None:
    assert _heard(level) == []
