# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date

import pytest
from PySide6.QtCore import QCoreApplication, QDate, QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from fieldpost_desktop.ui.system.preferences import Language
from fieldpost_desktop.ui.text import languages
from fieldpost_desktop.ui.text.languages import InstalledLanguage
from support.gui import pseudo_locale

AUSTRIA = QLocale(QLocale.Language.German, QLocale.Country.Austria)
BRITAIN = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
FRANCE = QLocale(QLocale.Language.French, QLocale.Country.France)
PLAIN = QLocale.c()

Speak = Callable[[str, QLocale], InstalledLanguage]


@pytest.fixture
def speak(qapp: QApplication) -> Iterator[Speak]:
    with ExitStack() as stack:

        def install(wanted: str, system: QLocale) -> InstalledLanguage:
            spoken = languages.install(qapp, wanted, system)
            stack.callback(spoken.remove)
            return spoken

        yield install


def files(n: int) -> str:
    return QCoreApplication.translate("phrases", "%Ln file(s)", "", n)


def test_the_preferences_offer_what_can_be_spoken() -> None:
    assert set(Language) == {languages.SYSTEM, *languages.LANGUAGES}


def test_english_has_proper_plurals(speak: Speak) -> None:
    speak("en", BRITAIN)
    assert [files(n) for n in (0, 1, 2)] == ["0 files", "1 file", "2 files"]


def test_german_is_spoken_with_its_plurals_and_number_forms(speak: Speak) -> None:
    speak("de", PLAIN)
    assert [files(n) for n in (0, 1, 2000)] == ["0 Dateien", "1 Datei", "2.000 Dateien"]
    assert QCoreApplication.translate("codes", "Call support.") == "Rufen Sie den Support an."


def test_the_codes_are_the_same_sentence_in_english(speak: Speak) -> None:
    speak("en", BRITAIN)
    assert QCoreApplication.translate("codes", "Call support.") == "Call support."


def test_the_own_buttons_of_qt_speak_german_too(speak: Speak, qtbot: QtBot) -> None:
    speak("de", AUSTRIA)
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "Abbrechen"


@pytest.mark.parametrize(
    ("wanted", "preferred", "chosen"),
    [
        ("system", ["de-Latn-AT", "de-AT", "de"], "de"),
        ("system", ["de_CH"], "de"),
        ("system", ["fr-FR", "fr", "de"], "de"),
        ("system", ["en-GB", "de-DE"], "en"),
        ("system", ["fr-FR", "fr"], "en"),
        ("system", ["C"], "en"),
        ("system", [], "en"),
        ("en", ["de-DE"], "en"),
        ("de", ["en-US"], "de"),
        ("tlh", ["de-DE"], "en"),
    ],
)
def test_the_language_is_the_wanted_one_or_the_first_preferred_one_that_is_there(
    wanted: str, preferred: list[str], chosen: str
) -> None:
    assert languages.choose(wanted, preferred) == chosen


def test_an_unknown_language_is_english_with_plurals(speak: Speak) -> None:
    assert speak("system", FRANCE).language == "en"
    assert [files(n) for n in (1, 2)] == ["1 file", "2 files"]


@pytest.mark.parametrize(
    ("wanted", "system", "name"),
    [
        ("system", AUSTRIA, "de_AT"),
        ("de", AUSTRIA, "de_AT"),
        ("en", AUSTRIA, "en_AT"),
        ("system", FRANCE, "en_FR"),
        ("en", BRITAIN, "en_GB"),
        ("de", PLAIN, "de_DE"),
    ],
)
def test_dates_and_numbers_follow_the_language_and_the_country(
    speak: Speak, wanted: str, system: QLocale, name: str
) -> None:
    assert speak(wanted, system).locale.name() == name
    assert QLocale().name() == name


def test_a_month_has_its_name_in_the_language_of_the_window(speak: Speak) -> None:
    speak("de", BRITAIN)
    day = date(2026, 3, 1)
    assert QLocale().toString(QDate(day.year, day.month, day.day), "MMMM") == "März"


def test_what_was_before_comes_back(qapp: QApplication) -> None:
    before = (QLocale(), files(2))
    spoken = languages.install(qapp, "de", AUSTRIA)
    assert files(2) == "2 Dateien"
    spoken.remove()
    assert (QLocale(), files(2)) == before


@pytest.mark.parametrize(
    ("source", "n", "shown"),
    [
        ("Settings", -1, "[Šéţţîñĝš]"),
        ("Pause %n file(s)", 2, "[Påûšé %n fîļéš ~~]"),
        ("Pause %n file(s)", 1, "[Påûšé %n fîļé ~]"),
        ("&Add <b>{count}</b> of {all_of_them}", -1, "[&Aðð <b>{count}</b> öf {all_of_them}]"),
    ],
)
def test_the_pseudo_locale_keeps_what_stands_for_something_else(source: str, n: int, shown: str) -> None:
    assert pseudo_locale.pseudo(source, n) == shown


def test_the_pseudo_locale_is_forty_percent_longer() -> None:
    source = "Each file is deleted from this computer as soon as the office has confirmed it."
    assert len(pseudo_locale.pseudo(source)) == round(len(source) * 1.4)


def test_the_pseudo_locale_shows_what_was_not_translated(qapp: QApplication) -> None:
    translator = pseudo_locale.install(qapp)
    try:
        assert pseudo_locale.is_translated(files(3))
        assert files(1) == "[1 fîļé]"
        assert QCoreApplication.translate("phrases", "d MMM", "date format") == "d MMM"
        assert pseudo_locale.is_translated("12 · 3 %")
        assert not pseudo_locale.is_translated("12 files")
        assert not pseudo_locale.is_translated("[12 fîļéš …")
    finally:
        pseudo_locale.remove(translator)
    assert not pseudo_locale.is_translated(files(3))
