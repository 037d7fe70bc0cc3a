# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F16: many senders, one name; one file twice; a file that changes while it is sent: each content whole, none mixed."""

from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.scene import CHUNK, MB, Scene, Van
from fieldpost_desktop.commands.exit_codes import Exit
from oracle.evidence import file_digest
from support.brokers import Topics
from support.samples import make
from support.waiting import wait_until

SIZES: Final = (0, 5_000, CHUNK // 2, 2 * CHUNK + 1)  # alone in an `end`, in packs, in parts
SLOW: Final = {"FIELDPOST_BANDWIDTH_LIMIT": "4MB"}


class Crowd:
    """Senders whose files all wish for the same names: the layout of this office leaves the sender out."""

    def __init__(self, scene: Scene, senders: int, names: int) -> None:
        self.scene = scene
        self.vans = [scene.van(f"van-{number}") for number in range(senders)]
        self.wished: dict[str, set[str]] = defaultdict(set)  # the contents under each name
        self.names = [f"{number}.bin" for number in range(names)]
        for van in self.vans:
            for number, name in enumerate(self.names):
                self.note(van.load(name, SIZES[number % len(SIZES)]))
            self.note(van.load("equal.bin", 2 * CHUNK, seed=1))

    def note(self, path: Path) -> Path:
        self.wished[path.name].add(file_digest(path))
        return path

    def twin(self) -> None:
        """Another computer with the name and account of the first one, as when a disk was cloned."""
        van = self.vans[0]
        for number, name in enumerate(self.names):
            seed = self.scene.case.random.randrange(2**32)
            path = self.note(make(van.cli.folder / "twin" / "in", name, SIZES[number % len(SIZES)], seed))
            self.scene.source(van.name, f"in/{name}").versions[file_digest(path)] = path.stat().st_size
        van.send("--data-dir", str(van.cli.folder / "twin-data"), "twin/in")


def change_in_mid_file(van: Van, size: int) -> None:
    """In place and of the same size: only its time tells."""
    path = van.load("changing.bin", size)
    van.send(env=SLOW)
    journaled = "SELECT 1 FROM chunks JOIN files ON files.id = chunks.file WHERE path = 'in/changing.bin'"
    wait_until(lambda: van.rows(journaled), 60, "some of its parts to be acknowledged")
    van.known(make(van.inbox, path.name, size, 2))


@pytest.mark.parametrize("policy", ["keep-both", "reject"])
def test_f16_many_senders_of_one_name_keep_their_contents_apart(
    case: Case, secure_topics: Topics, tmp_path: Path, policy: str
) -> None:
    if policy == "reject" and not case.is_long:
        pytest.skip("in the long run; in process: tests/unit/receiver/jobs/files/test_publish.py")
    scene = Scene(case, secure_topics, tmp_path, layout="{path}", on_conflict=policy)
    scene.name_of = lambda _client, path: path
    senders, names = case.size((3, 4), (12, 20))
    crowd = Crowd(scene, senders, names)
    with scene.judged():
        scene.receiver.start()
        last = crowd.vans[-1]
        change_in_mid_file(last, case.size(6, 20) * MB)
        crowd.wished["changing.bin"] = {file_digest(last.inbox / "changing.bin")}
        for van in crowd.vans[:-1]:
            van.send()
        crowd.twin()
        case.fault(senders * names)
        end_all(crowd, policy)
        crowd.vans[0].send()  # all of it once more
        end_all(crowd, policy)
        judge(crowd, policy)


def end_all(crowd: Crowd, policy: str) -> None:
    """Confirmed; or where names are refused, told so."""
    for van in crowd.vans:
        for sending in van.sendings:
            if not sending.is_over or sending is van.sendings[-1]:
                ended = sending.wait(150)
                ended.check(Exit.DONE if policy == "keep-both" or ended.code == Exit.DONE else Exit.NEEDS_YOU)


def judge(crowd: Crowd, policy: str) -> None:
    """Every content once; or where names are refused, one of them."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, path in crowd.scene.receiver.files().items():
        found[name.removeprefix("in/").split(" (")[0].removesuffix(".bin") + ".bin"].append(file_digest(path))
    assert found.keys() == crowd.wished.keys()
    for name, contents in crowd.wished.items():
        if policy == "keep-both":
            assert sorted(found[name]) == sorted(contents), name
        else:
            assert len(found[name]) == 1, name
            assert set(found[name]) <= contents, name
