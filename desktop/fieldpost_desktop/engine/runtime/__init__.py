# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a running engine shares: context, workers, failure policy, retry, holds, keep awake, lock, paths.

Imports journal, link, sources, profile and model.
"""
