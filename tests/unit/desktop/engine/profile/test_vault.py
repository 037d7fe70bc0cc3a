# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from keyring.backend import KeyringBackend
from keyring.errors import InitError, KeyringLocked, PasswordDeleteError, PasswordSetError

from fieldpost_desktop.engine.profile import system_keyring
from fieldpost_desktop.engine.profile.vault import (
    MAX_UNITS,
    PASSWORD_FILE,
    KeyringVault,
    MemoryVault,
    PasswordFileVault,
    Vault,
    open_vault,
)
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.secret import Secret

PLANTED = "hunter2-Qx7"


class DictKeyring(KeyringBackend):
    """As the Windows one: an old password moves to another name when a new one is written over it."""

    priority = 1.0

    def __init__(self) -> None:
        self.stored: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.stored.get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        old = self.stored.get(f"{service} {username}")
        if old is not None:
            self.stored[f"{username}@{service}"] = old
        self.stored[f"{service} {username}"] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.stored.pop(f"{service} {username}", None) is None:
            raise PasswordDeleteError(service)


class BrokenKeyring(DictKeyring):
    """Raises the same for everything, and repeats what it was given as careless programs do."""

    def __init__(self, error: type[Exception]) -> None:
        super().__init__()
        self._error = error

    def get_password(self, service: str, username: str) -> NoReturn:
        raise self._error(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> NoReturn:  # noqa: ARG002 - the port's
        raise self._error(f"cannot write {password}")


class FullKeyring(DictKeyring):
    def set_password(self, service: str, username: str, password: str) -> NoReturn:  # noqa: ARG002 - the port's
        raise PasswordSetError(f"cannot write {password}")


@pytest.fixture(params=["keyring", "memory"])
def vault(request: pytest.FixtureRequest) -> Vault:
    return MemoryVault() if request.param == "memory" else KeyringVault(DictKeyring)


def test_a_password_is_kept_for_each_profile(vault: Vault) -> None:
    vault.set("one", Secret("first"))
    vault.set("other", Secret("second"))
    assert vault.get("one") == Secret("first")
    assert vault.get("other") == Secret("second")
    assert vault.get("third") is None


def test_the_newest_password_counts_and_the_old_one_is_gone() -> None:
    keyring = DictKeyring()
    vault = KeyringVault(lambda: keyring)
    vault.set("one", Secret("old"))
    vault.set("one", Secret("new"))
    assert keyring.stored == {"Fieldpost/one fieldpost": "new"}


def test_a_password_can_be_forgotten_twice(vault: Vault) -> None:
    vault.set("one", Secret("first"))
    vault.delete("one")
    vault.delete("one")
    assert vault.get("one") is None


@pytest.mark.parametrize("longest", ["x" * MAX_UNITS, "ü" * MAX_UNITS, "😀" * (MAX_UNITS // 2)])
def test_u25_a_too_long_secret_is_refused_in_plain_words(vault: Vault, longest: str) -> None:
    vault.set("one", Secret(longest))
    with pytest.raises(FieldpostError) as raised:
        vault.set("one", Secret(longest + "x"))
    assert raised.value.code is Code.SECRET_TOO_LONG
    assert raised.value.detail == f"{MAX_UNITS + 1} characters; at most {MAX_UNITS} can be kept"
    assert vault.get("one") == Secret(longest)


@pytest.mark.parametrize("error", [InitError, KeyringLocked, OSError, RuntimeError, ValueError])
def test_a_keyring_that_fails_is_said_so_without_the_password(error: type[Exception]) -> None:
    vault = KeyringVault(lambda: BrokenKeyring(error))
    attempts: list[Callable[[], object]] = [
        lambda: vault.get("one"),
        lambda: vault.set("one", Secret(PLANTED)),
        lambda: vault.delete("one"),
    ]
    for attempt in attempts:
        with pytest.raises(FieldpostError) as raised:
            attempt()
        assert raised.value.code is Code.KEYRING_FAILED
        assert error.__name__ in raised.value.detail
        assert PASSWORD_FILE in raised.value.detail


def test_a_failure_to_write_does_not_repeat_the_password() -> None:
    with pytest.raises(FieldpostError) as raised:
        KeyringVault(FullKeyring).set("one", Secret(PLANTED))
    assert raised.value.code is Code.KEYRING_FAILED
    assert PLANTED not in str(raised.value)


def test_a_keyring_that_cannot_be_opened_is_tried_again_next_time() -> None:
    tries: list[int] = []

    def open_later() -> KeyringBackend:
        tries.append(1)
        if len(tries) == 1:
            raise RuntimeError("no service")
        return DictKeyring()

    vault = KeyringVault(open_later)
    with pytest.raises(FieldpostError):
        vault.get("one")
    assert vault.get("one") is None


@pytest.mark.parametrize(("stored", "said"), [("a\0b", "cannot be sent"), ("", None)])
def test_what_is_stored_and_no_password_is_not_used(stored: str, said: str | None) -> None:
    keyring = DictKeyring()
    keyring.stored["Fieldpost/one fieldpost"] = stored
    vault = KeyringVault(lambda: keyring)
    if said is None:
        assert vault.get("one") is None
        return
    with pytest.raises(FieldpostError, match=said) as raised:
        vault.get("one")
    assert raised.value.code is Code.KEYRING_FAILED


# the operating system's


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the real keyring would be written to")
def test_no_variable_puts_another_keyring_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv("KEYRING_PROPERTY_PREFERRED_COLLECTION", "/somewhere/else")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    with pytest.raises(FieldpostError) as raised:  # the null keyring would take it and say nothing
        KeyringVault().set("test", Secret(PLANTED))
    assert raised.value.code is Code.KEYRING_FAILED
    bare = system_keyring._bare(DictKeyring)
    assert vars(bare) == {}


# the password file


def test_without_a_variable_the_keyring_is_asked() -> None:
    assert isinstance(open_vault({}), KeyringVault)
    assert isinstance(open_vault({PASSWORD_FILE: ""}), KeyringVault)


def test_the_variable_names_the_file_that_holds_the_password(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text(PLANTED + "\n")
    path.chmod(0o600)
    vault = open_vault({PASSWORD_FILE: str(path)})
    assert vault.get("any") == Secret(PLANTED)


@pytest.mark.logs_warnings
def test_a_password_file_that_other_users_can_read_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "password"
    path.write_text(PLANTED)
    path.chmod(0o644)
    assert PasswordFileVault(str(path)).get("any") == Secret(PLANTED)
    assert "every user of this computer can read" in caplog.text
    assert PLANTED not in caplog.text


def test_a_missing_password_file_is_named_and_the_keyring_not_asked_instead(tmp_path: Path) -> None:
    vault = open_vault({PASSWORD_FILE: str(tmp_path / "missing")})
    with pytest.raises(SettingsError, match=PASSWORD_FILE):
        vault.get("any")


def test_fieldpost_never_writes_the_password_file(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text(PLANTED)
    vault = PasswordFileVault(str(path))
    attempts: list[Callable[[], object]] = [lambda: vault.set("any", Secret("other")), lambda: vault.delete("any")]
    for attempt in attempts:
        with pytest.raises(FieldpostError, match="change it there") as raised:
            attempt()
        assert raised.value.code is Code.KEYRING_FAILED
    assert path.read_text() == PLANTED
