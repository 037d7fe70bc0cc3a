# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Watched folders: scan, settle, events of the system, clean-up of confirmed files. Imports runtime and below."""
