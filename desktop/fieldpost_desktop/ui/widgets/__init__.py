# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Widgets, icons and colours that every page uses. Imports text of the engine's model and Qt; knows no page."""
