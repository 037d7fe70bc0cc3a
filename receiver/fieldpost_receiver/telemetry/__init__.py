# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What ops watch: metrics, health endpoints, logs, the output of child processes. Imports config and shared only."""
