# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What every job is to the service (`job`), and the kinds of jobs, one folder each.

They import spark, kafka, storage, telemetry, config and shared, not runtime.
"""
