# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What `names.py` promises, by a corpus of hostile paths and by properties."""

import json
import re
import sys
import time
import unicodedata
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fieldpost_shared.codes import Code
from fieldpost_shared.errors import NameRefused
from fieldpost_shared.names import (
    MAX_NUMBER,
    MAX_PART_BYTES,
    MAX_PATH_BYTES,
    TWIN_ROOM,
    Blocked,
    Kind,
    Reason,
    Verdict,
    from_disk,
    from_source,
    judge,
    numbered,
    to_disk,
    twin_key,
    words,
)

CORPUS: Final[list[dict[str, Any]]] = json.loads(
    Path(__file__).with_name("names_corpus.json").read_text(encoding="utf-8")
)

# Pieces that meet each other badly; hypothesis puts them together.
PIECES: Final = [
    *"%%%:*?<.. /aAeEcCfF0123456789",
    *"\u0301\u0323\u0327\u0307\u0338\u0345\u3099\u1100\u1161\u11a8\uac00\u1e9a\ufb00\ufb01\u0131\u0130\u00df\u03b1\u1fb3",
    *"\u200b\u200d\u200e\u202e\u2028\ufe0f\u00b9\u00e9\U0001f600\U0001f3fd",
    *["CON", "nul", "Aux", "com", "LPT", "CONIN$", ".fieldpost", ".FieldPo\u017ft", "FIELDP~1", "%2e", "%3A", "%25"],
]
HOSTILE: Final = ["\\", "\n", "\0", "\x85", "\ud800", "\udcff", "C:", "//", "../", "e\u0301"]
ANY_TEXT: Final = st.text(st.characters(exclude_categories=()))
TRICKY: Final = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
HOSTILE_PATHS: Final = st.one_of(ANY_TEXT, st.lists(st.sampled_from(PIECES + HOSTILE), max_size=12).map("".join))
FINE_PATHS: Final = (
    st.one_of(TRICKY, ANY_TEXT)
    .map(lambda path: unicodedata.normalize("NFC", path))
    .filter(lambda path: judge(path).kind is not Kind.REFUSED)
)
FINE_PARTS: Final = FINE_PATHS.filter(lambda path: "/" not in path)


def spelled_out(value: str | dict[str, Any]) -> str:
    """A text of the corpus; long ones are written as what to repeat, how often, and what comes then."""
    if isinstance(value, str):
        return value
    piece, times = value["repeat"]
    return str(piece) * int(times) + str(value.get("then", ""))


def longest_repeat(part: str, times: int) -> str:
    """The part, that often or as often as is not refused."""
    while times > 1 and judge(part * times).kind is Kind.REFUSED:
        times -= 1
    return part * max(times, 1)


def is_a_windows_name(part: str) -> bool:
    """A check of its own, after Microsoft's "Naming Files, Paths, and Namespaces", that shares no code with ours."""
    if not part or part[-1] in ". " or any(ord(char) < 32 or char in '<>:"/\\|?*' for char in part):
        return False
    return not re.match(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\xb9\xb2\xb3]) *(\.|$)", part, re.IGNORECASE)


def is_safe_on_disk(part: str) -> bool:
    """Storable under Windows and Linux, honest in a listing, and never the receiver's own folder."""
    folded = "".join(char for char in part if unicodedata.category(char) != "Cf").casefold()
    return (
        is_a_windows_name(part)
        and len(part.encode()) + len(" (2)") <= 255
        and part not in {".", ".."}
        and not any(unicodedata.category(char) in {"Cc", "Zl", "Zp", "Cs"} for char in part)
        and not re.search("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", part)
        and not folded.startswith(".fieldpost")
        and unicodedata.is_normalized("NFC", part)
    )


