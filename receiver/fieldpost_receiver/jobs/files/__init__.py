# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files job: reassembles, verifies and publishes files, and replies to their senders.

Imports `jobs.job`, its ledger and ingest, spark, kafka, storage, telemetry, config and shared; not runtime.
"""
