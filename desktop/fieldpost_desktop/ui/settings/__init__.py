# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The settings page: every change acts at once. Imports connection, system, threads, widgets and text."""
