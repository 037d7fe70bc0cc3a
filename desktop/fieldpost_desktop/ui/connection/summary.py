# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What a settings file says, in plain words, for a look before it is used and any time after."""

from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from fieldpost_desktop.engine.profile import settings as engine_settings
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.ui.text import phrases
from fieldpost_desktop.ui.widgets import theme
from fieldpost_desktop.ui.widgets.wrapping_text import WrappingText
from fieldpost_shared.kafka.security import SaslMechanism

_LARGE: Final = 1.3  # it is read out
translate = QCoreApplication.translate


class SummaryView(QWidget):
    """Title and value, line by line, and the fingerprint to compare by telephone."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("summary")
        self._lines = QGridLayout()
        self._lines.setColumnStretch(1, 1)
        self._lines.setHorizontalSpacing(self.fontMetrics().horizontalAdvance("m"))
        self._fingerprint = WrappingText(name="fingerprint", selectable=True)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.font().pointSizeF() * _LARGE)
        self._fingerprint.setFont(font)
        self._fingerprint.setAccessibleName(self.tr("Fingerprint"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._lines)
        layout.addSpacing(theme.gap(self.fontMetrics()))
        layout.addWidget(WrappingText(self.tr("Fingerprint. If in doubt, call your support and compare it:")))
        layout.addWidget(self._fingerprint)

    def show_profile(self, profile: Profile, sender: str) -> None:
        """Show this one; `sender` is the name this computer sends under."""
        while (item := self._lines.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        top = Qt.AlignmentFlag.AlignTop
        for row, (title, value) in enumerate(lines(profile, sender)):
            shown = WrappingText(value, selectable=True)
            shown.setAccessibleName(f"{title}: {value}")
            self._lines.addWidget(QLabel(translate("summary", "{title}:").format(title=title)), row, 0, top)
            self._lines.addWidget(shown, row, 1, top)
        self._fingerprint.setText(profile.fingerprint)


def lines(profile: Profile, sender: str) -> list[tuple[str, str]]:
    """Return title and value of everything that a person may want to know."""
    found = [
        (translate("summary", "Office"), profile.name),
        (translate("summary", "Server"), profile.bootstrap_servers.replace(",", ", ")),
        (translate("summary", "User name"), profile.sasl_username),
        (translate("summary", "This computer sends as"), sender),
        (translate("summary", "Connection"), security_words(profile)),
        (translate("summary", "Confirmed by"), ", ".join(profile.receivers)),
        (translate("summary", "Limits"), limit_words(profile)),
        (translate("summary", "Set by your organisation"), locked_words(profile)),
    ]
    return [(title, value) for title, value in found if value]


def security_words(profile: Profile) -> str:
    """Return how the connection is kept safe."""
    protocol = profile.security_protocol
    if protocol.sasl and profile.sasl_mechanism is SaslMechanism.GSSAPI:
        if protocol.tls:
            return translate("summary", "encrypted, with your sign-in to this computer")
        return translate("summary", "not encrypted, with your sign-in to this computer")
    if protocol.sasl:
        if protocol.tls:
            return translate("summary", "encrypted, with user name and password")
        return translate("summary", "not encrypted, with user name and password")
    if protocol.tls:
        return translate("summary", "encrypted, without user name and password")
    return translate("summary", "not encrypted, without user name and password")


def limit_words(profile: Profile) -> str:
    """Return what the organisation allows."""
    size = profile.limits.max_file_size
    said = []
    if size is not None:
        said.append(translate("summary", "files up to {size}").format(size=phrases.size(size)))
    if profile.limits.allow_delete:
        said.append(translate("summary", "watched files may be deleted after their confirmation"))
    return "; ".join(said) or translate("summary", "none")


def locked_words(profile: Profile) -> str:
    """Return the settings that the organisation has locked."""
    return ", ".join(setting_name(name) for name in engine_settings.NAMES if name in profile.locked)


def setting_name(name: str) -> str:
    """Return what a setting is called on the settings page."""
    names = {
        "bandwidth_limit": translate("summary", "speed limit"),
        "schedule": translate("summary", "sending hours"),
        "metered": translate("summary", "connections that cost money"),
        "keep_awake": translate("summary", "keeping this computer awake"),
    }
    return names[name]
