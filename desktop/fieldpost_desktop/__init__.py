# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The Fieldpost uploader: a Qt-free engine, a Qt window on top, and the command line that wires them."""
