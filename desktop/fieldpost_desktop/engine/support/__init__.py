# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What support asks for: log files and the diagnostics report. Imports runtime, journal and profile."""