@pytest.mark.parametrize("entry", CORPUS, ids=lambda entry: ascii(entry["path"])[:40] + " " + entry["why"])
def test_every_path_of_the_corpus_gets_its_verdict(entry: dict[str, Any]) -> None:
    path, on_disk = spelled_out(entry["path"]), spelled_out(entry["on_disk"])

    assert judge(path) == Verdict(Kind(entry["kind"]), entry["reason"], on_disk)


@pytest.mark.parametrize("entry", CORPUS, ids=lambda entry: ascii(entry["path"])[:40])
def test_every_path_of_the_corpus_is_safe_on_disk_or_refused(entry: dict[str, Any]) -> None:
    path = spelled_out(entry["path"])
    if entry["kind"] == "refused":
        with pytest.raises(NameRefused):
            to_disk(path)
    else:
        assert all(is_safe_on_disk(part) for part in to_disk(path).split("/"))
        assert from_disk(to_disk(path)) == path


def test_the_corpus_is_large_and_says_nothing_twice() -> None:
    paths = [spelled_out(entry["path"]) for entry in CORPUS]

    assert len(paths) >= 220
    assert len(set(paths)) == len(paths)
    assert {entry["reason"] for entry in CORPUS} == {"", *Reason}
    assert all(entry["why"] for entry in CORPUS)


@given(HOSTILE_PATHS)
def test_any_text_at_all_gets_a_verdict_and_nothing_else(path: str) -> None:
    verdict = judge(path)

    if verdict.kind is Kind.REFUSED:
        assert verdict.reason in set(Reason)
        assert verdict.on_disk == ""
    else:
        assert verdict.reason == ""
        assert all(is_safe_on_disk(part) for part in verdict.on_disk.split("/"))
        assert (verdict.kind is Kind.ACCEPTED) == (verdict.on_disk == path)


@given(FINE_PATHS)
def test_a_path_comes_back_from_disk_as_it_was(path: str) -> None:
    assert from_disk(to_disk(path)) == path


@given(FINE_PATHS)
def test_a_mapped_path_is_nfc_and_keeps_its_folders(path: str) -> None:
    on_disk = to_disk(path)

    assert unicodedata.is_normalized("NFC", on_disk)
    assert on_disk.count("/") == path.count("/")
    assert len(on_disk.encode()) <= 3 * len(path.encode())


@given(FINE_PATHS, FINE_PATHS)
def test_two_paths_never_share_a_place_on_disk(one: str, other: str) -> None:
    assume(one != other)

    assert to_disk(one) != to_disk(other)


@given(FINE_PATHS)
def test_two_paths_that_a_case_blind_disk_confuses_are_twins(path: str) -> None:
    seen = twin_key(to_disk(path))  # all that such a disk can tell
    read = from_disk(re.sub("%[0-9a-f]{2}", lambda escape: escape[0].upper(), seen))

    assert twin_key(read) == twin_key(path)  # so whoever shares `seen` shares the key


def test_a_false_escape_and_a_real_one_are_told_apart_by_a_case_blind_disk() -> None:
    # U+1E9A folds to "a" + U+02BE, so "%2" + U+1E9A would fold to the escape of "*" + U+02BE
    assert twin_key(to_disk("%2\u1e9a")) != twin_key(to_disk("*\u02be"))


@given(FINE_PATHS)
def test_a_path_found_on_disk_is_never_mistaken_for_one_of_its_own_making(path: str) -> None:
    on_disk = to_disk(path)
    again = judge(on_disk)  # somebody sends back what stands on our disk

    assert again.kind is Kind.REFUSED or from_disk(again.on_disk) == on_disk
    if "%" not in on_disk:
        assert again == Verdict(Kind.ACCEPTED, on_disk=on_disk)


@given(ANY_TEXT)
def test_whatever_lies_on_a_disk_can_be_read_back_as_some_text(on_disk: str) -> None:
    assert isinstance(from_disk(on_disk), str)


@pytest.mark.parametrize("foreign", ["%FF", "a%C3b", "%E2%80", "%C0%AE", "%ED%A0%80", "%2e", "%g1", "%"])
def test_an_escape_that_is_not_ours_is_left_as_it_is(foreign: str) -> None:
    assert from_disk(foreign) == foreign


