# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Settings about sending: limit, hours, connections that cost money, and staying awake."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.engine.profile.settings import LOCKED, EngineSettings
from fieldpost_desktop.ui.settings.sending_fields import AwakeField, HoursField, LimitField, MeteredField, SendingField
from fieldpost_desktop.ui.text import wording
from fieldpost_desktop.ui.threads.coalescing_queue import CoalescingQueue
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText, heading
from fieldpost_shared.errors import FieldpostError, SettingsError


class SendingSection(QWidget):
    """Every change goes to the engine at once; what the engine says is what is shown."""

    def __init__(self, instance: AppInstance, worker: Worker) -> None:
        super().__init__()
        self.setObjectName("sending_section")
        self._instance = instance
        self._changes = CoalescingQueue(worker, self)
        self._fields: dict[str, SendingField] = {}
        self._why_not = WrappingText(name="sending_why_not")
        self._form = QWidget()
        column = QVBoxLayout(self._form)
        column.setContentsMargins(0, 0, 0, 0)
        metered = MeteredField()
        for title, field in (
            (heading(self.tr("Speed")), LimitField()),
            (heading(self.tr("Hours")), HoursField()),
            (heading(self.tr("Connections that cost &money"), metered.choice), metered),
            (heading(self.tr("Sleep")), AwakeField()),
        ):
            name = field.objectName()
            self._fields[name] = field
            field.changed.connect(lambda value, name=name: self._change(name, value))
            column.addWidget(title)
            column.addWidget(field)
            column.addSpacing(theme.gap(self.fontMetrics()))
        layout = QVBoxLayout(self)
        layout.addWidget(self._why_not)
        layout.addWidget(self._form)
        layout.addStretch(1)
        self._open(opened=False, why="")

    def refresh(self) -> None:
        """Show what counts now."""
        locked = self._instance.profile.locked if self._instance.profile else frozenset()
        for name, field in self._fields.items():
            field.lock(locked=name in locked)
        self._changes.run("all", self._instance.settings, self._show_all, self._cannot)

    def _change(self, name: str, value: object) -> None:
        self._changes.run(
            name,
            lambda: self._instance.change_setting(name, value),
            lambda settings: self._changed(name, settings),
            lambda error: self._refused(name, error),
        )

    def _show_all(self, settings: EngineSettings) -> None:
        self._open(opened=True, why="")
        for name, field in self._fields.items():
            if not self._changes.is_pending(name):
                field.show_settings(settings)

    def _changed(self, name: str, settings: EngineSettings) -> None:
        """Show only this setting: a person may be typing in another one."""
        field = self._fields[name]
        field.say("")
        if not self._changes.is_pending(name):
            field.show_settings(settings)

    def _refused(self, name: str, error: FieldpostError) -> None:
        field = self._fields[name]
        if isinstance(error, SettingsError) and error.problem == LOCKED:
            field.lock(locked=True)
            self.refresh()
        elif isinstance(error, SettingsError) and error.key == name and field.refusal():
            field.refuse(field.refusal())
        else:
            field.refuse(wording.error_sentence(error, self._instance.office))

    def _cannot(self, error: FieldpostError) -> None:
        """Lock the form: without an engine there is nothing to set."""
        self._open(opened=False, why=wording.error_sentence(error, self._instance.office))

    def _open(self, *, opened: bool, why: str) -> None:
        self._form.setEnabled(opened)
        self._why_not.setText(why)
        self._why_not.setVisible(bool(why))
