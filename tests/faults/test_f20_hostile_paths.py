# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F20: hostile paths as real messages through the whole receiver: nothing outside the root, one verdict for each."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from faults.bookkeeping import Case
from faults.raw_records import packed_by_hand, rig_in_memory, with_headers
from faults.test_f21_windows_names import is_a_windows_path
from fieldpost_shared.ids import ClientName
from fieldpost_shared.names import from_disk
from fieldpost_shared.protocol.limits import MAX_HEADER_VALUE, MAX_PACK_INDEX
from fieldpost_shared.protocol.messages import Record
from fieldpost_shared.protocol.status import Rejected
from oracle import Surroundings
from support.receiver.rig import Rig, Sent, sha256

CORPUS: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "unit/shared/names_corpus.json").read_text(encoding="utf-8")
)


def spelled_out(value: str | dict[str, Any]) -> str:
    """A text of the corpus; long ones are written as what to repeat, how often, and what comes then."""
    if isinstance(value, str):
        return value
    piece, times = value["repeat"]
    return str(piece) * int(times) + str(value.get("then", ""))


@dataclass(frozen=True)
class Hostile:
    """A path of the corpus, sent by a client of its own so that no two share a folder."""

    number: int
    path: str
    on_disk: str  # "" if it must be refused
    prefix: str = "c"

    @property
    def file(self) -> Sent:
        return Sent(
            10_000 + self.number, "stand-in", f"{self.number}".encode(), ClientName(f"{self.prefix}{self.number}")
        )

    def records(self, *, packed: bool) -> list[Record]:
        """As chunk and end, or as a pack; the path as its bytes would come."""
        file = self.file
        if not packed:
            raw = self.path.encode("utf-8", "surrogatepass")
            return [with_headers(record, {"path": raw}) for record in (file.chunk(0), file.end())]
        entry = {"transfer": file.id, "path": self.path, "size": len(file.content), "mtime": 5}
        return [packed_by_hand({"files": [entry | {"sha256": sha256(file.content)}]}, file.content, client=file.client)]


def check_all_arrived(rig: Rig, sent: list[Hostile]) -> None:
    expected = {f"{one.file.client}/{one.on_disk}": one.file.content for one in sent if one.on_disk}
    assert rig.tree() == expected
    assert rig.leftovers() == []


@pytest.mark.parametrize("packed", [False, True], ids=["chunks", "pack"])
def test_f20_hostile_paths_get_their_verdict_and_nothing_leaves_the_root(case: Case, packed: bool) -> None:
    sent = [Hostile(number, spelled_out(one["path"]), spelled_out(one["on_disk"])) for number, one in enumerate(CORPUS)]
    with rig_in_memory() as rig:
        state = rig.config.receiver.state_dir
        around = Surroundings.look(rig.folder.parent, rig.destination, [state])
        rig.judge_receipts = False  # by the whole tree each time; it is looked at in the end
        rig.topic.send(*(one.records(packed=packed) for one in case.random.sample(sent, len(sent))))
        rig.settle()
        case.fault(len(sent))
        check_all_arrived(rig, sent)
        assert around.now() == around.before, "nothing beside the root"
        refused = {one.file.id for one in sent if not one.on_disk}
        assert len(refused) >= 100
        told = {event.transfer: event.code for event in rig.said if isinstance(event, Rejected)}
        silent = {one.file.id for one in sent if _is_no_header(one.path) and not (packed and _fits_an_index(one.path))}
        assert {key for key, code in told.items() if code == "name_refused"} == refused - silent
        assert sum(rig.job.quarantine.counts().values()) >= len(refused)


def _is_no_header(path: str) -> bool:
    """So broken or so long that the headers as a whole are refused: then there is nobody to answer."""
    try:
        return len(path.encode()) > MAX_HEADER_VALUE
    except UnicodeEncodeError:
        return True


def _fits_an_index(path: str) -> bool:
    return len(json.dumps(path)) < MAX_PACK_INDEX


@pytest.mark.parametrize(
    "client", ["CON", "nul.txt", "a.", "com1.", "AUX.b", "..", "a/b", ".fieldpost", "C:", "a\\b", ""]
)
def test_f20_a_hostile_client_name_is_mapped_or_refused_like_a_path(case: Case, client: str) -> None:
    file = Sent(1, "a.txt", b"x")
    with rig_in_memory() as rig:
        around = Surroundings.look(rig.folder.parent, rig.destination, [rig.config.receiver.state_dir])
        rig.take(*(with_headers(record, {"client": client}) for record in (file.chunk(0), file.end())))
        case.fault()
        if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", client):
            (name,) = rig.tree()
            assert is_a_windows_path(name)
            assert from_disk(name) == f"{client}/a.txt"
        else:
            assert rig.tree() == {}
            assert rig.job.quarantine.counts() == {"bad_client": 2}
        assert around.now() == around.before
