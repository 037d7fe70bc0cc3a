# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the operating system does for the app: autostart, network hints, file manager. Imports nothing of the window."""
