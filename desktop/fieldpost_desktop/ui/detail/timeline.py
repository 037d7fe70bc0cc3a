# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""When what happened to a file: added, started, all sent, confirmed by whom."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from fieldpost_desktop.engine.journal.browse import FileDetails, Receipt
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.text.wording import office_name
from fieldpost_desktop.ui.tone import Tone
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.icons import IconName
from fieldpost_desktop.ui.widgets.toned import TonedIcon, TonedLabel
from fieldpost_shared.clock import NS_PER_S

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Entry:
    """One line; without a time it is still to come."""

    text: str
    at_ns: int | None


def entries(facts: FileDetails, office: str) -> list[Entry]:
    """Return the life of a file so far, and what is to come if it goes well."""
    row = facts.row
    found = [
        Entry(translate("timeline", "Added"), row.added_ns),
        Entry(translate("timeline", "Sending started"), row.started_ns),
        Entry(translate("timeline", "All sent"), row.sent_ns),
        *(_confirmed(receipt.receiver, receipt_ns(receipt)) for receipt in facts.receipts),
    ]
    if row.state is FileState.CANCELLED:
        found.append(Entry(translate("timeline", "Cancelled"), row.ended_ns))
    if row.state in {FileState.CANCELLED, FileState.CONFIRMED}:
        return [entry for entry in found if entry.at_ns is not None]
    return found if facts.receipts else [*found, _confirmed(office_name(office), None)]


def receipt_ns(receipt: Receipt) -> int:
    """Return when the receiver had the file."""
    return round(receipt.at.timestamp()) * NS_PER_S


class Timeline(QWidget):
    """The entries below each other: a tick for what has been, a clock for what comes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline")
        self._entries: list[Entry] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.gap(self.fontMetrics(), 0.4))
        self._grid.setVerticalSpacing(theme.gap(self.fontMetrics(), 0.2))
        self._grid.setColumnStretch(1, 1)

    def show_entries(self, found: Sequence[Entry], now_ns: int) -> None:
        """Show these; nothing is touched when they are the same."""
        if self._entries == [*found]:
            return
        self._entries = [*found]
        self._clear()
        for line, entry in enumerate(found):
            for column, widget in enumerate(self._line(entry, now_ns)):
                self._grid.addWidget(widget, line, column, Qt.AlignmentFlag.AlignTop)

    def _clear(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _line(self, entry: Entry, now_ns: int) -> Iterator[QWidget]:
        over = entry.at_ns is not None
        yield TonedIcon(IconName.TICK if over else IconName.WAIT, Tone.CONFIRMED if over else Tone.MUTED)
        text = TonedLabel(entry.text, None if over else Tone.MUTED)
        text.setTextFormat(Qt.TextFormat.PlainText)
        yield text
        when = QLabel("" if entry.at_ns is None else phrases.clock(entry.at_ns, now_ns))
        when.setToolTip("" if entry.at_ns is None else phrases.moment(entry.at_ns))
        yield when


def _confirmed(by: str, at_ns: int | None) -> Entry:
    return Entry(translate("timeline", "Confirmed by {receiver}").format(receiver=by), at_ns)
