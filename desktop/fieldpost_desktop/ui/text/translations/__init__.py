# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The app's texts: German, and the plurals of English. `make translations` keeps them in step with the sources."""
