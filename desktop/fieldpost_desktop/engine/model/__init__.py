# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The values that all folders of the engine use: file rows, states, rules, holds, events. Imports shared only."""
