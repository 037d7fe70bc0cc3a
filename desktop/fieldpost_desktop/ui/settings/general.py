# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Settings of the app itself: autostart, notifications, language."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QVBoxLayout, QWidget

from fieldpost_desktop.ui.settings.field import Field
from fieldpost_desktop.ui.system.autostart import Autostart
from fieldpost_desktop.ui.system.preferences import Language, PreferencesHolder
from fieldpost_desktop.ui.threads.coalescing_queue import CoalescingQueue
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.wrapping_text import heading
from fieldpost_shared.errors import FieldpostError


class GeneralSection(QWidget):
    """Every change acts at once, but for the language."""

    preferences_changed = Signal(object)  # Preferences

    def __init__(self, preferences: PreferencesHolder, autostart: Autostart, worker: Worker) -> None:
        super().__init__()
        self.setObjectName("general_section")
        self._preferences = preferences
        self._autostart = autostart
        self._changes = CoalescingQueue(worker, self)
        self._start = self._box("autostart", self.tr("Start &Fieldpost when I sign in to this computer"))
        self._notify = self._box("notifications", self.tr("Show not&ifications"))
        self._start_field = self._field("autostart_field", self._start)
        self._language = QComboBox()
        self._language.setObjectName("language")
        self._language.addItem(self.tr("As this computer does"), Language.SYSTEM)
        self._language.addItem("English", Language.ENGLISH)  # each in its own words, so that its speakers find it
        self._language.addItem("Deutsch", Language.GERMAN)
        self._language_field = self._field("language_field", self._language)
        self._language_field.say(self.tr("Acts at the next start of Fieldpost."))
        self._lay_out()
        self.refresh()
        self._start.toggled.connect(self._turn_autostart)
        self._notify.toggled.connect(lambda on: self._change(notifications=on))
        self._language.currentIndexChanged.connect(
            lambda _: self._change(language=Language(self._language.currentData()))
        )

    def refresh(self) -> None:
        """Show what counts now."""
        current = self._preferences.current
        possible = self._autostart.possible
        self._show(self._start, on=current.autostart and possible)
        self._show(self._notify, on=current.notifications)
        with QSignalBlocker(self._language):
            self._language.setCurrentIndex(self._language.findData(current.language))
        self._start.setEnabled(possible)
        if not possible:
            self._start_field.say(
                self.tr("Not possible here: Fieldpost is not installed, or uses a folder of its own.")
            )

    def _turn_autostart(self, on: bool) -> None:  # noqa: FBT001 - Qt's signal has it so
        def turned(_: None) -> None:
            self._start_field.say("")
            self._change(autostart=on)

        def failed(error: FieldpostError) -> None:
            self._show(self._start, on=not on)
            self._start_field.refuse(self.tr("This could not be changed: {why}").format(why=error.detail))

        self._changes.run("autostart", lambda: self._autostart.turn(on=on), turned, failed)

    def _change(self, **changes: object) -> None:
        self.preferences_changed.emit(self._preferences.change(**changes))

    def _show(self, box: QCheckBox, *, on: bool) -> None:
        """Show a value without calling it a change."""
        with QSignalBlocker(box):
            box.setChecked(on)

    def _box(self, name: str, text: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(name)
        return box

    def _field(self, name: str, control: QWidget) -> Field:
        field = Field(name)
        field.add(control)
        return field

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        for widget in (
            heading(self.tr("Start and notifications")),
            self._start_field,
            self._notify,
            heading(self.tr("&Language"), self._language),
            self._language_field,
        ):
            layout.addWidget(widget)
        layout.insertSpacing(3, theme.gap(self.fontMetrics()))
        layout.addStretch(1)
