# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Watched folders: `rules` say what is taken, `scan` is the truth, `hints` only bring the next scan forward."""
