# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which keyring each operating system has, named here and nowhere else.

Asked for "the" keyring, the library would let PYTHON_KEYRING_BACKEND, keyringrc.cfg or an installed plug-in put
another one in its place, for example one that writes plain text.
"""

import sys
from typing import Final

from keyring.backend import KeyringBackend
from keyring.errors import KeyringError

# RuntimeError: the library says so that a keyring cannot be used here. ValueError: what is stored is no text.
_COMMON: Final = (KeyringError, OSError, RuntimeError, ValueError)

if sys.platform == "win32":
    from keyring.backends import Windows

    FAILURES: Final[tuple[type[Exception], ...]] = (
        *_COMMON,
        Windows.pywintypes.error,  # type: ignore[attr-defined]  # imported there under a condition
    )

    def open_keyring() -> KeyringBackend:
        """Return the Credential Manager."""
        keyring = _bare(Windows.WinVaultKeyring)
        keyring.persist = "local machine"  # type: ignore[attr-defined]  # not copied to other computers of the domain
        return keyring

elif sys.platform == "darwin":
    from keyring.backends import macOS

    FAILURES: Final[tuple[type[Exception], ...]] = _COMMON

    def open_keyring() -> KeyringBackend:
        """Return the Keychain."""
        return _bare(macOS.Keyring)

else:
    from jeepney import DBusErrorResponse  # type: ignore[import-untyped]  # it ships none
    from keyring.backends import SecretService
    from secretstorage.exceptions import SecretStorageException

    FAILURES: Final[tuple[type[Exception], ...]] = (*_COMMON, SecretStorageException, DBusErrorResponse)

    def open_keyring() -> KeyringBackend:
        """Return the desktop's Secret Service; raise RuntimeError unless it answers."""
        _ = SecretService.Keyring.priority
        return _bare(SecretService.Keyring)


def _bare(backend: type[KeyringBackend]) -> KeyringBackend:
    """Return the backend without its __init__, which lets KEYRING_PROPERTY_… variables change it."""
    return backend.__new__(backend)
