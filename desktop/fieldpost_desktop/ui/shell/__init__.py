# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The frame around the pages: window, tray, notifications, single instance. Imports setup, dialogs and all below."""
