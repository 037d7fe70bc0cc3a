# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files job's ledger, and all of its SQL: every transfer, the outbox, the quarantine, the progress in the topic.

Imports the errors of storage, the outbox that kafka asks for, and shared.
"""
