# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Sending: lanes of files, read by a pool, through an adapting window, to the broker."""
