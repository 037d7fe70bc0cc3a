# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The installer: `build.sh` makes it from the built program, `prove` tries it out under Wine."""
