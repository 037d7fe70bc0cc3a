# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The link to the broker: transport port and Kafka, broker administration, network, pacing. Imports shared only."""
