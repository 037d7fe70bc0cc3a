# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What decides where and how to send: settings file, a person's settings, vault. Imports model only."""
