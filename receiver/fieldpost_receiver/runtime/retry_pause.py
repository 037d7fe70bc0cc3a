# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How long to wait before the next try: longer after each failure, at random, so that jobs do not try in step."""

from random import Random


class RetryPause:
    """Counts failures in a row."""

    def __init__(self, *, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = longest
        self._random = Random()  # noqa: S311 - jitter
        self.failures = 0

    def next(self) -> float:
        """Count a failure; return the seconds to wait."""
        self.failures += 1
        return self._random.uniform(self._shortest, min(self._longest, self._shortest * 2.0**self.failures))

    def reset(self) -> None:
        """Note a success."""
        self.failures = 0
