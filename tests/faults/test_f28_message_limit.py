# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F28: the broker takes smaller messages than a part, from the start or from mid-file: smaller parts and a new id."""

from pathlib import Path
from typing import Final

from faults.bookkeeping import Case
from faults.scene import CHUNK, MB, Scene, Van
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.engine.model.file_row import FileRow
from support.brokers import Topics
from support.waiting import wait_until

SLOW: Final = {"FIELDPOST_BANDWIDTH_LIMIT": "3MB"}
USELESS: Final = 40_000  # no part that is worth sending fits


def limit(topics: Topics, size: int) -> None:
    topics.cluster.alter_config(topics.files, {"max.message.bytes": str(size)})


def row_of(van: Van, name: str) -> FileRow | None:
    return next((row for row in van.cli.rows() if row.path == f"in/{name}"), None)


def in_mid_file(van: Van, name: str) -> FileRow:
    """Some of its parts are acknowledged, others are still to be sent."""

    sql = "SELECT 1 FROM files JOIN chunks ON chunks.file = files.id WHERE path = ? AND state = 'sending' LIMIT 1"
    # This question alone: with thousands of rows to build, the seconds of mid-file are over before the answer.
    wait_until(lambda: van.rows(sql, f"in/{name}"), 60, f"{name} in mid-file")
    row = row_of(van, name)
    assert row is not None
    return row


def lower_in_mid_file(scene: Scene, van: Van, name: str, size: int, most: int) -> None:
    """The file goes again in parts that fit; the receiver forgets the old id."""
    van.load(name, size)
    van.send(env=SLOW)
    before = in_mid_file(van, name)
    assert before.chunk_size > most
    limit(scene.topics, most)
    scene.case.fault()
    van.finish()
    after = row_of(van, name)
    assert after is not None
    assert after.chunk_size < most
    assert after.transfer != before.transfer
    assert after.resends - before.resends == 1, "one refusal was enough"


def test_f28_a_limit_below_a_part_means_smaller_parts_and_a_new_id(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        van = scene.van()
        limit(secure_topics, 600_000)
        case.fault()
        van.load("small parts from the start.bin", 3 * MB)
        for number in range(case.size(50, 2_000)):
            van.load(f"packed/{number}.bin", 5_000)
        van.send()
        van.finish()
        found = row_of(van, "small parts from the start.bin")
        assert found is not None
        assert (found.chunk_size < 600_000, found.resends) == (True, 0)
        for number in range(case.size(1, 6)):
            below = case.random.randrange(150_000, 450_000)  # below a part, and still of use
            limit(secure_topics, 1_048_588)
            lower_in_mid_file(scene, van, f"{number}.bin", 9 * CHUNK, below)
        nothing_fits(scene, van)
        cancelled = scene.receiver.rows("SELECT 1 FROM transfers WHERE state = 'cancelled'")
        assert cancelled, "the receiver does not wait for what nobody will send"


def nothing_fits(scene: Scene, van: Van) -> None:
    """Nothing is tried for ever: it is said, and goes on when the limit is a useful one again."""
    limit(scene.topics, 1_048_588)
    van.load("nothing fits.bin", 6 * MB)
    van.send(env=SLOW)
    in_mid_file(van, "nothing fits.bin")
    limit(scene.topics, USELESS)
    scene.case.fault()
    ended = van.sendings[-1].wait().check(Exit.NEEDS_YOU)
    assert "Call support" in ended.out + ended.err
    limit(scene.topics, 1_048_588)
    van.send()
    van.finish()
