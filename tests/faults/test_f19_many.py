# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F19: thousands of small files among hundreds of transfers that never end: all arrive, nothing grows without bound."""

from pathlib import Path
from typing import Final

from faults.bookkeeping import Case
from faults.resources import Resources
from faults.scene import CHUNK, Scene, Sending
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_shared.ids import ClientName, new_transfer_id
from fieldpost_shared.protocol.messages import Cancel, FileFacts, encode
from reference_receiver.raw_sender import RawSender, SentFile
from support.brokers import Topics
from support.waiting import wait_until

PART: Final = 16_384
PARTS: Final = 3
A_ROW: Final = 1_500  # bytes of the ledger for a transfer, its letter and their indexes
AT_REST: Final = 8_000_000  # of the ledger and its log, whatever was sent
OPEN: Final = "SELECT count(*) AS n FROM transfers WHERE state = 'receiving'"


def never_ending(count: int) -> list[SentFile]:
    """Transfers of several senders; of each only the first part is ever sent."""
    content = bytes(PART * PARTS)
    made = []
    for number in range(count):
        client = ClientName(f"gone-{number % 20}")
        moment = 1_800_000_000_000_000_000 + number
        facts = FileFacts(client, new_transfer_id(moment), f"{number}.bin", len(content), PART, moment)
        made.append(SentFile(facts, content))
    return made


def open_now(scene: Scene) -> int:
    found = scene.receiver.rows(OPEN)
    return int(found[0]["n"]) if found else 0


def is_over_and_sampled(sending: Sending, resources: Resources) -> bool:
    resources.sample()
    return sending.is_over


def ledger_size(scene: Scene) -> int:
    return sum(path.stat().st_size for path in scene.receiver.state.glob("ledger.db*"))


def test_f19_many_small_files_arrive_among_transfers_that_never_end(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    count, small = case.size((500, 5_000), (10_000, 20_000))
    # Room for a single other transfer: files in parts wait for each other, small ones for nobody.
    scene = Scene(case, secure_topics, tmp_path, max_open_transfers=str(count + 1))
    van, raw = scene.van(), RawSender(secure_topics)
    for number in range(small):
        van.load(f"{number // 1_000}/{number}.txt", 1_000)
    for number in range(3):
        van.load(f"normal-{number}.bin", 2 * CHUNK + 1)
    with scene.judged():
        scene.receiver.start()
        resources = Resources(scene)
        files = never_ending(count)
        for partition in range(secure_topics.partitions):
            raw.send((file.chunk(0) for file in files[partition :: secure_topics.partitions]), partition)
        case.fault(count)
        wait_until(lambda: open_now(scene) >= count, 180, "all of them to be open")
        sending = van.send()
        wait_until(lambda: is_over_and_sampled(sending, resources), 480, "all other files to arrive")
        van.finish()
        assert open_now(scene) == count
        raw.send(encode(Cancel(file.facts.client, file.id)) for file in files)
        wait_until(lambda: open_now(scene) == 0, 180, "what was cancelled to be forgotten")
        case.demand(resources.violations())
        assert ledger_size(scene) < A_ROW * (count + small) + AT_REST
        assert van.cli.run("status").code == Exit.DONE
