# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.journal.browse import FileDetails, Receipt
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.detail.proof import Proof, proof
from fieldpost_desktop.ui.detail.timeline import Entry, Timeline, entries
from fieldpost_desktop.ui.text import phrases
from fieldpost_shared.clock import NS_PER_S
from support.gui.rows import NOW_NS, file_row

AT = datetime.fromtimestamp(NOW_NS / NS_PER_S, UTC)
RECEIPT = Receipt("central", AT, renamed=False, duplicate=False)
SENT = {"started_ns": NOW_NS + 1, "sent_ns": NOW_NS + 2}


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def texts(facts: FileDetails) -> list[tuple[str, bool]]:
    return [(entry.text, entry.at_ns is not None) for entry in entries(facts, "Head office")]


def test_what_is_to_come_is_shown_without_a_time() -> None:
    assert texts(FileDetails(file_row())) == [
        ("Added", True),
        ("Sending started", False),
        ("All sent", False),
        ("Confirmed by Head office", False),
    ]


def test_a_confirmed_file_names_who_confirmed_it() -> None:
    facts = FileDetails(file_row(FileState.CONFIRMED, **SENT), (RECEIPT,))
    assert texts(facts) == [
        ("Added", True),
        ("Sending started", True),
        ("All sent", True),
        ("Confirmed by central", True),
    ]


def test_a_file_is_not_expected_any_more_once_it_is_cancelled() -> None:
    facts = FileDetails(file_row(FileState.CANCELLED, ended_ns=NOW_NS + 5))
    assert texts(facts) == [("Added", True), ("Cancelled", True)]


def test_the_first_of_two_receipts_is_shown_while_the_second_is_awaited() -> None:
    facts = FileDetails(file_row(FileState.SENT, **SENT), (RECEIPT,))
    assert ("Confirmed by central", True) in texts(facts)
    assert proof(facts) == ""


def test_the_same_entries_do_not_make_new_widgets(qtbot: QtBot) -> None:
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.show_entries([Entry("Added", NOW_NS)], NOW_NS)
    before = timeline.findChildren(QLabel)
    timeline.show_entries([Entry("Added", NOW_NS)], NOW_NS)
    assert timeline.findChildren(QLabel) == before
    assert phrases.clock(NOW_NS, NOW_NS) in {label.text() for label in before}


def test_new_entries_take_the_place_of_the_old(qtbot: QtBot) -> None:
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.show_entries([Entry("Added", NOW_NS), Entry("All sent", None)], NOW_NS)
    timeline.show_entries([Entry("Cancelled", NOW_NS)], NOW_NS)
    shown = [label.text() for label in timeline.findChildren(QLabel) if not label.isHidden()]
    assert shown == ["Cancelled", phrases.clock(NOW_NS, NOW_NS)]


def test_the_proof_names_receiver_moment_and_hash(around: QWidget) -> None:
    box = Proof(around)
    box.show_facts(FileDetails(file_row(FileState.CONFIRMED, sha256="ab" * 32), (RECEIPT,)))
    text, digest = box.findChild(QLabel, "proof_text"), box.findChild(QLabel, "proof_hash")
    assert text is not None
    assert digest is not None
    assert text.text() == f"Confirmed {phrases.moment(NOW_NS)} by central"
    assert digest.text() == "SHA-256 " + "ab" * 32


def test_the_proof_says_in_words_what_the_receiver_did() -> None:
    later = AT + timedelta(seconds=5)
    receipts = (
        Receipt("central", AT, renamed=True, duplicate=False),
        Receipt("archive", later, renamed=False, duplicate=True),
    )
    lines = proof(FileDetails(file_row(FileState.CONFIRMED), receipts)).splitlines()
    assert lines[1] == "central stored it under another name, since this one was taken."
    assert lines[3] == "archive had exactly this file already."


def test_there_is_no_proof_before_the_receipt(around: QWidget) -> None:
    box = Proof(around)
    for state in set(FileState) - {FileState.CONFIRMED}:
        box.show_facts(FileDetails(file_row(state, sha256="ab" * 32), (RECEIPT,)))
        assert box.isHidden()
    box.show_facts(None)
    assert box.isHidden()
