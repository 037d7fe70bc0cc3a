# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The two doorways between the GUI thread and all others: bridge and worker. Imports the engine's events."""
