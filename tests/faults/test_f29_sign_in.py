# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F29: the password is another one, rights are taken away, the server's certificate has expired, in mid-work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devkafka.certificates import EXPIRED
from devkafka.cluster import Cluster
from devkafka.roles import Role
from faults.bookkeeping import Case
from faults.scene import CHUNK, Scene, Van
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.codes import Code
from support.brokers import StartBroker, Topics, lasting_topics
from support.waiting import wait_until

IN_TIME_S = 30.0
Mend = Callable[[], None]


@pytest.fixture
def topics(own_broker: StartBroker) -> Topics:
    """On a broker that shows what it shall, and forgets what it shall."""
    return lasting_topics(own_broker(secure=True))


@contextmanager
def another_password(cluster: Cluster, user: str) -> Iterator[None]:
    before = cluster.security.passwords[user]
    cluster.set_password(user, "somebody changed it")
    yield
    cluster.set_password(user, before)


@contextmanager
def no_rights(topics: Topics, role: Role) -> Iterator[None]:
    topics.cluster.revoke(role)
    yield
    topics.grant(role)


@contextmanager
def expired_certificate(cluster: Cluster) -> Iterator[None]:
    cluster.renew_certificates(EXPIRED)
    cluster.restart()
    yield
    cluster.renew_certificates()
    cluster.restart()


class Trouble:
    """What both ends say while something is wrong, and that they go on when it is mended."""

    def __init__(self, case: Case, scene: Scene) -> None:
        self._case, self._scene, self._number = case, scene, 0
        self._seen = 0

    def new_van(self) -> Van:
        """With a file, as large as to be under way still when something happens."""
        self._number += 1
        self._seen = len(self._scene.receiver.events())
        van = self._scene.van(f"van-{self._number}")
        van.load("a.bin", 10 * CHUNK)
        return van

    def receiver_names(self, code: Code) -> None:
        """In time, once or more since the last van was made: a reason that stays is logged once."""
        self._case.fault()

        def named() -> bool:
            return any(event.get("code") == code for event in self._scene.receiver.events()[self._seen :])

        wait_until(named, IN_TIME_S, f"the receiver's log to say {code}")


def test_f29_what_the_receiver_is_refused_is_named_and_it_goes_on_by_itself(
    case: Case, topics: Topics, tmp_path: Path
) -> None:
    cluster, scene = topics.cluster, Scene(case, topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        trouble = Trouble(case, scene)
        for _ in range(case.size(1, 2)):
            van = trouble.new_van()
            with another_password(cluster, Role.RECEIVER):
                van.send()
                trouble.receiver_names(Code.SIGN_IN_REFUSED)
            van.finish()
            van = trouble.new_van()
            with no_rights(topics, Role.RECEIVER):
                van.send()
                trouble.receiver_names(Code.MAY_NOT_SEND)
            van.finish()
            van = trouble.new_van()
            with expired_certificate(cluster):
                trouble.receiver_names(Code.NO_SECURE_CONNECTION)
                ended = van.send("in", "--timeout", "5").wait(IN_TIME_S).check(Exit.GAVE_UP)
                assert "(T1)" in ended.err + ended.out
            assert van.resume().code == Exit.DONE
        assert scene.receiver.stop() == 0, "it ran all the time"


def test_f29_what_the_sender_is_refused_in_mid_file_is_named_and_nothing_is_lost(
    case: Case, topics: Topics, tmp_path: Path
) -> None:
    """A person has to act: the command ends. The same command goes on when that was done."""
    cluster, scene = topics.cluster, Scene(case, topics, tmp_path)
    with scene.judged():
        van = scene.van()
        van.load("a.bin", 60 * CHUNK)
        slow = {"FIELDPOST_BANDWIDTH_LIMIT": "1MB"}
        sending = van.send(env=slow)
        under_way(van)
        with no_rights(topics, Role.UPLOADER):
            case.fault()
            assert "(A2)" in sending.wait(IN_TIME_S).check(Exit.NEEDS_YOU).err
        sending = van.send(env=slow)
        under_way(van)
        with another_password(cluster, Role.UPLOADER):
            cluster.restart()  # who is signed in stays so for as long as the connection lives
            case.fault()
            assert "(A1)" in sending.wait(IN_TIME_S).check(Exit.NEEDS_YOU).err
        sending = van.send(env=slow)
        under_way(van)
        if case.is_long:  # after half a minute of patience it tries again once a minute
            with expired_certificate(cluster):
                case.fault()
                sending.running.says("(T1)", 60)
        sending.kill()
        van.send()
        scene.receiver.start()
        van.finish()


def under_way(van: Van) -> None:
    wait_until(lambda: [row.state for row in van.cli.rows()] == [FileState.SENDING], IN_TIME_S, "parts to be sent")
