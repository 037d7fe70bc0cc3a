# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app's instance, without a window."""

from fieldpost_desktop.station.station import Station
from fieldpost_desktop.station.surroundings import Condition, Surroundings

__all__ = ["Condition", "Station", "Surroundings"]
