# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A value that must never show: passwords, passphrases, private keys."""

import hmac
import os
import stat
from pathlib import Path
from typing import Final, NoReturn, Self

from fieldpost_shared.errors import SettingsError

MAX_FILE_BYTES: Final = 8192  # a password or a token; anything longer is the wrong file

_MASK: Final = "***"
_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # Windows Notepad puts it in front


class Secret:
    """Holds text that prints as `***` everywhere. `reveal()` is the only way to it.

    It cannot be pickled: Spark writes the options of a data source into the query plan, and a plan is logged,
    stored and shown. Pass the path of a file instead and read it where it is needed.
    """

    __slots__ = ("__value",)
    __hash__ = None  # type: ignore[assignment]  # a hash of a password is a hint to it

    def __init__(self, value: str) -> None:
        problem = _problem(value)
        if problem:
            raise ValueError(problem)
        self.__value = value

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, key: str = "sasl_password_file") -> Self:
        """Read a password file, without the newline that editors put at its end.

        Raises:
            SettingsError: it cannot be read, is empty, too large or no text. `key` is the setting that named it.
        """
        text = _read(Path(path), key)
        problem = _problem(text)
        if problem:
            raise SettingsError(key, f"{path}: {problem}")
        return cls(text)

    def reveal(self) -> str:
        """The text itself. Hand it on at once, never keep or print it."""
        return self.__value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        # constant time: how long it takes must not tell how much of a guess was right
        return hmac.compare_digest(self.__value.encode(), other.__value.encode())

    def __repr__(self) -> str:
        return _MASK

    def __format__(self, spec: str, /) -> str:
        return _MASK

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a Secret is never pickled: pass the path of a file that holds it")


def world_readable(path: str | os.PathLike[str]) -> bool:
    """Whether every user of this machine may read the file. Never so on Windows, whose mode bits say nothing."""
    return os.name == "posix" and bool(Path(path).stat().st_mode & stat.S_IROTH)


def _read(path: Path, key: str) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise SettingsError(key, f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise SettingsError(key, f"{path}: is larger than {MAX_FILE_BYTES} bytes, so it is hardly a password file")
    # The decoder's own error would carry the bytes along, and they are the secret.
    text = data.decode(errors="replace")
    if text.encode() != data:
        raise SettingsError(key, f"{path}: is not UTF-8 text")
    return text.removeprefix(_BOM).removesuffix("\n").removesuffix("\r")


def _problem(value: str) -> str:
    """Why it cannot be a secret, in words that do not repeat it; empty if it can."""
    if not value:
        return "is empty"
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        return "holds a character that cannot be sent"  # librdkafka would cut the text there and say nothing
    return ""
