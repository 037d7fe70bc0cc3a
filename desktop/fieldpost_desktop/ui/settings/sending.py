# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Settings about sending: limit, hours, connections that cost money, and staying awake."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import Station
from fieldpost_desktop.engine.profile.settings import LOCKED, EngineSettings
from fieldpost_desktop.ui.settings.sending_fields import AwakeField, HoursField, LimitField, MeteredField, SendingField
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.coalescing_queue import Turns
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.wrapping_text import Words, title
from fieldpost_shared.errors import FieldpostError, SettingsError


class SendingSection(QWidget):
    """Every change goes to the engine at once; what the engine says is what is shown."""

    def __init__(self, station: Station, worker: Worker) -> None:
        super().__init__()
        self.setObjectName("sending_section")
        self._station = station
        self._turns = Turns(worker, self)
        self._fields: dict[str, SendingField] = {}
        self._why_not = Words(name="sending_why_not")
        self._form = QWidget()
        column = QVBoxLayout(self._form)
        column.setContentsMargins(0, 0, 0, 0)
        metered = MeteredField()
        for heading, field in (
            (title(self.tr("Speed")), LimitField()),
            (title(self.tr("Hours")), HoursField()),
            (title(self.tr("Connections that cost &money"), metered.choice), metered),
            (title(self.tr("Sleep")), AwakeField()),
        ):
            name = field.objectName()
            self._fields[name] = field
            field.changed.connect(lambda value, name=name: self._change(name, value))
            column.addWidget(heading)
            column.addWidget(field)
            column.addSpacing(theme.gap(self.fontMetrics()))
        layout = QVBoxLayout(self)
        layout.addWidget(self._why_not)
        layout.addWidget(self._form)
        layout.addStretch(1)
        self._open(opened=False, why="")

    def refresh(self) -> None:
        """Show what counts now."""
        locked = self._station.profile.locked if self._station.profile else frozenset()
        for name, field in self._fields.items():
            field.lock(locked=name in locked)
        self._turns.run("all", self._station.settings, self._show_all, self._cannot)

    def _change(self, name: str, value: object) -> None:
        self._turns.run(
            name,
            lambda: self._station.change_setting(name, value),
            lambda settings: self._changed(name, settings),
            lambda error: self._refused(name, error),
        )

    def _show_all(self, settings: EngineSettings) -> None:
        self._open(opened=True, why="")
        for name, field in self._fields.items():
            if not self._turns.waits(name):
                field.show_settings(settings)

    def _changed(self, name: str, settings: EngineSettings) -> None:
        """Only this one: in another somebody may be typing."""
        field = self._fields[name]
        field.say("")
        if not self._turns.waits(name):
            field.show_settings(settings)

    def _refused(self, name: str, error: FieldpostError) -> None:
        field = self._fields[name]
        if isinstance(error, SettingsError) and error.problem == LOCKED:
            field.lock(locked=True)
            self.refresh()
        elif isinstance(error, SettingsError) and error.key == name and field.refusal():
            field.refuse(field.refusal())
        else:
            field.refuse(wording.error_sentence(error, self._station.office))

    def _cannot(self, error: FieldpostError) -> None:
        """Without an engine there is nothing to set."""
        self._open(opened=False, why=wording.error_sentence(error, self._station.office))

    def _open(self, *, opened: bool, why: str) -> None:
        self._form.setEnabled(opened)
        self._why_not.setText(why)
        self._why_not.setVisible(bool(why))
