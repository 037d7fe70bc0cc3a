# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the app speak a language: its own texts, Qt's, and how numbers and dates are written.

English is a translation as well: its sources say "%n file(s)", its plurals "1 file" and "2 files".
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from fieldpost_desktop.ui.text import translations

SYSTEM: Final = "system"
FALLBACK: Final = "en"
LANGUAGES: Final = {"en": QLocale.Language.English, "de": QLocale.Language.German}


@dataclass(frozen=True, slots=True)
class InstalledLanguage:
    """The language that was put in place, until it is taken away again."""

    language: str
    locale: QLocale
    before: QLocale
    translators: tuple[QTranslator, ...]

    def remove(self) -> None:
        """Restore the language before; only tests need it."""
        for translator in self.translators:
            QCoreApplication.removeTranslator(translator)
            translator.deleteLater()
        QLocale.setDefault(self.before)


def install(app: QCoreApplication, wanted: str, system: QLocale | None = None) -> InstalledLanguage:
    """Speak from now on: call it before the first window is made, since none is translated anew.

    Args:
        app: keeps the translators alive.
        wanted: "system", or one of `LANGUAGES`; anything else is English.
        system: the computer's own locale, if not the one Qt finds.
    """
    system = system or QLocale.system()
    language = choose(wanted, system.uiLanguages())
    locale, before = locale_for(language, system), QLocale()
    QLocale.setDefault(locale)
    found = (_qt_texts(app, language), _own_texts(app, language))
    translators = tuple(translator for translator in found if translator is not None)
    for translator in translators:  # the last is asked first: ours
        app.installTranslator(translator)
    return InstalledLanguage(language, locale, before, translators)


def choose(wanted: str, preferred: Iterable[str]) -> str:
    """Return which of our languages to use; `preferred` are the computer's, as "de-AT", the dearest first."""
    if wanted != SYSTEM:
        return wanted if wanted in LANGUAGES else FALLBACK
    plain = (name.replace("_", "-").partition("-")[0] for name in preferred)
    return next((name for name in plain if name in LANGUAGES), FALLBACK)


def locale_for(language: str, system: QLocale) -> QLocale:
    """Return the computer's own locale where it fits the language, else that of its country."""
    if system.language() == LANGUAGES[language]:
        return system
    return QLocale(LANGUAGES[language], system.territory())


def _own_texts(app: QCoreApplication, language: str) -> QTranslator | None:
    translator = QTranslator(app)
    with resources.as_file(resources.files(translations) / f"fieldpost_{language}.qm") as path:
        return translator if translator.load(str(path)) else None


def _qt_texts(app: QCoreApplication, language: str) -> QTranslator | None:
    """Return the texts of Qt's own buttons and dialogs. Qt speaks English by itself."""
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    return translator if language != FALLBACK and translator.load(f"qtbase_{language}", folder) else None
