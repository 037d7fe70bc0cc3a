# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reading the files topic: how a batch is planned, what a task does with its ranges, the rows it returns.

Imports storage, the failures of spark's tasks, and shared.
"""
