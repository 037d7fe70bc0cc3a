# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The office: a receiver for tests, written from protocol.md alone so that it finds bugs in our own encoder.

`office.Office` runs it in a thread, `python -m reference_receiver` (with PYTHONPATH=tests) as a process, and
`checker.compare` judges what it published. It keeps its state in memory: not the product's receiver.
"""
