# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The Windows build: `build.sh` makes the program, `examine` looks at what came out."""
