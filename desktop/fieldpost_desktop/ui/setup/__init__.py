# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The wizard of the first run: settings file, password, test. Imports connection, threads and widgets."""
