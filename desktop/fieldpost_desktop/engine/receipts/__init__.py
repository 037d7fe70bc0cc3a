# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The status topic: reads it, applies what it says, asks when a receipt does not come. Imports sending and below."""
