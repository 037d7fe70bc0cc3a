# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of every window and state; they use the kits of tests/, which `capture` puts on the path."""
