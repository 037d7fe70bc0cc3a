# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Storage in a folder of a file system: staging, sealing, read back, final names. Imports the port only."""
