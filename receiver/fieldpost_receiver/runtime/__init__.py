# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a service: supervision, state folder, lock, free space, systemd, exit codes.

Imports every folder but commands.
"""
