# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The settings page: four sections, each as long as it needs to be."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from fieldpost_desktop.app.instance import AppInstance
from fieldpost_desktop.ui.settings.advanced import AdvancedSection
from fieldpost_desktop.ui.settings.connection import ConnectionSection
from fieldpost_desktop.ui.settings.general import GeneralSection
from fieldpost_desktop.ui.settings.sending import SendingSection
from fieldpost_desktop.ui.system.autostart import Autostart
from fieldpost_desktop.ui.system.preferences import PreferencesHolder
from fieldpost_desktop.ui.threads.worker import Worker
from fieldpost_desktop.ui.widgets.wrapping_text import scroll_area


class SettingsPage(QWidget):
    """There is no OK button: what is changed counts at once."""

    report_wanted = Signal()
    about_wanted = Signal()
    import_wanted = Signal()
    preferences_changed = Signal(object)  # Preferences
    password_changed = Signal(object)  # Condition

    def __init__(
        self, instance: AppInstance, worker: Worker, preferences: PreferencesHolder, autostart: Autostart
    ) -> None:
        super().__init__()
        self.setObjectName("settings_page")
        self._general = GeneralSection(preferences, autostart, worker)
        self._sending = SendingSection(instance, worker)
        self._connection = ConnectionSection(instance, worker)
        advanced = AdvancedSection(instance.paths)
        self._tabs = QTabWidget()
        self._tabs.setObjectName("settings_tabs")
        self._tabs.setAccessibleName(self.tr("Sections of the settings"))
        self._tabs.addTab(scroll_area(self._general, "general_scroll"), self.tr("&General"))
        self._tabs.addTab(scroll_area(self._sending, "sending_scroll"), self.tr("&Sending"))
        connection = scroll_area(self._connection, "connection_scroll")
        self._tabs.addTab(connection, self.tr("&Connection"))
        self._tabs.addTab(scroll_area(advanced, "advanced_scroll"), self.tr("A&dvanced"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._tabs)
        self._general.preferences_changed.connect(self.preferences_changed)
        self._connection.grown.connect(connection.ensureWidgetVisible)
        self._connection.import_wanted.connect(self.import_wanted)
        self._connection.password_changed.connect(self.password_changed)
        advanced.report_wanted.connect(self.report_wanted)
        advanced.about_wanted.connect(self.about_wanted)

    def refresh(self) -> None:
        """Show what counts now; called after a change of profile or condition."""
        self._general.refresh()
        self._sending.refresh()
        self._connection.refresh()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Refresh: another process may have changed something meanwhile."""
        super().showEvent(event)
        self.refresh()
