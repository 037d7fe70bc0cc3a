# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What set-up and settings share: connection test, password, settings file. Imports threads, widgets and text."""
