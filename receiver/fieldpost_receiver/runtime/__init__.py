# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a service of jobs: scheduler, job store, one runner a job, state folder, lock, systemd, exit codes.

Imports every folder but commands.
"""
