# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The steps of the connection test that ask the broker: sign-in, rights, size limit."""

from collections.abc import Callable
from typing import Final

from fieldpost_desktop.engine.link.broker_admin import DEFAULT_LIMIT, BrokerAdmin
from fieldpost_shared.chunks import KIB, chunk_size_for
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.kafka.settings import KafkaSettings

_OVERHEAD: Final = 2 * KIB  # key, headers with the longest path, and the batch around them


class BrokerProbe:
    """What each step says when it went well."""

    def __init__(self, settings: KafkaSettings, clock: Clock, seconds: float, expects_tls: Callable[[], bool]) -> None:
        self._settings = settings
        self._expects_tls = expects_tls
        self._asked_for_tls = False
        self._admin = BrokerAdmin(settings, clock, seconds=seconds, suspicion=self._suspect_tls)

    def sign_in(self) -> str | None:
        """Return the user name that the broker accepts; None if it wants none."""
        security = self._settings.security
        if not security.protocol.sasl:
            return None
        if security.missing():
            raise FieldpostError(Code.SIGN_IN_REFUSED, "no user name or password was given")
        self._admin.ask(lambda admin, seconds: admin.describe_cluster(request_timeout=seconds))
        return security.username

    def may_write(self) -> str:
        """Return the files topic, if it is there and may be written to."""
        self._admin.files_partitions()
        return self._settings.files_topic

    def limit(self) -> str:
        """Return how large a message may be; without the right to ask a broker's default, as the sender does."""
        limit = self._admin.message_limit()
        if limit is None:
            return f"{DEFAULT_LIMIT} bytes, taken for granted: this account may not read it"
        chunk_size_for(limit, _OVERHEAD, None)
        return f"{limit} bytes"

    def status_partitions(self) -> int:
        """Return the partitions of the status topic; raise without the right to read it."""
        return self._admin.status_partitions()

    def _suspect_tls(self) -> None:
        """Ask once over TLS: a server that wants TLS says nothing at all to a plain client."""
        protocol = self._settings.security.protocol
        if protocol.tls or self._asked_for_tls:
            return
        self._asked_for_tls = True
        if self._expects_tls():
            other = "SASL_SSL" if protocol.sasl else "SSL or SASL_SSL"
            raise SettingsError("security_protocol", f"{protocol} is set, but the server wants TLS; use {other}")
