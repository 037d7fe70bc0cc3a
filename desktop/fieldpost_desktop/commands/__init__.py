# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of `fieldpost`, one module for each group. Imports app and engine; the window only for its self-test."""