@pytest.mark.parametrize("device", ["CON", "prn", "Aux", "nUl", "com1", "LPT9", "COM\u00b2", "lpt\u00b3", "CONOUT$"])
@pytest.mark.parametrize("rest", ["", ".txt", ".tar.gz", " ", "  .x", ".", "/inside"])
def test_a_windows_device_name_is_mapped_and_mapped_back(device: str, rest: str) -> None:
    on_disk = to_disk(device + rest)

    assert on_disk.startswith(f"%{ord(device[0]):02X}{device[1:]}")
    assert all(is_a_windows_name(part) for part in on_disk.split("/"))
    assert from_disk(on_disk) == device + rest


def test_every_control_character_is_refused() -> None:
    controls = [chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) == "Cc"]

    assert len(controls) == 65
    assert {judge(f"a{char}b").reason for char in controls} == {Reason.CONTROL_CHARACTER}


def test_every_mark_and_every_common_character_survives_between_two_escapes() -> None:
    marks = [char for char in map(chr, range(0x3400, 0x110000)) if unicodedata.category(char).startswith("M")]
    for char in [*map(chr, range(0x3400)), *marks]:
        path = f":{char}:"
        verdict = judge(path)
        if verdict.kind is not Kind.REFUSED:
            assert unicodedata.is_normalized("NFC", verdict.on_disk), ascii(char)
            assert from_disk(verdict.on_disk) == path, ascii(char)


def test_a_hostile_length_costs_no_time() -> None:
    path = "e\u0301\u0323" * 1_000_000
    start = time.process_time()

    for _ in range(1000):
        assert judge(path).reason == Reason.PATH_TOO_LONG

    assert time.process_time() - start < 1


def test_the_limits_are_those_of_the_protocol() -> None:
    assert (MAX_PATH_BYTES, MAX_PART_BYTES, TWIN_ROOM) == (1024, 255, 4)


def test_a_refusal_carries_its_code_and_its_reason_but_never_the_path() -> None:
    with pytest.raises(NameRefused) as caught:
        to_disk("../secret-project")

    assert caught.value.code is Code.NAME_REFUSED
    assert caught.value.detail == "dot_part"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("reason", [*Reason, *Blocked])
def test_every_reason_has_words_of_its_own(reason: Reason | Blocked) -> None:
    assert re.fullmatch(r"(it|its|one of its) .*[^ ]", words(str(reason)))
    assert "_" not in words(reason)
    assert words(reason) != words("smells_bad")


def test_a_reason_from_a_newer_fieldpost_has_words_too() -> None:
    assert words("smells_bad") == "it cannot be used as a file name"


# What the sender does.


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        (["a.txt"], "a.txt"),
        (["photos", "site 4", "IMG_1.jpg"], "photos/site 4/IMG_1.jpg"),
        (["e\u0301", "n\u0303"], "\u00e9/\u00f1"),
        (["\u1112\u1161\u11ab"], "\ud55c"),
        (["\u212a"], "K"),
        (["ab:c", "CON"], "ab:c/CON"),  # mapped by the receiver; it travels as it is
        (["e\u0301" * 100], "\u00e9" * 100),  # 300 bytes before, 200 after
    ],
)
def test_a_local_path_travels_in_nfc(parts: list[str], path: str) -> None:
    assert from_source(parts) == path


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([], "empty"),
        ([""], "empty"),
        (["a", ""], "empty_part"),
        (["/", "a"], "absolute"),
        (["a", "..", "b"], "dot_part"),
        (["a", "../b"], "dot_part"),
        (["a\\b"], "backslash"),
        (["a\nb"], "control_character"),
        (["a\udcffb"], "not_unicode"),
        (["c:"], "drive"),
        (["a" * 252], "part_too_long"),
        (["a" * 200] * 6, "path_too_long"),
        (["e\u0301" * 100_000], "path_too_long"),
    ],
)
def test_a_local_path_that_may_not_travel_is_refused_with_its_reason(parts: list[str], reason: str) -> None:
    with pytest.raises(NameRefused) as caught:
        from_source(parts)

    assert caught.value.detail == reason


