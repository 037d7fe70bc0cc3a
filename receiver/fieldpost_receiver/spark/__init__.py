# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Spark as every job uses it: session, a cluster's secret, batches, failures of tasks, warm-up, class archive, workers.

Imports config, the errors of storage and shared; knows no job.
"""
