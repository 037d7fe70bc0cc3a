# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""How clients reach a secure cluster: addresses, what to trust, users and their passwords."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # re-exported without saying so
    AdminClient,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialAlteration,
    UserScramCredentialUpsertion,
)

from devkafka.files import write_private
from devkafka.polling import poll_until

SCRAM_512: Final = "SCRAM-SHA-512"
USERS: Final = ("uploader", "receiver", "stranger")  # a stranger can sign in and has no rights
_MECHANISMS: Final = (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)  # the one we wait for comes last
_ROUNDS: Final = 4096  # the least that Kafka takes
_SIGN_IN_S: Final = 30.0


@dataclass(slots=True)
class Security:
    """The client's side of a secure cluster. Passwords stay out of its repr."""

    ca_path: Path
    bootstrap_servers: str
    passwords: dict[str, str] = field(repr=False)

    def client_config(self, user: str, mechanism: str = SCRAM_512) -> dict[str, str | int | float | bool]:
        """Settings for any client of confluent-kafka."""
        return {
            "bootstrap.servers": self.bootstrap_servers,
            "security.protocol": "SASL_SSL",
            "ssl.ca.location": str(self.ca_path),
            "sasl.mechanism": mechanism,
            "sasl.username": user,
            "sasl.password": self.passwords[user],
        }

    def write_client_file(self, user: str, path: Path) -> None:
        """The same as a file for `kcat -F`, readable by its owner only."""
        lines = [f"{key}={value}\n" for key, value in self.client_config(user).items()]
        write_private(path, "".join(lines).encode())


def new_passwords(users: Iterable[str]) -> dict[str, str]:
    """A random one for each user."""
    return {user: secrets.token_urlsafe(18) for user in users}


def store_passwords(admin: AdminClient, passwords: dict[str, str]) -> None:
    """Give the users their SCRAM passwords through the broker: on a command line anybody could read them."""
    for mechanism in _MECHANISMS:  # one request each: Kafka refuses a user who is named twice in the same one
        info = ScramCredentialInfo(mechanism, _ROUNDS)
        changes: list[UserScramCredentialAlteration] = [
            UserScramCredentialUpsertion(user, info, password.encode()) for user, password in passwords.items()
        ]
        for answer in admin.alter_user_scram_credentials(changes).values():
            answer.result(_SIGN_IN_S)


def wait_for_sign_in(security: Security, user: str, addresses: Sequence[str]) -> None:
    """Wait until every address lets the user in: each node hears of a new password a moment later."""
    for address in addresses:
        config = security.client_config(user)
        config |= {"bootstrap.servers": address, "reconnect.backoff.max.ms": 100, "log_level": 0}
        poll_until(partial(_lets_in, AdminClient(config)), _SIGN_IN_S, f"{address} to let {user} in")


def _lets_in(admin: AdminClient) -> bool:
    try:
        return bool(admin.list_topics(timeout=0.5).brokers)
    except KafkaException:
        return False
