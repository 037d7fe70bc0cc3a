# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import logging

from fieldpost_shared.kafka.library_log import LIBRARY_LOG


def test_the_client_librarys_errors_are_no_errors_of_ours() -> None:
    seen: list[logging.LogRecord] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(record)

    handler = Handler(logging.DEBUG)
    LIBRARY_LOG.addHandler(handler)
    try:
        LIBRARY_LOG.error("Connect to ipv4#127.0.0.1:9092 failed")
    finally:
        LIBRARY_LOG.removeHandler(handler)
    assert [record.levelname for record in seen] == ["DEBUG"]
