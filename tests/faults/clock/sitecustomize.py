# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A wrong wall clock: wrong by the seconds that the file FAULTS_CLOCK says now. Read as the one in crash/ is.

Both programs take the time from `SystemClock` alone. libfaketime, which would move it below Python, makes Python's own
`sleep` fail (EINVAL) while the monotonic clock stays real.
"""

import os
import time
from pathlib import Path

from fieldpost_shared.clock import NS_PER_S, SystemClock

WRONG_BY = Path(os.environ["FAULTS_CLOCK"])


def _now_ns(_self: SystemClock) -> int:
    return time.time_ns() + int(WRONG_BY.read_text(encoding="ascii")) * NS_PER_S


SystemClock.now_ns = _now_ns  # type: ignore[method-assign,assignment]  # that is what this file is for
