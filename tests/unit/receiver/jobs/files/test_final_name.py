# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Final names as path segments: whatever a sender claims, they stay below the destination and out of `.fieldpost`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_receiver.config.layout_template import Layout
from fieldpost_receiver.jobs.files.final_name import final_name
from fieldpost_receiver.storage.port import Segments, check_segments
from fieldpost_shared.errors import NameRefused
from fieldpost_shared.ids import ClientName
from fieldpost_shared.names import to_disk

AT_NS = 1_790_000_000 * 10**9  # 2026-09-21T13:33:20Z
TEMPLATES = ["{client}/{path}", "{path}", "{year}/{month}/{day}/{client}/{path}", "in-{receiver}/{date}/{path}"]

hostile_parts = st.sampled_from(
    [".", "..", "", ".fieldpost", ".FieldPost", ".fieldpost-x", "CON", "a.", "%2e%2e", "a\\b", "C:", "\0", "~", "é"]
) | st.text(max_size=20)
hostile_paths = st.lists(hostile_parts, min_size=1, max_size=6).map("/".join)
clients = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True).map(ClientName)


def segments(template: str, path: str = "a/b.txt", client: str = "van-7", at_ns: int = AT_NS) -> Segments:
    return final_name(
        Layout.parse("layout", template), receiver="central", client=ClientName(client), path=path, at_ns=at_ns
    )


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{client}/{path}", ("van-7", "a", "b.txt")),
        ("{path}", ("a", "b.txt")),
        ("{year}/{month}/{day}/{client}/{path}", ("2026", "09", "21", "van-7", "a", "b.txt")),
        ("in-{receiver}/{date}/{path}", ("in-central", "2026-09-21", "a", "b.txt")),
    ],
)
def test_a_template_gives_the_folders_before_the_path(template: str, expected: Segments) -> None:
    assert segments(template) == expected


def test_the_day_is_that_of_utc() -> None:
    midnight_ns = 1_789_948_800 * 10**9
    assert segments("{date}/{path}", at_ns=midnight_ns)[0] == "2026-09-21"
    assert segments("{date}/{path}", at_ns=midnight_ns - 1)[0] == "2026-09-20"


def test_a_client_passes_through_the_same_mapping_as_a_path() -> None:
    assert segments("{client}/{path}", client="CON")[0] == to_disk("CON") != "CON"
    assert segments("{client}/{path}", client="a.")[0] == "a%2E"


def test_a_path_of_full_length_is_not_made_too_long_by_its_folders() -> None:
    path = "/".join(["x" * 200] * 5)
    assert segments("{client}/{date}/{path}", path=path, client="c" * 64)[2:] == ("x" * 200,) * 5


@given(template=st.sampled_from(TEMPLATES), client=clients, path=hostile_paths)
def test_no_name_leaves_the_root_or_reaches_the_working_folder(template: str, client: ClientName, path: str) -> None:
    try:
        found = segments(template, path, client)
    except NameRefused:
        return
    check_segments(found)
    for part in found:
        assert part not in {"", ".", ".."}
        assert not set(part) & {"/", "\\", "\0"}
        assert not part.casefold().startswith(".fieldpost")
        assert len(part.encode()) <= 255


@pytest.mark.parametrize(
    "wrong",
    [("..",), ("a", "."), ("",), ("a/b",), ("a\0",), (".fieldpost", "sealed"), (".FIELDPOST",), (".fieldpost-old",)],
)
def test_segments_that_no_layout_makes_are_refused_again_at_the_disk(wrong: Segments) -> None:
    with pytest.raises(ValueError, match=r"own folder|not the name"):
        check_segments(wrong)
