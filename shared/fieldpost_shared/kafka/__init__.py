# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How both ends talk to Kafka: what a user may set, what librdkafka is told, what its errors mean."""
