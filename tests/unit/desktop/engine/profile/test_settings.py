# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_desktop.engine.profile import settings
from fieldpost_desktop.engine.profile.settings import DAY, EngineSettings, MeteredPolicy, Schedule, in_window
from fieldpost_shared.errors import SettingsError

minutes = st.integers(0, DAY - 1)
schedules = st.tuples(minutes, minutes).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: Schedule(*pair))
engine_settings = st.builds(
    EngineSettings,
    st.none() | st.integers(1000, 10**12),
    st.none() | schedules,
    st.sampled_from(MeteredPolicy),
    st.booleans(),
)

# the hours


@given(schedules, minutes)
def test_each_minute_is_within_the_hours_or_within_the_opposite_hours(schedule: Schedule, minute: int) -> None:
    assert in_window(schedule, minute) != in_window(Schedule(schedule.end, schedule.start), minute)


@given(schedules)
def test_the_hours_begin_with_their_start_and_stop_before_their_end(schedule: Schedule) -> None:
    assert in_window(schedule, schedule.start)
    assert in_window(schedule, (schedule.end - 1) % DAY)
    assert not in_window(schedule, schedule.end)
    assert not in_window(schedule, (schedule.start - 1) % DAY)
    open_minutes = sum(in_window(schedule, minute) for minute in range(DAY))
    assert open_minutes == (schedule.end - schedule.start) % DAY


def test_a_night_crosses_midnight() -> None:
    night = settings.parse("schedule", "20:00-06:00")
    assert [in_window(night, hour * 60) for hour in (19, 20, 23, 0, 5, 6, 12)] == [
        False,
        True,
        True,
        True,
        True,
        False,
        False,
    ]


@given(minutes)
def test_without_a_schedule_it_is_always_time(minute: int) -> None:
    assert in_window(None, minute)


# values


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("bandwidth_limit", "2MB/s", 2_000_000),
        ("bandwidth_limit", 5000, 5000),
        ("bandwidth_limit", "off", None),
        ("bandwidth_limit", None, None),
        ("schedule", "20:00-06:00", Schedule(1200, 360)),
        ("schedule", "always", None),
        ("schedule", None, None),
        ("metered", "nothing", MeteredPolicy.NOTHING),
        ("keep_awake", "No", False),
        ("keep_awake", "1", True),
        ("keep_awake", False, False),
    ],
)
def test_settings_are_read_from_text_and_json(name: str, text: object, value: object) -> None:
    assert settings.parse(name, text) == value


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bandwidth_limit", "10B/s", "too slow"),
        ("bandwidth_limit", "fast", "is not a size"),
        ("bandwidth_limit", [], "is not a size"),
        ("schedule", "20-6", "neither always nor hours like 20:00-06:00"),
        ("schedule", "24:00-06:00", "neither always"),
        ("schedule", "06:00-06:00", "has no length"),
        ("schedule", {}, "must be text in quotes"),
        ("metered", "smal", "did you mean small"),
        ("metered", 5, "must be text in quotes"),
        ("keep_awake", "perhaps", "neither yes nor no"),
        ("keep_awake", 1, "must be text in quotes"),
        ("bandwith_limit", "1MB", "did you mean bandwidth_limit"),
    ],
)
def test_a_wrong_setting_says_what_is_allowed(name: str, text: object, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as raised:
        settings.parse(name, text)
    assert raised.value.key == name


@given(engine_settings)
def test_every_setting_comes_back_from_its_text(given_settings: EngineSettings) -> None:
    texts = {name: settings.plain(name, given_settings) for name in settings.NAMES}
    assert settings.parse_all(texts) == given_settings


# who has the last word


def test_the_command_line_goes_before_environment_store_profile_and_default() -> None:
    profile = EngineSettings(bandwidth_limit=1000)
    stored = settings.changed(None, "bandwidth_limit", "2KB/s")
    environ = {"FIELDPOST_BANDWIDTH_LIMIT": "3KB/s", "FIELDPOST_SCHEDULE": ""}
    line = {"bandwidth_limit": "4KB/s", "metered": None}
    assert settings.resolve(EngineSettings()).bandwidth_limit is None
    assert settings.resolve(profile).bandwidth_limit == 1000
    assert settings.resolve(profile, stored=stored).bandwidth_limit == 2000
    assert settings.resolve(profile, stored=stored, environ=environ).bandwidth_limit == 3000
    everything = settings.resolve(profile, stored=stored, environ=environ, command_line=line)
    assert everything == EngineSettings(bandwidth_limit=4000)


def test_a_wrong_value_of_the_environment_is_named() -> None:
    with pytest.raises(SettingsError, match="metered: 'some' is unknown"):
        settings.resolve(EngineSettings(), environ={"FIELDPOST_METERED": "some"})


def test_what_is_locked_cannot_be_changed() -> None:
    locked = {"metered"}
    for attempt in (
        lambda: settings.changed(None, "metered", "all", locked),
        lambda: settings.resolve(EngineSettings(), locked=locked, environ={"FIELDPOST_METERED": "all"}),
        lambda: settings.resolve(EngineSettings(), locked=locked, command_line={"metered": "all"}),
    ):
        with pytest.raises(SettingsError, match="metered: Set by your organisation"):
            attempt()


def test_asking_for_the_locked_value_itself_is_no_change() -> None:
    resolved = settings.resolve(EngineSettings(), locked={"metered"}, command_line={"metered": "small"})
    assert resolved.metered is MeteredPolicy.SMALL


def test_what_was_stored_before_it_was_locked_no_longer_counts() -> None:
    stored = settings.changed(settings.changed(None, "metered", "all"), "keep_awake", "no")
    resolved = settings.resolve(EngineSettings(), locked={"metered"}, stored=stored)
    assert resolved == EngineSettings(keep_awake=False)


def test_the_last_of_two_changes_counts() -> None:
    stored = settings.changed(settings.changed(None, "schedule", "20:00-06:00"), "schedule", "always")
    assert settings.resolve(EngineSettings(schedule=Schedule(1, 2)), stored=stored).schedule is None


def test_what_a_newer_fieldpost_stored_is_left_alone() -> None:
    assert settings.resolve(EngineSettings(), stored='{"colour": "blue"}') == EngineSettings()


@pytest.mark.parametrize("stored", ["{", "[]", "5"])
def test_a_damaged_store_is_named(stored: str) -> None:
    with pytest.raises(SettingsError, match="settings: what was stored cannot be read"):
        settings.resolve(EngineSettings(), stored=stored)
