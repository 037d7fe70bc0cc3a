# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The client library's own log lines, for the log file of a developer only.

librdkafka calls every refused connection an ERROR, several times a second while a broker restarts. What matters of it
reaches people as our codes, so its lines are DEBUG here.
"""

import logging
from typing import Final

LIBRARY_LOG: Final = logging.getLogger("fieldpost.librdkafka")


def _quieten(record: logging.LogRecord) -> bool:
    record.levelno, record.levelname = logging.DEBUG, "DEBUG"
    return LIBRARY_LOG.isEnabledFor(logging.DEBUG)  # the logger has judged by the level it came with


LIBRARY_LOG.addFilter(_quieten)
