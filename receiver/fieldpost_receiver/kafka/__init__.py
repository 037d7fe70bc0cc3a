# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the driver asks and sends the cluster: topics, offsets, permissions, status messages. Imports shared only."""
