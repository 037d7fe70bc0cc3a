# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of `fieldpost`, one module for each group. Each takes its options and returns an exit code."""
