# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Wire protocol 1.0: the only place that turns messages into bytes and hostile bytes into messages.

`limits` holds the constants, `headers` reads header lists, `messages` and `packs` are the files topic, `status`
is the status topic. Decoding returns a message or raises `ProtocolError`, whatever the bytes.
"""
