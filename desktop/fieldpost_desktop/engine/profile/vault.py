# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The port to the vault of passwords: the OS keyring, or a file that the administrator names.

There is no third vault. Where both fail, a person is asked each time; a password is never written as plain text.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeVar

from keyring.backend import KeyringBackend

from fieldpost_desktop.engine.profile.system_keyring import FAILURES, open_keyring
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.secret import Secret, world_readable

PASSWORD_FILE: Final = "FIELDPOST_PASSWORD_FILE"  # noqa: S105 - the name of a variable, not a secret
MAX_UNITS: Final = 1280  # UTF-16 code units: Windows takes 2,560 bytes, and fails obscurely beyond

_USER: Final = "fieldpost"  # the service name tells profiles apart, so this one is always the same
_LOG: Final = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


class Vault(Protocol):
    """Keeps one password for each profile.

    Every method raises FieldpostError: KEYRING_FAILED if the vault cannot be used, `set` also SECRET_TOO_LONG.
    """

    def get(self, profile_id: str) -> Secret | None:
        """Return the profile's password, if one is kept."""

    def set(self, profile_id: str, password: Secret) -> None:
        """Keep the password, instead of any kept before."""

    def delete(self, profile_id: str) -> None:
        """Forget the password; nothing happens if there is none."""


class KeyringVault:
    """The operating system's own keyring, opened when it is first needed."""

    def __init__(self, opener: Callable[[], KeyringBackend] = open_keyring) -> None:
        self._open = opener
        self._keyring: KeyringBackend | None = None

    def get(self, profile_id: str) -> Secret | None:
        password = self._ask("read", lambda keyring: keyring.get_password(_service(profile_id), _USER))
        try:
            return Secret(password) if password else None
        except ValueError as error:
            raise FieldpostError(Code.KEYRING_FAILED, f"what is stored there {error}") from None

    def set(self, profile_id: str, password: Secret) -> None:
        _check_length(password)
        # First the old one goes: on Windows the library would keep it under another name.
        self.delete(profile_id)
        self._ask("write", lambda keyring: keyring.set_password(_service(profile_id), _USER, password.reveal()))

    def delete(self, profile_id: str) -> None:
        def remove(keyring: KeyringBackend) -> None:
            if keyring.get_password(_service(profile_id), _USER) is not None:
                keyring.delete_password(_service(profile_id), _USER)

        self._ask("delete", remove)

    def _ask(self, what: str, question: Callable[[KeyringBackend], _Answer]) -> _Answer:
        """Turn every failure into ours, without the other side's text, which might repeat what it was given."""
        try:
            self._keyring = self._keyring or self._open()
            return question(self._keyring)
        except FAILURES as error:
            raise FieldpostError(Code.KEYRING_FAILED, f"{what}: {type(error).__name__}; {_HINT}") from None


class PasswordFileVault:
    """For machines without a keyring: a file that the administrator writes and protects."""

    def __init__(self, path: str) -> None:
        self._path = path

    def get(self, profile_id: str) -> Secret | None:  # noqa: ARG002 - the file serves whatever profile there is
        """Return the password; raise SettingsError, naming the variable, if the file cannot be read."""
        password = Secret.from_file(self._path, key=PASSWORD_FILE)
        if world_readable(self._path):
            _LOG.warning("%s: every user of this computer can read the password file", PASSWORD_FILE)
        return password

    def set(self, profile_id: str, password: Secret) -> None:  # noqa: ARG002 - the port's signature
        raise _not_ours()

    def delete(self, profile_id: str) -> None:  # noqa: ARG002 - the port's signature
        raise _not_ours()


class MemoryVault:
    """The twin: forgets everything when the process ends."""

    def __init__(self) -> None:
        self._passwords: dict[str, Secret] = {}

    def get(self, profile_id: str) -> Secret | None:
        return self._passwords.get(profile_id)

    def set(self, profile_id: str, password: Secret) -> None:
        _check_length(password)
        self._passwords[profile_id] = password

    def delete(self, profile_id: str) -> None:
        self._passwords.pop(profile_id, None)


def open_vault(environ: Mapping[str, str]) -> Vault:
    """Return the password file if the environment names one, else the keyring; touch neither."""
    path = environ.get(PASSWORD_FILE, "")
    return PasswordFileVault(path) if path else KeyringVault()


_HINT: Final = f"without a keyring, name a file in {PASSWORD_FILE}"


def _service(profile_id: str) -> str:
    return f"Fieldpost/{profile_id}"


def _check_length(password: Secret) -> None:
    units = len(password.reveal().encode("utf-16-le")) // 2
    if units > MAX_UNITS:
        raise FieldpostError(Code.SECRET_TOO_LONG, f"{units} characters; at most {MAX_UNITS} can be kept")


def _not_ours() -> FieldpostError:
    return FieldpostError(
        Code.KEYRING_FAILED, f"the password is in the file that {PASSWORD_FILE} names; change it there"
    )
