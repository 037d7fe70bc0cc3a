# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What operators can set: receiver.toml, its kinds of values and the layout template. Imports shared only."""