@given(st.lists(st.one_of(TRICKY, ANY_TEXT), max_size=4))
def test_a_sender_names_the_reason_itself_and_never_sends_what_is_not_nfc(parts: list[str]) -> None:
    try:
        reason = judge(from_source(parts)).reason
    except NameRefused as refusal:
        reason = refusal.detail

    assert reason in {"", *Reason} - {Reason.NOT_NFC}


def test_nfc_never_makes_one_of_more_than_four_characters() -> None:
    # what lets `from_source` refuse a long path before normalising it
    composed = (chr(point) for point in range(0x110000) if unicodedata.is_normalized("NFC", chr(point)))

    assert max(len(unicodedata.normalize("NFD", char)) for char in composed) == 4


# Twins.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a.txt", "A.TXT"),
        ("Photos/a.jpg", "photos/A.JPG"),
        ("\u00e9", "\u00c9"),
        ("\u00e9", "e\u0301"),
        ("\u00c9", "e\u0301"),
        ("stra\u00dfe", "STRASSE"),
        ("stra\u00dfe", "STRA\u1e9eE"),
        ("\u212a", "k"),
        ("\u212b", "\u00e5"),
        ("\u2126", "\u03c9"),
        ("\u00b5", "\u03bc"),
        ("\u03c3", "\u03c2"),
        ("\u017f", "S"),
        ("\ufb01sh", "FISH"),
        ("\ufb05", "\ufb06"),
        ("\u0130", "i\u0307"),
        ("\u01c5", "\u01c6"),
        ("\u1fb3", "\u03b1\u03b9"),
        ("\u03b1\u0345\u0301", "\u03b1\u0301\u0345"),
        ("\u1fb4", "\u0386\u03b9"),
        ("\u13a0", "\uab70"),
        ("\U00010400", "\U00010428"),
        ("\uff21", "\uff41"),
        ("\u2160", "\u2170"),
        ("\uac00", "\u1100\u1161"),
        ("con", "CON"),
        ("%2e", "%2E"),
        (".FIELDPOST", ".fieldpost"),
    ],
)
def test_names_equal_but_for_case_and_composition_are_twins(one: str, other: str) -> None:
    assert twin_key(one) == twin_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", "b"),
        ("a", "a "),
        ("a", "a."),
        ("a/b", "ab"),
        ("e", "\u00e9"),
        ("i", "\u0131"),
        ("I", "\u0131"),
        ("i", "\u0130"),
        ("a", "\u0430"),
        ("a", "\uff41"),
        ("2", "\u00b2"),
        ("a", "a\u200b"),
        ("\u2460", "1"),
        ("\u00e6", "ae"),
        ("\u0153", "oe"),
        ("\u00f8", "o"),
        ("\u00fc", "ue"),
        ("a:b", "a%3Ab"),
        ("%2e", "."),
        ("\u304b", "\u30ab"),
    ],
)
def test_names_that_differ_in_more_than_case_are_no_twins(one: str, other: str) -> None:
    assert twin_key(one) != twin_key(other)


@given(st.one_of(TRICKY, ANY_TEXT))
def test_a_twin_key_is_its_own_twin_key(path: str) -> None:
    key = twin_key(path)

    assert twin_key(key) == key
    assert unicodedata.is_normalized("NFC", key)
    assert twin_key(unicodedata.normalize("NFD", path)) == twin_key(unicodedata.normalize("NFC", path)) == key


def test_the_twin_key_of_every_character_is_stable() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        key = twin_key(char)
        assert twin_key(key) == key == twin_key(char.casefold()), ascii(char)


# Keep both.


