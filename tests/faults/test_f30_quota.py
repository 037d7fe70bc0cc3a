# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F30: the broker lets the uploader send 100 KB a second only."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from devkafka.cluster import Cluster
from faults.bookkeeping import Case
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_shared.kafka.settings import DEFAULT_CLIENT_ID
from support.brokers import Topics
from support.processes.cli import Cli, office_for, write_profile
from support.samples import digest, make
from support.waiting import wait_until

RATE: Final = 100_000
CHUNK: Final = 983_040


@contextmanager
def quota(cluster: Cluster, rate: int) -> Iterator[None]:
    """For every uploader: they all bear the same client id."""
    cluster.set_quota(DEFAULT_CLIENT_ID, rate)
    try:
        yield
    finally:
        cluster.set_quota(DEFAULT_CLIENT_ID, None)


def test_f30_a_quota_slows_the_uploader_and_nothing_else_happens(case: Case, topics: Topics, tmp_path: Path) -> None:
    parts = case.size(2, 12)
    cli = Cli(tmp_path)
    cli.options = ("--profile", str(write_profile(tmp_path / "office.fieldpost", topics)))
    source = make(tmp_path, "a.bin", parts * CHUNK, case.random.randrange(2**32))
    case.moved(parts * CHUNK)
    with office_for(topics, tmp_path / "office") as office, quota(topics.cluster, RATE):
        case.fault()
        sending = cli.start("send", "--json", "a.bin")
        try:
            wait_until(office.seen.arrivals, 60, "the first part")
            assert sending.process.poll() is None, "the quota holds the rest back"
            ended = sending.wait(60 + 3 * parts * CHUNK // RATE).check(Exit.DONE)
        finally:
            cli.end()
        assert office.arrived() == {"van-7/a.bin": digest(source)}
        assert Counter(office.seen.arrivals().values()) == {1: parts}, "nothing timed out and was sent again"
    assert not [line for line in ended.objects if line.get("code")], "slow is no error"
    assert [(row.attempt, row.generation) for row in cli.rows()] == [(0, 1)]
