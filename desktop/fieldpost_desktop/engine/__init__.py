# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The uploader without a window: core, commands and inbox, above all its folders. Imports no Qt, app or ui."""
