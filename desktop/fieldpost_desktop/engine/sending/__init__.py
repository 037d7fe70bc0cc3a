# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Sends files: lanes that read ahead, an adapting window to the broker, acknowledgements. Imports runtime and below."""
