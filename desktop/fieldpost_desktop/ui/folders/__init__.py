# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The page of watched folders and its dialogs. Imports threads, widgets and text."""
