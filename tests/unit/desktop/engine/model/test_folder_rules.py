# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.model.folder_rules import After, FolderRules
from fieldpost_shared.errors import SettingsError

RULES = st.builds(
    FolderRules,
    include=st.lists(st.sampled_from(["*.jpg", "raw/**", "**/x/*"]), max_size=3).map(tuple),
    exclude=st.lists(st.sampled_from(["*.bak", "old/"]), max_size=3).map(tuple),
    subfolders=st.booleans(),
    minimum_age_s=st.integers(0, 86_400),
    after=st.sampled_from(After),
    move_to=st.sampled_from(["Sent", "Gesendet", "done [x]"]),
    label=st.sampled_from(["", "van 7", "north/van 7"]),
    take_existing=st.booleans(),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(RULES)
def test_rules_survive_the_journal(rules: FolderRules) -> None:
    assert FolderRules.from_json(rules.to_json()) == rules


def test_what_is_not_said_has_its_default() -> None:
    assert FolderRules.from_json("{}") == FolderRules()
    assert FolderRules.from_json('{"after": "move"}') == FolderRules(after=After.MOVE)


def test_an_unknown_rule_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(SettingsError, match="exclud: is unknown, did you mean exclude"):
        FolderRules.from_json('{"exclud": ["*.bak"]}')


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("include", "*.jpg"),
        ("include", [1]),
        ("exclude", ["../x"]),
        ("subfolders", 1),
        ("minimum_age_s", -1),
        ("minimum_age_s", 10**9),
        ("minimum_age_s", True),
        ("minimum_age_s", "5"),
        ("after", "burn"),
        ("after", None),
        ("move_to", ""),
        ("move_to", ".."),
        ("move_to", "a/b"),
        ("move_to", "/srv"),
        ("move_to", "C:"),
        ("move_to", "CON"),
        ("move_to", ".fieldpost"),
        ("label", "/x"),
        ("label", "a//b"),
        ("label", "../b"),
        ("label", 7),
        ("take_existing", "yes"),
    ],
)
def test_a_wrong_rule_is_named(key: str, value: object) -> None:
    with pytest.raises(SettingsError) as caught:
        FolderRules.from_json(json.dumps({key: value}))
    assert caught.value.key == key


@pytest.mark.parametrize("text", ["", "[]", "7", "{", '"x"'])
def test_what_are_no_rules_at_all_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="rules"):
        FolderRules.from_json(text)


@given(st.dictionaries(st.sampled_from(sorted(FolderRules.__slots__)), JSON, max_size=3))
def test_no_rules_however_odd_do_more_than_be_refused(raw: dict[str, object]) -> None:
    try:
        FolderRules.from_json(json.dumps(raw))
    except SettingsError as error:
        assert error.key in raw  # noqa: PT017 - most examples are refused, some are fine


def test_what_was_moved_under_another_name_stays_excluded() -> None:
    first = FolderRules(after=After.MOVE, move_to="done [x]")
    second = FolderRules(after=After.MOVE, move_to="Finished").instead_of(first)
    assert second.exclude == ("/done [[]x]/",)
    assert second.instead_of(first) == second
    assert FolderRules(move_to="DONE [x]").instead_of(first).exclude == ()
    assert FolderRules(move_to="Finished").instead_of(FolderRules()).exclude == ()  # Sent is never looked into
