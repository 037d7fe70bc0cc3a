# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The values that every room of the engine speaks of: states, rules, holds, events. Imports shared only."""
