# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The steps of the connection test below Kafka: name, port, TLS."""

import socket
import ssl
from dataclasses import dataclass
from typing import Final

from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.security import Security
from fieldpost_shared.kafka.settings import KafkaSettings

_LEAST_S: Final = 0.5  # for each address, however many there are
_PROBE_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class _Server:
    """One of the servers as the profile names it, and an address of it."""

    host: str
    port: int
    address: str

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class SocketProbe:
    """Later steps use what earlier ones found."""

    def __init__(self, settings: KafkaSettings, clock: Clock, seconds: float) -> None:
        self._settings = settings
        self._clock = clock
        self._seconds = seconds
        self._found: list[_Server] = []
        self._reached: _Server | None = None

    def find(self) -> str:
        """Look up the names; one that is found is enough."""
        failures = []
        for server in self._settings.servers:
            host, _, port = server.rpartition(":")
            try:
                addresses = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
            except (OSError, UnicodeError) as error:  # UnicodeError: a part of the name is too long
                failures.append(f"{server}: {_reason(error)}")
                continue
            self._found += [_Server(host.strip("[]"), int(port), str(item[4][0])) for item in addresses]
        if not self._found:
            raise FieldpostError(Code.SERVER_NOT_FOUND, "; ".join(failures))
        return ", ".join(dict.fromkeys(found.address for found in self._found))

    def reach(self) -> str:
        """Open a connection to one of the addresses."""
        deadline = self._clock.monotonic() + self._seconds
        failures = []
        for number, server in enumerate(self._found):
            left = (deadline - self._clock.monotonic()) / (len(self._found) - number)
            try:
                socket.create_connection((server.address, server.port), max(_LEAST_S, left)).close()
            except OSError as error:
                failures.append(f"{server}: {_reason(error)}")
                continue
            self._reached = server
            return str(server)
        raise FieldpostError(Code.NO_CONNECTION, "; ".join(dict.fromkeys(failures)))

    def secure(self) -> str | None:
        """Shake hands over TLS and check the server's certificate and name, as the Kafka library does."""
        security = self._settings.security
        if not security.protocol.tls:
            return None
        try:
            return self._shake_hands(_trust(security), self._seconds)
        except ssl.SSLCertVerificationError as error:
            raise FieldpostError(Code.NO_SECURE_CONNECTION, f"{self._reached}: {error.verify_message}") from None
        except OSError as error:  # ssl.SSLError is one
            raise FieldpostError(Code.NO_SECURE_CONNECTION, f"{self._reached}: {_reason(error)}") from None

    def expects_tls(self) -> bool:
        """Return whether a server that does not answer plain Kafka answers TLS; nothing is sent to it."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        try:
            self._shake_hands(context, _PROBE_S)
        except OSError:
            return False
        return True

    def _shake_hands(self, context: ssl.SSLContext, seconds: float) -> str:
        server = self._reached
        if server is None:
            raise OSError("no server was reached")
        with (
            socket.create_connection((server.address, server.port), seconds) as plain,
            context.wrap_socket(plain, server_hostname=server.host) as secured,
        ):
            return secured.version() or ""


def _trust(security: Security) -> ssl.SSLContext:
    pem = security.ca_pem.encode("ascii", "ignore").decode()  # Python takes no other characters, even in remarks
    context = ssl.create_default_context(cafile=security.ca_location or None, cadata=pem or None)
    # Newer Pythons are stricter about a CA's form than the Kafka library, which is the one that has to connect.
    context.verify_flags &= ~(ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN)
    return context


def _reason(error: OSError | UnicodeError) -> str:
    """Return a short reason: sometimes the system has none, and TLS errors carry a line number of the library."""
    if isinstance(error, ssl.SSLError):
        return (error.reason or type(error).__name__).lower().replace("_", " ")
    if isinstance(error, TimeoutError):
        return "no answer"
    return getattr(error, "strerror", None) or type(error).__name__
