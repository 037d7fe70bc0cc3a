# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Dialogs that belong to no page: about, rename, report, send question. Imports threads, widgets and text."""
