# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The status topic: read it, apply what it says, ask when a receipt does not come."""
