# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The list of files: on their way, in need of a person, arrived. Imports threads, widgets and text."""
