# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The files of this computer: probing, reading, filtering and walking through what was dropped. Imports model."""
