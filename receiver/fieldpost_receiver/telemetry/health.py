# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`/healthz`, `/readyz` and `/metrics` for the receiver's monitoring.

A stranger who reaches the port gets nothing else, and occupies a few threads for a few seconds at most.
"""

import logging
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Final, Self

from fieldpost_receiver.config.values import Address
from fieldpost_shared.clock import Clock
from fieldpost_shared.errors import SettingsError

MAX_CONNECTIONS: Final = 16
LONGEST_S: Final = 10.0  # for one request, however slow it is; Prometheus itself waits as long

_POLL_S: Final = 0.2  # how soon a stop and an old connection are noticed
_TEXT: Final = "text/plain; charset=utf-8"

_log: Final = logging.getLogger(__name__)

# Whether the receiver works, and the reasons if it does not.
Ready = Callable[[], tuple[bool, list[str]]]
# The metrics for an Accept header, and their content type.
Page = Callable[[str], tuple[bytes, str]]


@dataclass(frozen=True, slots=True)
class _Response:
    status: HTTPStatus
    body: bytes
    content_type: str = _TEXT


class HttpServer:
    """Takes the address when it is created, answers between `start` and `stop`."""

    def __init__(self, listen: Address, *, ready: Ready, page: Page, clock: Clock) -> None:
        """Take the address.

        Raises:
            SettingsError: the address cannot be used.
        """
        try:
            self._server = _Server(listen, ready, page, clock)
        except OSError as error:
            raise SettingsError("http.listen", f"{listen} cannot be used: {error.strerror}; choose another") from error
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_S,), name="http", daemon=True)

    @property
    def address(self) -> Address:
        """The address with its real port, also if the system chose it."""
        host, port = self._server.server_address[:2]
        return Address(str(host), int(port))

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Stop answering; may be called at any time, also twice."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    allow_reuse_port = False  # newer Pythons would let a second receiver share the port silently
    request_queue_size = MAX_CONNECTIONS

    def __init__(self, listen: Address, ready: Ready, page: Page, clock: Clock) -> None:
        self.address_family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
        self._ready, self._page, self._clock = ready, page, clock
        self._lock = threading.Lock()
        self._since: dict[socket.socket, float] = {}
        super().__init__((listen.host, listen.port), _Handler)

    def server_bind(self) -> None:
        """Bind without the library's DNS request for this host's name, which may take long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ANN401, ARG002 - the library's types
        """Refuse a connection for which there is no thread."""
        with self._lock:
            if len(self._since) >= MAX_CONNECTIONS:
                return False
            self._since[request] = self._clock.monotonic()
            return True

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - the library's type
        with self._lock:
            self._since.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Close connections that take too long."""
        oldest = self._clock.monotonic() - LONGEST_S
        with self._lock:
            for request in [request for request, since in self._since.items() if since < oldest]:
                with suppress(OSError):  # the client closed it
                    request.shutdown(socket.SHUT_RDWR)  # its thread then reads the end and closes it

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401, ARG002 - the library's types
        """Log a broken connection; the library would print it."""
        _log.info("no answer was given to a request", exc_info=True)

    def answer(self, path: str, accept: str) -> _Response:
        """Return the response for a path."""
        match path.partition("?")[0]:
            case "/healthz":
                return _Response(HTTPStatus.OK, b"alive\n")
            case "/readyz":
                ok, reasons = self._ready()
                text = "ready" if ok else "\n".join(reasons) or "not ready"
                return _Response(HTTPStatus.OK if ok else HTTPStatus.SERVICE_UNAVAILABLE, f"{text}\n".encode())
            case "/metrics":
                return _Response(HTTPStatus.OK, *self._page(accept))
            case _:
                return _Response(HTTPStatus.NOT_FOUND, b"only /healthz, /readyz and /metrics are here\n")


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = LONGEST_S

    def do_GET(self) -> None:
        response = self._head()
        self.wfile.write(response.body)

    def do_HEAD(self) -> None:
        self._head()

    def _head(self) -> _Response:
        answer = self.server.answer(self.path, self.headers.get("Accept", ""))
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        return answer

    def version_string(self) -> str:
        """Return a name without the version of Python."""
        return "Fieldpost"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the library's names and types
        _log.debug(format, *args)
