# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Storage in memory: the twin for tests, and the shortest way to read what the port means. Imports the port only."""
