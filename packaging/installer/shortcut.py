# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Reads a Windows shortcut (.lnk, [MS-SHLLINK]): what it starts, and under which name Windows groups it."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_HEADER: Final = 0x4C
_FLAGS_AT: Final = 20
_HAS_ID_LIST, _HAS_LINK_INFO, _HAS_ARGUMENTS, _IS_UNICODE = 0x01, 0x02, 0x20, 0x80
_BASE_PATH_AT: Final = 16  # in the link info: where its local path begins
_TEXTS: Final = (0x04, 0x08, 0x10, _HAS_ARGUMENTS, 0x40)  # name, relative path, folder, arguments, icon: in this order
_PROPERTIES: Final = 0xA0000009
_APP_ID_FORMAT: Final = bytes.fromhex("55284C9F799F394BA8D0E1D42DE1D5F3")  # System.AppUserModel


@dataclass(frozen=True, slots=True)
class Shortcut:
    """What we look at in one."""

    target: str
    arguments: str
    properties: bytes  # as they stand in the file; none if empty

    def has_app_id(self, name: str) -> bool:
        """Whether Windows takes the program that it starts for the app of this name."""
        return _APP_ID_FORMAT in self.properties and name.encode("utf-16-le") in self.properties


def read_shortcut(path: Path) -> Shortcut:
    """The shortcut in this file.

    Raises:
        ValueError: it is none, or of a kind that we never write.
    """
    content = path.read_bytes()
    try:
        return _parse(content)
    except struct.error as error:
        raise ValueError(f"{path} ends too early") from error


def _parse(content: bytes) -> Shortcut:
    size, flags = _number(content, 0), _number(content, _FLAGS_AT)
    if size != _HEADER or not flags & _IS_UNICODE:
        raise ValueError("this is no shortcut of today's kind")
    at, target = _HEADER, ""
    if flags & _HAS_ID_LIST:
        at += 2 + struct.unpack_from("<H", content, at)[0]
    if flags & _HAS_LINK_INFO:
        begin = at + _number(content, at + _BASE_PATH_AT)
        target = content[begin : content.index(b"\0", begin)].decode("cp1252")
        at += _number(content, at)
    texts = {}
    for text in (flag for flag in _TEXTS if flags & flag):
        length = 2 * struct.unpack_from("<H", content, at)[0]
        texts[text] = content[at + 2 : at + 2 + length].decode("utf-16-le").rstrip("\0")  # Wine counts an end mark
        at += 2 + length
    return Shortcut(target, texts.get(_HAS_ARGUMENTS, ""), _properties(content, at))


def _properties(content: bytes, at: int) -> bytes:
    """Blocks follow, each with its size and its kind, until a size says that this was the last."""
    while at + 8 <= len(content):
        size, kind = _number(content, at), _number(content, at + 4)
        if kind == _PROPERTIES:
            return content[at : at + size]
        if size < 8:  # noqa: PLR2004 - shorter than its own head: the end
            break
        at += size
    return b""


def _number(content: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", content, at)[0])
