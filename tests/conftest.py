# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What every test gets: the fixtures of brokers and processes, the guard against warnings, hypothesis profiles.

`--hypothesis-profile=long` (used by `make faults`) tries 10,000 examples of each property instead of 200,
`--hypothesis-profile=brief` (used by `make unit`) 20.
"""

from hypothesis import HealthCheck, settings

pytest_plugins = [
    "support.brokers",
    "support.logfail",
    "support.memory_disk",
    "support.processes.cli",
    "support.processes.xvfb",
    "support.processes.app",  # imports the two before
    "support.side_by_side",
    "faults.bookkeeping",
    "faults.toxiproxy",
]

# Two noisy cores: an example's time says nothing, and a slow start of one must not fail a property.
settings.register_profile("quick", max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("brief", settings.get_profile("quick"), max_examples=20)
settings.register_profile("long", settings.get_profile("quick"), max_examples=10_000)
settings.load_profile("quick")