@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [
        ("a.txt", 2, "a (2).txt"),
        ("a.txt", 17, "a (17).txt"),
        ("a", 3, "a (3)"),
        ("a.tar.gz", 2, "a.tar (2).gz"),
        (".bashrc", 2, ".bashrc (2)"),
        ("..rc", 2, "..rc (2)"),
        (".config.json", 2, ".config (2).json"),
        ("a (2).txt", 2, "a (2) (2).txt"),
        ("Mr. Smith", 2, "Mr. Smith (2)"),
        ("a.%2E", 2, "a (2).%2E"),
        ("a%2E", 2, "a%2E (2)"),
        ("%43ON.txt", 2, "%43ON (2).txt"),
        ("a." + "x" * 31, 2, "a (2)." + "x" * 31),
        ("a." + "x" * 32, 2, "a." + "x" * 32 + " (2)"),
        ("a" * 251, 2, "a" * 251 + " (2)"),
        ("a" * 251, 10, "a" * 250 + " (10)"),
        ("a" * 247 + ".txt", 100, "a" * 245 + " (100).txt"),
        ("a" * 251, MAX_NUMBER, "a" * 243 + " (999999999)"),
        ("a" + "\u00e9" * 125, 10, "a" + "\u00e9" * 124 + " (10)"),  # a letter is two bytes
        ("a" * 248 + "%3A", 10, "a" * 248 + " (10)"),  # a whole escape goes, or none
        ("a" * 239 + "%E2%80%8Ebcd", 10, "a" * 239 + "%E2%80%8Ebc (10)"),
        ("a" * 242 + "%E2%80%8E", 10, "a" * 242 + " (10)"),  # and with all its bytes
        ("a" * 248 + "x\u0301", 10, "a" * 248 + " (10)"),  # no letter without its accent
        ("a" * 242 + "%3A%CC%81", 10, "a" * 242 + " (10)"),  # not if both are escaped either
        ("a" * 240 + "\U0001f468\u200d\U0001f469", 10, "a" * 240 + " (10)"),  # half a couple is another picture
        ("a" * 243 + "\U0001f44d\U0001f3fd", 10, "a" * 243 + " (10)"),  # and a thumb has its skin
        ("\u0301" * 125, 10, "\u0301" * 125 + " (10)"),
        ("\u0301" * 125 + "\u0302", 10, "\u0301" * 125 + " (10)"),  # nothing but marks: cut anywhere
        ("a" * 245 + "%FF%C0%80", 10, "a" * 245 + "%FF (10)"),  # escapes that are not ours
    ],
)
def test_a_keep_both_name_reads_well_and_fits(name: str, n: int, expected: str) -> None:
    assert numbered(name, n) == expected
    assert len(expected.encode()) <= MAX_PART_BYTES


@given(FINE_PARTS, st.integers(0, 60), st.integers(2, MAX_NUMBER))
def test_a_keep_both_name_is_as_safe_as_the_name_itself(part: str, times: int, n: int) -> None:
    name = longest_repeat(part, times)
    kept = numbered(to_disk(name), n)
    stem, _, _ = kept.rpartition(f" ({n})")

    assert len(kept.encode()) <= MAX_PART_BYTES
    assert is_a_windows_name(kept)
    assert unicodedata.is_normalized("NFC", kept)
    assert name.startswith(from_disk(stem))  # so no escape was cut in two


@given(FINE_PARTS, st.integers(2, 99))
def test_keep_both_names_of_one_file_all_differ(part: str, n: int) -> None:
    name = to_disk(part)

    assert len({name, numbered(name, n), numbered(name, n + 1)}) == 3


@pytest.mark.parametrize("n", [-1, 0, 1, MAX_NUMBER + 1, 10**300])
def test_a_keep_both_number_out_of_range_is_a_mistake_of_ours(n: int) -> None:
    with pytest.raises(ValueError, match="keep-both"):
        numbered("a.txt", n)
