# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The process: service, instance lock, ownership tags, free space, topic guard, systemd, exit codes."""
