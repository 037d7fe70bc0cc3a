# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The journal: the only truth about the queue, in SQLite.

`store` opens it, keeps one writer and counts schema versions; `files` holds the queue, `folders` what is watched,
`inbox` what other processes hand over. `browsing` reads it for whoever shows the list, `table` writes that as a CSV.
"""
