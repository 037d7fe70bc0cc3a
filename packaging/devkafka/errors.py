# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong with the local broker; each message is a sentence for a terminal.

DevKafkaError
├── ToolMissing
├── JarsFailed
└── StartFailed
    └── PortTaken
"""


class DevKafkaError(Exception):
    """The local broker cannot do what was asked."""


class ToolMissing(DevKafkaError):
    """Java or Maven is absent or too old."""


class JarsFailed(DevKafkaError):
    """Maven did not bring the broker's jars."""


class StartFailed(DevKafkaError):
    """A node did not come up; the message ends with the last lines of its log."""


class PortTaken(StartFailed):
    """Somebody took a node's port between choosing and binding it."""
