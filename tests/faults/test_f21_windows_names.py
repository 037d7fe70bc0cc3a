# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F21: names that Windows takes for something else arrive under names that every system stores, and are mapped back."""

import re
from itertools import product
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.raw_records import rig_in_memory
from fieldpost_shared.ids import ClientName
from fieldpost_shared.names import from_disk
from support.receiver.rig import Sent, pack

DEVICES: Final = [
    "CON",
    "prn",
    "Aux",
    "nul",
    "COM1",
    "com9",
    "LPT1",
    "lpt9",
    "COM\u00b9",
    "lpt\u00b3",
    "CONIN$",
    "conout$",
]
DRESSES: Final = ["{}", "{}.txt", "{}.tar.gz", "{} .txt", "{}/a", "a/{}", "a/{}.b/c"]
ENDINGS: Final = ["a.", "a ", "a..", "a. .", "a./b", "a /b", "a/b.", "...a.", ". .", "a\u00a0."]
STREAMS: Final = ["aa:b", "a.txt::$DATA", "aa:$I30:$INDEX_ALLOCATION/b", "ab:stream", "a/b:c/d", "::"]
WINDOWS_NAMES: Final = [*(dress.format(name) for name, dress in product(DEVICES, DRESSES)), *ENDINGS, *STREAMS]


def is_a_windows_path(path: str) -> bool:
    """After Microsoft's "Naming Files, Paths, and Namespaces"; shares no code with ours."""
    device = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\xb9\xb2\xb3]) *(\.|$)", re.IGNORECASE)
    return all(
        part and part[-1] not in ". " and not re.search(r'[\x00-\x1f<>:"\\|?*]', part) and not device.match(part)
        for part in path.split("/")
    )


@pytest.mark.parametrize("packed", [False, True], ids=["chunks", "pack"])
def test_f21_names_of_windows_arrive_mapped_and_can_be_mapped_back(case: Case, packed: bool) -> None:
    files = [
        Sent(number, path, f"{number}".encode(), ClientName(f"c{number}"))
        for number, path in enumerate(WINDOWS_NAMES, 1)
    ]
    with rig_in_memory() as rig:
        rig.judge_receipts = False  # by the whole tree each time; it is looked at in the end
        for file in files:
            rig.topic.send(pack(file) if packed else [file.chunk(0), file.end()])
        rig.settle()
        case.fault(len(files))
        tree = rig.tree()
        assert {from_disk(name): content for name, content in tree.items()} == {
            f"{file.client}/{file.path}": file.content for file in files
        }
        assert [name for name in tree if not is_a_windows_path(name)] == []
        assert [name for name in tree if name == from_disk(name)] == [], "each of them had to be mapped"
