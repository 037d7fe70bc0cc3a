# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import base64
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_shared.redaction import MASK, Redactor
from fieldpost_shared.secret import Secret

PLANTED = "hunter2-Qx7"

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
ENCODINGS: list[Callable[[str], str]] = [
    str,
    repr,
    ascii,
    lambda text: repr(repr(text)),
    lambda text: repr([text, "it's"]),
    lambda text: repr(text.encode()),
    lambda text: repr({"conf": json.dumps({"x": text})}),
    json.dumps,
    lambda text: json.dumps(text, ensure_ascii=False),
    lambda text: json.dumps(json.dumps(text)),
    quote,
    lambda text: quote(text, safe=""),
    lambda text: quote(text, safe="").replace("%2F", "%2f"),
    quote_plus,
    lambda text: text.encode().hex(),
]


def cleaned(secret: str, text: str) -> str:
    return Redactor([Secret(secret)]).clean(text)


# secrets that are known


@given(st.text(characters, max_size=8), st.text("*\\'\"\n\x85%+&= ü", max_size=4), st.sampled_from(ENCODINGS))
def test_a_known_secret_never_shows_in_another_spelling(odd: str, odder: str, encode: Callable[[str], str]) -> None:
    secret = f"{odd}{odder}{PLANTED}{odder}{odd}"
    line = cleaned(secret, f"conf {encode(secret)} end")
    assert PLANTED not in line
    assert PLANTED.encode().hex() not in line
    assert line.endswith(" end") or line == MASK


@given(st.text(characters, min_size=6, max_size=30), st.binary(max_size=5), st.binary(max_size=5), st.booleans())
def test_a_known_secret_never_shows_within_base64(secret: str, before: bytes, after: bytes, url: bool) -> None:
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    whole = encode(before + secret.encode() + after).decode()
    shown = cleaned(secret, f"sasl {whole}").partition("sasl ")[2]
    # what is left is too little to work the secret out from: less than its first and last byte
    kept = sum(len(part) for part in shown.split(MASK))
    assert kept <= len(whole) - len(secret.encode()) * 4 // 3 + 3


def test_windows_programs_write_base64_of_utf_16() -> None:
    whole = base64.b64encode(f"x{PLANTED}".encode("utf-16-le")).decode()
    assert base64.b64encode(PLANTED.encode("utf-16-le")).decode()[4:12] not in cleaned(PLANTED, whole)


def test_the_case_of_letters_does_not_matter() -> None:
    assert cleaned("pa/ss", "a pa%2fss, PA%2FSS b") == f"a {MASK}, {MASK} b"


def test_a_secret_with_asterisks_does_not_come_together_around_the_mask() -> None:
    assert cleaned("x*", "xx*") == MASK
    assert "*****" not in cleaned("*****", "**********")


def test_a_secret_that_turns_up_later_is_taken_out_from_then_on() -> None:
    redactor = Redactor()
    assert PLANTED in redactor.clean(PLANTED)
    redactor.add(Secret(PLANTED))
    redactor.add(Secret("other"))
    assert redactor.clean(f"{PLANTED} and other") == f"{MASK} and {MASK}"


# what looks like one


@pytest.mark.parametrize(
    "line",
    [
        "password=@",
        "sasl.password = @",
        'sasl_password="@ with spaces"',
        "{'sasl.password': '@', 'x': 1}",
        '{"password":"@"}',
        '{\\"password\\": \\"@\\"}',
        "Password: @",
        "passwd=@&x=1",
        "PWD=@;",
        "client_secret=@",
        "access-token: '@'",
        "api_key=b'@'",
        "FIELDPOST_PASSWORD=@",
        'org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="@";',
        'sasl.jaas.config=a.PlainLoginModule required user_van="@";',
        "Authorization: Basic dXNlcjp@",
        "Authorization: Bearer @",
        "token endpoint said: Bearer @",
        "https://user:@@kafka.example/x",
        "sasl_ssl://user:p@ss@@kafka.example:9092",
        "c=biws,r=abc,p=AAAAAAAAAAAAAAAAAAAAAAAA@",
        "-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\\n@\\n",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----@",
    ],
)
def test_what_looks_like_a_secret_is_taken_out_although_it_was_not_announced(line: str) -> None:
    secret = "hunter2Qx7"  # noqa: S105 - planted
    whole = line.replace("@@", "\1").replace("@", secret).replace("\1", f"{secret}@")
    line = Redactor().clean(whole)
    assert secret not in line
    assert MASK in line


@pytest.mark.parametrize(
    "line",
    [
        "",
        "sending 14 of 52 parts",
        "secret_too_long: 1281 characters; at most 1280 can be kept",
        "sasl_password_file: cannot be read: No such file or directory",
        "https://kafka.example/x@y",
        "mail an van-7@example.org",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "the password was not accepted",
    ],
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert Redactor([Secret(PLANTED)]).clean(line) == line


@pytest.mark.parametrize(
    "piece", ["a", "a.", "password", "token=", "://", "LoginModule ", "-----BEGIN ", "bearer ", ",p="]
)
def test_a_long_line_takes_no_time(piece: str) -> None:
    # a minute and more if a pattern tried every length at every place; the run's time-out would tell
    Redactor([Secret(PLANTED)]).clean(piece * (200_000 // len(piece)))


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    redactor = Redactor([Secret(PLANTED)])
    once = redactor.clean(f"{text}password={text}")
    assert redactor.clean(once) == once


# texts around them


@given(st.text(characters, min_size=8, max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_no_text_keeps_a_secret(password: str, before: str, after: str) -> None:
    redactor = Redactor([Secret(password), Secret("*x*")])
    written_in = [repr(password), json.dumps(password), repr(repr(password)[1:-1]), f" {quote(password, safe='')} "]
    for spelling in [password, *(text[1:-1] for text in written_in)]:
        assert spelling not in redactor.clean(before + spelling + after)


def test_a_secret_that_comes_together_in_other_letters_is_masked_too() -> None:
    assert cleaned("x*", "xX*") == MASK


def test_a_mask_that_is_there_already_stays() -> None:
    assert Redactor([Secret("hunter22")]).clean("a *** b") == "a *** b"


PIECES = [
    *["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "LoginModule required", "Authorization", "bearer "],
    *["https://van:", "@", ",p=", ",v=", "A" * 20, "=", ": ", '"', "'", " x ", "\n", ";", ".file"],
    *["password", "passwd", "pwd", "passphrase", "secret", "token", "api_key", "apikey", "jaas.config"],
    *["\u017f", "\u212a", "\u0131"],  # count as s, k and i where case does not matter
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from([str, str.upper, str.title]))
def test_looking_for_plain_texts_first_misses_nothing(text: str, spelled: Callable[[str], str]) -> None:
    """The same text behind a letter beyond ASCII goes through every pattern."""
    text = spelled(text)
    assert Redactor().clean("é\n" + text) == "é\n" + Redactor().clean(text)
