# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The parts that every byte passes: cutting and hashing a chunk, checking one, the engine without a receiver."""

import hashlib
import os
import time
from collections.abc import Callable
from typing import Final, cast

from bench.contender import line, sender_on
from bench.measuring import Run, in_turn, watched
from bench.scenarios import OURS, Bench, Scenario
from bench.sources import noise, renamed
from bench.worker import Worker
from devkafka.roles import Role
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.chunks import DEFAULT_CHUNK_SIZE, ChunkIndex
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import Chunk, FileFacts, decode, encode, make_chunk, open_chunk

PART: Final = os.urandom(DEFAULT_CHUNK_SIZE)
FACTS: Final = FileFacts(
    ClientName("van-7"), TransferId("0" * 32), "bench/file.bin", DEFAULT_CHUNK_SIZE, DEFAULT_CHUNK_SIZE, 1
)
RECORD: Final = encode(make_chunk(FACTS, ChunkIndex(0), PART, Encoding.IDENTITY))
PARTS: Final = 300
HASH: Final = "SHA-256 alone"


def chunks(bench: Bench) -> list[Scenario]:
    """Against nothing but the hash that cannot be left out."""
    hashing = _loop(lambda: hashlib.sha256(PART).hexdigest())
    encoding = _loop(lambda: encode(make_chunk(FACTS, ChunkIndex(0), PART, Encoding.IDENTITY)))
    decoding = _loop(lambda: open_chunk(cast("Chunk", decode(RECORD.key, RECORD.headers, RECORD.value))))
    return [
        Scenario("encode", "Encode a chunk with its hash", in_turn({OURS: encoding, HASH: hashing}, bench.rounds)),
        Scenario("decode", "Decode and check a chunk", in_turn({OURS: decoding, HASH: hashing}, bench.rounds)),
    ]


def _loop(work: Callable[[], object]) -> Callable[[int], Run]:
    def run(_: int) -> Run:
        began = time.perf_counter()
        for _part in range(PARTS):
            work()
        return Run(time.perf_counter() - began, PARTS * len(PART))

    return run


def engine(bench: Bench, size: int) -> Scenario:
    """The engine with its journal, until every part is acknowledged, against a plain producer with both hashes."""
    source = noise(bench.folder / "engine" / "file.bin", size)
    with line(bench.cluster, bench.folder / "engine") as way, sender_on(way, "van-engine") as sender:
        kafka, partitions = way.kafka(Role.UPLOADER), way.topics.partitions

        def ours(number: int) -> Run:
            with watched({"engine": [sender.pid]}, size) as done:
                sender.ask(paths=[str(renamed(source, number))], files=1, until=FileState.SENT)
            return done[0]

        def plain(_: int) -> Run:
            with Worker("plain", kafka=kafka, partitions=partitions) as producer:
                with watched({"producer": [producer.pid]}, size) as done:
                    producer.ask(do="produce", path=str(source))
                return done[0]

        runs = in_turn({OURS: ours, "plain producer": plain}, bench.rounds)
    return Scenario("engine", f"The uploader alone, {size >> 20} MiB until acknowledged", runs)
