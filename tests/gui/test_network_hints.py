# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The network's hints: kept as plain values for the engine; unknown stays unknown."""

import threading

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QNetworkInformation
from pytestqt.qtbot import QtBot

from fieldpost_desktop.engine.link.network import Metered, NetworkPort
from fieldpost_desktop.ui.system.network_hints import NetworkHints

Feature = QNetworkInformation.Feature
Reachability = QNetworkInformation.Reachability
EVERYTHING = Feature.Reachability | Feature.CaptivePortal | Feature.Metered


class ToldSource(QObject):
    """A network that tests hold in hand."""

    reachabilityChanged = Signal(Reachability)  # noqa: N815 - Qt's name
    isMeteredChanged = Signal(bool)  # noqa: N815 - Qt's name
    isBehindCaptivePortalChanged = Signal(bool)  # noqa: N815 - Qt's name

    def __init__(self, reach: Reachability = Reachability.Online, features: Feature = EVERYTHING) -> None:
        super().__init__()
        self.reach = reach
        self.features = features
        self.costs = False
        self.portal = False
        self.asked_on: set[int] = set()

    def supports(self, features: Feature) -> bool:
        self.asked_on.add(threading.get_ident())
        return self.features & features == features

    def reachability(self) -> Reachability:
        return self.reach

    def isMetered(self) -> bool:  # noqa: N802 - Qt's name
        return self.costs

    def isBehindCaptivePortal(self) -> bool:  # noqa: N802 - Qt's name
        return self.portal

    def turn(self, reach: Reachability) -> None:
        self.reach = reach
        self.reachabilityChanged.emit(reach)

    def meter(self, *, costs: bool) -> None:
        self.costs = costs
        self.isMeteredChanged.emit(costs)

    def guard(self, *, portal: bool) -> None:
        self.portal = portal
        self.isBehindCaptivePortalChanged.emit(portal)


def _returns(hints: NetworkHints) -> list[None]:
    told: list[None] = []
    hints.came_back.connect(lambda: told.append(None))
    return told


def test_without_a_backend_nothing_is_known_and_nothing_is_claimed() -> None:
    hints: NetworkPort = NetworkHints(find=lambda: None)
    assert hints.metered() is Metered.UNKNOWN
    assert not hints.captive_portal()


def test_what_a_backend_cannot_tell_stays_unknown() -> None:
    source = ToldSource(features=Feature.Reachability)
    source.costs = source.portal = True
    hints = NetworkHints(find=lambda: source)
    assert hints.metered() is Metered.UNKNOWN
    assert not hints.captive_portal()


def test_a_network_that_begins_to_cost_is_told_to_the_engine() -> None:
    source = ToldSource()
    hints = NetworkHints(find=lambda: source)
    assert hints.metered() is Metered.NO
    source.meter(costs=True)
    assert hints.metered() is Metered.YES


def test_a_network_that_returns_is_told_once() -> None:
    source = ToldSource()
    told = _returns(NetworkHints(source, find=lambda: source))
    source.turn(Reachability.Disconnected)
    source.turn(Reachability.Local)
    assert not told
    source.turn(Reachability.Online)
    source.meter(costs=True)
    source.turn(Reachability.Online)
    assert len(told) == 1


def test_a_sign_in_page_stands_in_the_way_until_it_is_passed() -> None:
    source = ToldSource(Reachability.Disconnected)
    hints = NetworkHints(find=lambda: source)
    told = _returns(hints)
    source.portal = True
    source.turn(Reachability.Online)
    assert hints.captive_portal()
    assert not told
    source.guard(portal=False)
    assert not hints.captive_portal()
    assert len(told) == 1


@pytest.mark.parametrize("reach", [Reachability.Unknown, Reachability.Site, Reachability.Local])
def test_anything_less_than_the_whole_way_is_no_return(reach: Reachability) -> None:
    source = ToldSource(Reachability.Disconnected)
    told = _returns(NetworkHints(source, find=lambda: source))
    source.turn(reach)
    assert not told


def test_the_engines_threads_read_values_and_never_ask_qt() -> None:
    source = ToldSource()
    hints = NetworkHints(find=lambda: source)
    read: list[object] = []
    thread = threading.Thread(target=lambda: read.extend([hints.metered(), hints.captive_portal()]))
    thread.start()
    thread.join()
    assert read == [Metered.NO, False]
    assert source.asked_on == {threading.get_ident()}


def test_this_computers_hints_can_be_had(qtbot: QtBot) -> None:
    with qtbot.captureExceptions() as raised:
        hints = NetworkHints()
    assert isinstance(hints.metered(), Metered)
    assert raised == []
