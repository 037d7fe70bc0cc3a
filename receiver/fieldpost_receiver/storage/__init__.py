# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where files are kept: the port and its errors, one folder for each implementation, and which one a destination is."""
