# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for valid messages; tests of both ends build on them."""

import hashlib
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from fieldpost_shared import names
from fieldpost_shared.chunks import ChunkIndex
from fieldpost_shared.codes import Code
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol import limits, status
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import Cancel, Chunk, End, FileFacts, Message, Pack, make_chunk
from fieldpost_shared.protocol.packs import PackedFile, make_pack

clients = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z").map(ClientName)
transfers = st.integers(0, 2**128 - 1).map(lambda number: TransferId(f"{number:032x}"))
digests = st.binary(min_size=32, max_size=32).map(bytes.hex)
encodings = st.sampled_from(Encoding)
paths = (
    st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4)
    .map("/".join)
    .filter(lambda path: names.judge(path).kind is not names.Kind.REFUSED)
)
mtimes = st.integers(limits.MIN_MTIME, limits.MAX_MTIME)
rounds = st.integers(0, limits.MAX_ROUND)


def facts(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[FileFacts]:
    """File facts of the given sizes."""
    chunk_sizes = st.integers(limits.MIN_CHUNK_SIZE, limits.MAX_CHUNK_SIZE)
    return st.builds(FileFacts, clients, transfers, paths, sizes, chunk_sizes, mtimes)


@st.composite
def chunks(draw: st.DrawFn) -> Chunk:
    """A last chunk of a file that may claim to be huge, so that examples stay small."""
    tail = draw(st.binary(min_size=1, max_size=300))
    about = draw(facts(st.just(1)))
    whole = draw(st.integers(0, limits.MAX_SIZE // about.chunk_size - 1))
    about = FileFacts(
        about.client, about.transfer, about.path, whole * about.chunk_size + len(tail), about.chunk_size, about.mtime_ns
    )
    return make_chunk(about, ChunkIndex(whole), tail, draw(encodings))


def packed_file(transfer: TransferId, path: str, mtime: int, body: bytes) -> PackedFile:
    """A member with its true hash."""
    return PackedFile(transfer, path, mtime, hashlib.sha256(body).hexdigest(), body)


members = st.lists(
    st.builds(packed_file, transfers, paths, mtimes, st.binary(max_size=50)),
    min_size=1,
    max_size=6,
    unique_by=lambda file: file.transfer,
)
packs: st.SearchStrategy[Pack] = st.builds(make_pack, clients, members, encodings)
ends = st.builds(End, facts(st.integers(0, limits.MAX_SIZE)), digests, rounds)
cancels = st.builds(Cancel, clients, transfers)
messages: st.SearchStrategy[Message] = st.one_of(chunks(), ends, cancels, packs)

_ranges = st.lists(st.integers(0, limits.MAX_SIZE), max_size=20, unique=True).map(
    lambda cuts: tuple(zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False))
)
_texts = st.text(max_size=limits.MAX_TEXT)
_events: st.SearchStrategy[status.Event] = st.one_of(
    st.integers(0, limits.MAX_SIZE).flatmap(
        lambda count: st.builds(
            status.Progress, transfers, st.integers(0, count), st.just(count), st.sampled_from(status.Phase)
        )
    ),
    st.builds(status.Received, transfers, st.integers(0, limits.MAX_SIZE), digests, st.booleans(), st.booleans()),
    st.builds(status.Missing, transfers, _ranges, rounds, st.sampled_from(status.MissingReason)),
    st.builds(status.Rejected, transfers, st.sampled_from(Code).map(str), _texts),
    st.builds(
        status.Notice,
        st.sampled_from(status.ReceiverState),
        _texts,
        st.dictionaries(st.integers(0, 999_999_999), st.integers(0, limits.MAX_SIZE), max_size=5),
    ),
)
_moments = st.integers(0, 10**13).map(lambda ms: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms))
statuses = st.builds(status.Status, st.none() | clients, clients, _moments, _events)
