# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Spark as every job uses it: session, batches, failures of tasks, warm-up, class archive, the workers' Python.

Imports config, the errors of storage and shared; knows no job.
"""
