# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import copy
import dataclasses
import json
import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.secret import MAX_FILE_BYTES, Secret, world_readable

# Long enough that finding it in an output is no accident.
PASSWORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0*"), min_size=6)


@dataclasses.dataclass(frozen=True, slots=True)
class Holder:
    name: str
    secret: Secret


@given(PASSWORDS, st.text(max_size=4))
def test_a_password_never_prints(password: str, spec: str) -> None:
    secret = Secret(password)
    printed = [str(secret), repr(secret), f"{secret}", format(secret, spec), f"{secret!r}", "%s" % secret]  # noqa: UP031 - one more way to print
    assert set(printed) == {"***"}
    assert password not in repr(Holder("x", secret))
    assert secret.reveal() == password


def test_a_secret_is_never_pickled() -> None:
    secret = Secret("hunter22")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="pass the path of a file") as caught:
            pickle.dumps(Holder("x", secret), protocol)
        assert "hunter22" not in str(caught.value)


def test_a_secret_is_never_written_as_json() -> None:
    with pytest.raises(TypeError, match="Secret is not JSON"):
        json.dumps({"password": Secret("hunter22")})


def test_a_secret_has_no_hash_and_no_attributes() -> None:
    secret = Secret("hunter22")
    with pytest.raises(TypeError, match="unhashable"):
        hash(secret)
    assert not hasattr(secret, "__dict__")


@given(PASSWORDS, PASSWORDS)
def test_secrets_are_equal_exactly_if_their_texts_are(one: str, other: str) -> None:
    assert Secret(one) == Secret(one)
    assert (Secret(one) == Secret(other)) is (one == other)
    assert Secret(one) != one


def test_a_copy_of_a_secret_is_itself() -> None:
    holder = Holder("x", Secret("hunter22"))
    assert copy.copy(holder.secret) is holder.secret
    assert copy.deepcopy(holder).secret is holder.secret
    assert dataclasses.replace(holder, name="y").secret is holder.secret
    assert dataclasses.asdict(holder)["secret"] is holder.secret


@pytest.mark.parametrize("value", ["", "with\0nul", "half \ud800 character"])
def test_a_text_that_cannot_be_sent_is_no_secret(value: str) -> None:
    with pytest.raises(ValueError, match=r"^(is empty|holds a character that cannot be sent)$"):
        Secret(value)


@pytest.mark.parametrize(
    ("content", "password"),
    [
        (b"hunter22", "hunter22"),
        (b"hunter22\n", "hunter22"),
        (b"hunter22\r\n", "hunter22"),
        (b"hunter22\n\n", "hunter22\n"),
        (b"  with blanks \n", "  with blanks "),
        (b"\xef\xbb\xbfhunter22\r\n", "hunter22"),
        ("gr\N{LATIN SMALL LETTER U WITH DIAERESIS}n".encode(), "gr\N{LATIN SMALL LETTER U WITH DIAERESIS}n"),
        (b"x" * MAX_FILE_BYTES, "x" * MAX_FILE_BYTES),
    ],
)
def test_a_password_file_is_read_without_its_last_newline(tmp_path: Path, content: bytes, password: str) -> None:
    path = tmp_path / "password"
    path.write_bytes(content)
    assert Secret.from_file(path).reveal() == password


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"x" * (MAX_FILE_BYTES + 1), "larger than 8192 bytes"),
        (b"hunter22\xff", "is not UTF-8"),
        (b"hunter22\0", "cannot be sent"),
    ],
)
def test_a_wrong_password_file_is_named_and_not_repeated(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "password"
    path.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        Secret.from_file(path, key="ssl_key_password_file")
    error = caught.value
    assert error.code is Code.BAD_SETTING
    assert error.key == "ssl_key_password_file"
    assert str(path) in error.problem
    assert problem in error.problem
    assert "hunter22" not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None


@pytest.mark.parametrize("name", ["absent", "."])
def test_a_password_file_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="cannot be read") as caught:
        Secret.from_file(tmp_path / name)
    assert caught.value.key == "sasl_password_file"
    assert str(tmp_path / name) in caught.value.problem


@pytest.mark.skipif(os.name != "posix", reason="mode bits say nothing on Windows")
@pytest.mark.parametrize(("mode", "readable"), [(0o600, False), (0o640, False), (0o644, True)])
def test_a_password_file_that_everybody_may_read_is_noticed(tmp_path: Path, mode: int, readable: bool) -> None:
    path = tmp_path / "password"
    path.write_bytes(b"hunter22")
    path.chmod(mode)
    assert world_readable(path) is readable
