# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Something is away for a while, and what the others do meanwhile and afterwards."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from devkafka.cluster import Cluster
from faults.scene import Scene, Van
from support.waiting import wait_until

MOVES_S: Final = 120.0
COMPLAINTS: Final = ("Trying again", "No connection", "Needs you", "stuck")


def last(seconds: float) -> None:
    """This is how long the fault lasts: no wait for an effect."""
    threading.Event().wait(seconds)


@contextmanager
def down(cluster: Cluster, node: int = 1) -> Iterator[None]:
    """A node is killed; afterwards it runs again, whatever happened."""
    cluster.kill(node)
    try:
        yield
    finally:
        cluster.restart(node)


@contextmanager
def frozen(cluster: Cluster) -> Iterator[None]:
    cluster.pause()
    try:
        yield
    finally:
        cluster.resume()


def wait_under_way(van: Van) -> None:
    """The newest large file is being sent: the broker has the first part of it."""
    sql = (
        "SELECT (SELECT count(*) FROM chunks WHERE file = files.id) AS parts, state FROM files ORDER BY id DESC LIMIT 1"
    )

    def acknowledged() -> bool:
        return any(row["parts"] > 0 or row["state"] in {"sent", "confirmed"} for row in van.rows(sql))

    wait_until(acknowledged, MOVES_S, "the first part")


def wait_for_more(scene: Scene, parts: int = 1) -> None:
    """Both ends work: parts are sent, read and written now; or everything has been."""
    goal = scene.staged() + parts
    wait_until(
        lambda: scene.staged() >= goal or all(van.sendings[-1].is_over for van in scene.vans.values()),
        MOVES_S,
        "more parts to arrive",
    )


def wait_connected(van: Van) -> None:
    """The broker takes parts again: what arrives at the office may be an older backlog."""

    def parts() -> int:
        rows = van.rows("SELECT count(*) AS n FROM chunks")
        return int(rows[0]["n"]) if rows else 0

    before = parts()
    wait_until(lambda: parts() > before or van.sendings[-1].is_over, MOVES_S, "the uploader to go on")


def complaints(van: Van) -> list[str]:
    """What the person at the uploader had to read that is no good news."""
    said = [line for sending in van.sendings for line in [*sending.running.out, *sending.running.err]]
    return [line for line in said if any(words in line for words in COMPLAINTS)]
