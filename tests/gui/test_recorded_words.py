# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The window says about each file of a journal of 0.1 what 0.1 said, in both languages."""

from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.events import FileChanged
from fieldpost_desktop.engine.model.file_row import FileRow
from fieldpost_desktop.ui.text import languages, wording
from support.recorded import NOW_NS, UPLOADER, recorded_json, uploader_of_0_1

OFFICE = "Head office"
LOCALES = {
    "en": QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom),
    "de": QLocale(QLocale.Language.German, QLocale.Country.Germany),
}


def sentences(row: FileRow, acknowledged: int) -> list[str]:
    change = FileChanged(row, acknowledged, row.plan.count if row.plan else 0)
    said = [wording.row_sentence(change, OFFICE, NOW_NS, None)]
    failure = wording.file_failure(row, OFFICE)
    return said if failure is None else [*said, failure.happened, failure.next, failure.you_can, failure.raw]


@pytest.mark.parametrize("language", LOCALES)
def test_files_of_0_1_are_described_as_0_1_did(qapp: QApplication, tmp_path: Path, language: str) -> None:
    store = Store.open(uploader_of_0_1(tmp_path) / "journal.db")
    files = Files(store)
    spoken = languages.install(qapp, language, LOCALES[language])
    try:
        said = {row.path: sentences(row, files.acknowledged(row.id)) for row in files.history()}
    finally:
        spoken.remove()
        store.close()
    assert said == recorded_json(UPLOADER / "words.json")[language]
