# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The list of files: what is on its way, what needs somebody, what has arrived."""
