# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The Fieldpost receiver: reassembles, verifies, publishes and reports, on Spark."""
