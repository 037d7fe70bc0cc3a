# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Every sentence of the window: wording, phrases, languages, translations. Imports the engine's values; no widget."""
