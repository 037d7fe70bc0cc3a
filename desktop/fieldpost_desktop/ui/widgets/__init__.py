# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Widgets, icons and colours that pages share. Imports tone and the engine's model; no page, no engine beyond it."""
