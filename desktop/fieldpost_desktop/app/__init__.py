# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app without a window: settings, password, data folder lock and engine. Imports the engine and shared; no Qt."""
