# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import http.client
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from fieldpost_receiver.config.values import Address
from fieldpost_receiver.telemetry.health import LONGEST_S, MAX_CONNECTIONS, HttpServer
from fieldpost_receiver.telemetry.metrics import JobMetrics, Metrics
from fieldpost_shared.clock import FakeClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import SettingsError
from support.waiting import wait_until

ANY_PORT = Address("127.0.0.1", 0)


class Receiver:
    """What the server asks; a test says what it answers."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self.is_ready = True
        self.broken = False
        self.clock = FakeClock()
        self.metrics = Metrics("central")
        self.server = HttpServer(ANY_PORT, ready=self.ready, page=self.metrics.page, clock=self.clock)

    def ready(self) -> tuple[bool, list[str]]:
        if self.broken:
            raise OSError("the ledger is gone")
        return self.is_ready, self.reasons

    def connect(self) -> socket.socket:
        return socket.create_connection((self.server.address.host, self.server.address.port), timeout=10)

    def ask(self, method: str, path: str, accept: str = "") -> tuple[int, dict[str, str], bytes]:
        link = http.client.HTTPConnection(self.server.address.host, self.server.address.port, timeout=10)
        try:
            link.request(method, path, headers={"Accept": accept} if accept else {})
            answer = link.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            link.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    with made.server:
        yield made


def test_a_running_process_is_alive_even_if_it_is_not_ready(receiver: Receiver) -> None:
    receiver.is_ready = False
    status, headers, body = receiver.ask("GET", "/healthz")
    assert (status, body) == (200, b"alive\n")
    assert headers["Content-Length"] == "6"
    assert headers["Server"] == "Fieldpost"
    assert headers["Cache-Control"] == "no-store"


def test_readiness_comes_with_its_reasons(receiver: Receiver) -> None:
    assert receiver.ask("GET", "/readyz")[0::2] == (200, b"ready\n")
    receiver.is_ready = False
    assert receiver.ask("GET", "/readyz")[0::2] == (503, b"not ready\n")
    receiver.reasons = ["the query is not running", "free space is below the floor"]
    status, headers, body = receiver.ask("GET", "/readyz?verbose=1")
    assert status == 503
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert body.decode().splitlines() == receiver.reasons


def test_metrics_are_served_in_the_form_that_is_asked_for(receiver: Receiver) -> None:
    JobMetrics(receiver.metrics, "files").rejected(Code.TOO_LARGE)
    status, headers, body = receiver.ask("GET", "/metrics")
    assert status == 200
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert b'fieldpost_rejected_transfers_total{code="too_large",job_name="files"} 1.0' in body
    assert b"# EOF" in receiver.ask("GET", "/metrics", "application/openmetrics-text; version=1.0.0")[2]


@pytest.mark.parametrize(("path", "status"), [("/healthz", 200), ("/readyz", 200), ("/metrics", 200), ("/x", 404)])
def test_head_answers_without_a_body(receiver: Receiver, path: str, status: int) -> None:
    found, headers, body = receiver.ask("HEAD", path)
    assert (found, body) == (status, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize("path", ["/", "/healthz/", "/etc/passwd", "/metrics/../x"])
def test_no_other_path_is_served(receiver: Receiver, path: str) -> None:
    assert receiver.ask("GET", path)[0] == 404


def test_other_methods_are_not_understood(receiver: Receiver) -> None:
    assert receiver.ask("POST", "/healthz")[0] == 501


def test_an_invalid_request_is_refused_without_a_warning(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), receiver.connect() as link:
        link.sendall(b"\x16\x03\x01 what\x1b is this\r\n\r\n")
        assert b"400" in _rest(link)
    assert {entry.levelno for entry in caplog.records} == {logging.DEBUG}


def test_a_readiness_check_that_fails_fails_the_probe_and_nothing_else(
    receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.broken = True
    with caplog.at_level(logging.INFO), pytest.raises(http.client.RemoteDisconnected):
        receiver.ask("GET", "/readyz")
    assert receiver.ask("GET", "/healthz")[0] == 200
    assert "the ledger is gone" in caplog.text
    assert max(entry.levelno for entry in caplog.records) == logging.INFO


def test_one_stranger_cannot_take_all_threads_for_long(receiver: Receiver) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(receiver.connect()) for _ in range(MAX_CONNECTIONS)]
        held[0].sendall(b"GET /healthz HT")  # and never the rest
        with receiver.connect() as one_more:
            assert _rest(one_more) == b""  # hung up at once
        receiver.clock.advance(LONGEST_S + 1)
        assert [_rest(link) for link in held] == [b""] * MAX_CONNECTIONS
        wait_until(lambda: _answers(receiver), 10, "the next request to be answered")


def test_an_address_that_is_taken_is_named(receiver: Receiver) -> None:
    with pytest.raises(SettingsError, match=r"127\.0\.0\.1:[0-9]+ cannot be used: Address already in use") as caught:
        HttpServer(receiver.server.address, ready=receiver.ready, page=receiver.metrics.page, clock=receiver.clock)
    assert caught.value.key == "http.listen"


def test_an_address_of_another_machine_is_named() -> None:
    with pytest.raises(SettingsError, match=r"192\.0\.2\.1:0 cannot be used"):
        HttpServer(Address("192.0.2.1", 0), ready=lambda: (True, []), page=Metrics("x").page, clock=FakeClock())


def test_the_port_is_free_again_after_a_stop(receiver: Receiver) -> None:
    address = receiver.server.address
    receiver.server.stop()
    receiver.server.stop()
    again = HttpServer(address, ready=receiver.ready, page=receiver.metrics.page, clock=receiver.clock)
    assert again.address == address
    again.stop()  # never started


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_it_listens_on_ipv6_too() -> None:
    try:
        server = HttpServer(Address("::1", 0), ready=lambda: (True, []), page=Metrics("x").page, clock=FakeClock())
    except SettingsError:
        pytest.skip("this machine has no IPv6 loopback")
    with server, socket.create_connection((server.address.host, server.address.port), timeout=10) as link:
        link.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert _rest(link).endswith(b"alive\n")


def _rest(link: socket.socket) -> bytes:
    """All that still comes until the other end hangs up."""
    found = b""
    try:
        while part := link.recv(4096):
            found += part
    except ConnectionResetError:  # it hung up before it read everything
        pass
    return found


def _answers(receiver: Receiver) -> bool:
    try:
        return receiver.ask("GET", "/healthz")[0] == 200
    except (http.client.RemoteDisconnected, ConnectionResetError):
        return False
