# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the system says of the network, for the engine. These are hints: only the broker's answer means connected."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtNetwork import QNetworkInformation

from fieldpost_desktop.engine.link.network import Metered

_Feature = QNetworkInformation.Feature
_Reachability = QNetworkInformation.Reachability


class NetworkSource(Protocol):
    """As much of `QNetworkInformation` as is asked here."""

    reachabilityChanged: SignalInstance  # noqa: N815 - Qt's name
    isMeteredChanged: SignalInstance  # noqa: N815 - Qt's name
    isBehindCaptivePortalChanged: SignalInstance  # noqa: N815 - Qt's name

    def supports(self, features: QNetworkInformation.Feature) -> bool: ...
    def reachability(self) -> QNetworkInformation.Reachability: ...
    def isMetered(self) -> bool: ...  # noqa: N802 - Qt's name
    def isBehindCaptivePortal(self) -> bool: ...  # noqa: N802 - Qt's name


def system_source() -> NetworkSource | None:
    """Return Qt's network information; None where Qt has none. Needs an application object."""
    return QNetworkInformation.instance() if QNetworkInformation.loadDefaultBackend() else None


class NetworkHints(QObject):
    """Asks on the GUI thread when something changed, and keeps plain values that the engine's threads may read."""

    came_back = Signal()  # worth a try now; not a promise

    def __init__(
        self, parent: QObject | None = None, *, find: Callable[[], NetworkSource | None] = system_source
    ) -> None:
        super().__init__(parent)
        self._source = source = find()
        self._metered = Metered.UNKNOWN
        self._captive = False
        self._clear = False  # the system sees the internet, and nothing in between
        if source is not None:
            self._look(source)
            source.reachabilityChanged.connect(self._changed)
            source.isMeteredChanged.connect(self._changed)
            source.isBehindCaptivePortalChanged.connect(self._changed)

    def metered(self) -> Metered:
        return self._metered

    def captive_portal(self) -> bool:
        return self._captive

    def _changed(self) -> None:
        if self._source is not None:
            was_clear = self._clear
            self._look(self._source)
            if self._clear and not was_clear:
                self.came_back.emit()

    def _look(self, source: NetworkSource) -> None:
        if source.supports(_Feature.Metered):
            self._metered = Metered.YES if source.isMetered() else Metered.NO
        self._captive = source.supports(_Feature.CaptivePortal) and source.isBehindCaptivePortal()
        online = source.supports(_Feature.Reachability) and source.reachability() is _Reachability.Online
        self._clear = online and not self._captive
