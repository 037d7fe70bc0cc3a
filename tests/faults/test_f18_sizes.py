# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F18: files of 0 bytes, around one part, and beyond 2 and 4 GiB arrive whole in flat memory.

The real uploader and receiver send what the disk holds in the time; parts of larger ones are read, encoded, written and
counted at their real places in sparse files.
"""

import hashlib
import os
from pathlib import Path
from typing import Final

import pytest

from faults.bookkeeping import Case
from faults.scene import CHUNK, Scene
from fieldpost_desktop.engine.sources.file_probe import file_version
from fieldpost_desktop.engine.sources.file_reader import SourceReader
from fieldpost_receiver.storage.folder.staging_writer import FolderStagingWriter
from fieldpost_receiver.storage.folder.working_folder import create_working_folders
from fieldpost_shared.bitmap import ChunkSet
from fieldpost_shared.chunks import ChunkIndex, ChunkPlan
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import Chunk, FileFacts, decode, encode, make_chunk, open_chunk
from support.brokers import Topics

GIB: Final = 2**30
EDGES: Final = (0, 1, CHUNK - 1, CHUNK, CHUNK + 1)
BEYOND: Final = (2**31 - 1, 2**31 + 1, 2**32 + 1, 100 * 10**9)
TRANSFER: Final = TransferId("0190f3a2b4c57d8e9fa0b1c2d3e4f506")


def sparse(path: Path, size: int) -> Path:
    """Zeros that take no room, with a mark at each end and around 2 GiB."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for place in (0, 2 * GIB - 8, 4 * GIB - 8, size - 8):
            if 0 <= place <= size - 8:
                file.seek(place)
                file.write(place.to_bytes(8, "big"))
        file.truncate(size)
    return path


def test_f18_files_of_every_edge_size_arrive_in_flat_memory(case: Case, secure_topics: Topics, tmp_path: Path) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        scene.receiver.start()
        van = scene.van()
        for size in EDGES:
            van.load(f"{size}.bin", size)
        if case.is_long:
            size = case.random.choice([2**31 - 1, 2**31 + 1])
            van.known(sparse(van.inbox / f"sparse-{size}.bin", size))
        van.send()
        van.finish(480)
        assert len(scene.receiver.files()) == len(van.cli.rows())


@pytest.mark.parametrize("size", BEYOND)
def test_f18_parts_beyond_2_and_4_gib_keep_their_bytes_and_their_places(case: Case, tmp_path: Path, size: int) -> None:
    """From the source through the message into the staging file, for the parts at both ends and at each edge."""
    source = sparse(tmp_path / "source.bin", size)
    plan = ChunkPlan(size, CHUNK)
    reader = SourceReader(str(source), file_version(str(source)), plan, Encoding.IDENTITY)
    facts = FileFacts(ClientName("van-7"), TRANSFER, "source.bin", size, CHUNK, 0)
    edges = {0, (2 * GIB - 8) // CHUNK, 2 * GIB // CHUNK, 4 * GIB // CHUNK, plan.count // 2, plan.count - 1}
    (tmp_path / "destination").mkdir()
    create_working_folders(tmp_path / "destination")
    have = ChunkSet(plan.count)
    with FolderStagingWriter(tmp_path / "destination") as staging:
        for index in sorted(ChunkIndex(edge) for edge in edges if edge < plan.count):
            part = reader.read(index, None)
            arrived = carried(facts, index, part.plain)
            staging.write(TRANSFER, "0" * 16, plan.offset(arrived.index), open_chunk(arrived))
            have.add(arrived.index)
            case.moved(len(part.plain))
        staging.sync()
    reader.close()
    (staged,) = (tmp_path / "destination").rglob("*.part")
    for index in map(ChunkIndex, edges & set(range(plan.count))):
        assert piece(staged, plan, index) == piece(source, plan, index)
    assert staged.stat().st_size == size
    assert staged.stat().st_blocks * 512 < 20 * CHUNK, "nothing but what was sent takes room"
    assert sum(last - first + 1 for first, last in have.missing_ranges(1_000)) == plan.count - len(have)


def carried(facts: FileFacts, index: ChunkIndex, plain: bytes) -> Chunk:
    """What comes out of the message that carries a part."""
    record = encode(make_chunk(facts, index, plain, Encoding.IDENTITY))
    message = decode(record.key, record.headers, record.value)
    assert isinstance(message, Chunk)
    assert message.facts == facts
    return message


def piece(path: Path, plan: ChunkPlan, index: ChunkIndex) -> str:
    file = os.open(path, os.O_RDONLY)
    try:
        return hashlib.sha256(os.pread(file, plan.length(index), plan.offset(index))).hexdigest()
    finally:
        os.close(file)
