# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The one place that holds the version; the build, the programs and the documents read it here."""

__version__ = "0.1.0"
