# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Files of this computer: probe, read, expand folders, preview, filter. Imports model only."""
