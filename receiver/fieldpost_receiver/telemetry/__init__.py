# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What operators watch: metrics, health endpoints, logs, output of child processes. Imports config and shared only."""
