# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A real Kafka on this machine, for the demo, the tests and `make broker`."""
