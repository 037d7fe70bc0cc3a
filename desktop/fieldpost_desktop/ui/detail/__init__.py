# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The pane with all about one file. Imports the list's actions and texts (transfers), threads, widgets and text."""
