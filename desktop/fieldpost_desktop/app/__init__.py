# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app without a window: profile, password, lock and engine, opened and looked after. Imports the engine, no Qt."""
