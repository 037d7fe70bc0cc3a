# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""All about one file: where it is, how far it got, what went wrong, the proof that it arrived."""
