# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The ledger: what the receiver knows of every transfer, what it still has to say, and what it refused.

`store` opens it, `transfers` are the files, `outbox` the answers, `quarantine` the refusals.
"""
