# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the network says of itself. Unknown is an answer, and is never taken for a yes."""

from enum import StrEnum
from typing import Protocol


class Metered(StrEnum):
    """Whether bytes cost money here."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class NetworkPort(Protocol):
    """What the system says; only the broker shows what is really reachable."""

    def metered(self) -> Metered:
        """Return whether the present connection is metered."""

    def captive_portal(self) -> bool:
        """Return whether a sign-in page stands in the way."""


class UnknownNetwork:
    """For headless runs: nothing is known of the network."""

    def metered(self) -> Metered:
        return Metered.UNKNOWN

    def captive_portal(self) -> bool:
        return False


class FakeNetwork:
    """The twin for tests."""

    def __init__(self) -> None:
        self.is_metered = Metered.UNKNOWN
        self.is_captive = False

    def metered(self) -> Metered:
        return self.is_metered

    def captive_portal(self) -> bool:
        return self.is_captive
