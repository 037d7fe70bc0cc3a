# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The least rights of both ends, as the protocol's section on trust lists them. No group, no cluster."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # re-exported without saying so


class Role(StrEnum):
    """Which end of the post."""

    UPLOADER = "uploader"
    RECEIVER = "receiver"


@dataclass(frozen=True, slots=True)
class Rights:
    """Operations allowed on each of the two topics."""

    files: tuple[AclOperation, ...]
    status: tuple[AclOperation, ...]


RIGHTS: Final[Mapping[Role, Rights]] = MappingProxyType(
    {
        Role.UPLOADER: Rights(
            files=(AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS),
            status=(AclOperation.READ, AclOperation.DESCRIBE),
        ),
        Role.RECEIVER: Rights(
            files=(AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS),
            status=(AclOperation.WRITE, AclOperation.DESCRIBE),
        ),
    }
)
