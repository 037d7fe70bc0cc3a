# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The journal: the only truth about the queue, in SQLite, and the only folder with SQL. Imports model.

`store` opens it, keeps one writer and counts schema versions; `files` holds the queue, `folders` what is watched,
`inbox` what other threads and processes hand over. `browse`, `follow` and `support_rows` read it for window, command
line and support; `csv_export` writes a list as a table; `rescue` begins a new journal after a damaged one.
"""
