# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The window and the tray icon: app, controller and self-test open them. Imports app, the engine's values and Qt."""
