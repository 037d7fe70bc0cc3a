# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""docs/protocol.md and its recorded examples say what the code does: every record, limit, header, kind and code."""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from fieldpost_shared import bitmap, chunks, ids, names
from fieldpost_shared.chunks import ChunkIndex, files_partition, status_partition
from fieldpost_shared.codes import CODES, Code
from fieldpost_shared.errors import ProtocolError
from fieldpost_shared.ids import ClientName, TransferId
from fieldpost_shared.protocol import headers, limits
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import (
    Chunk,
    End,
    FileFacts,
    Kind,
    Message,
    Pack,
    Record,
    decode,
    encode,
    make_chunk,
    open_chunk,
)
from fieldpost_shared.protocol.packs import PackedFile, make_pack, unpack
from fieldpost_shared.protocol.status import MissingReason, Phase, ReceiverState, decode_status, encode_status

DOCS: Final = Path(__file__).parents[3] / "docs"
TEXT: Final = (DOCS / "protocol.md").read_text(encoding="utf-8")
FOUND: Final[dict[str, Any]] = json.loads((DOCS / "protocol-examples.json").read_text(encoding="utf-8"))
FILES_TOPIC: Final = "fieldpost.files"
RECORDS: Final[list[dict[str, Any]]] = FOUND["records"]
NEWER: Final[list[dict[str, Any]]] = FOUND["from a newer minor version"]
REFUSED: Final[list[dict[str, Any]]] = FOUND["refused"]
ON_FILES: Final = [example for example in RECORDS if example["topic"] == FILES_TOPIC]
ON_STATUS: Final = [example for example in RECORDS if example["topic"] != FILES_TOPIC]
BY_NAME: Final = {example["name"]: example for example in RECORDS}
PARTITIONS: Final = 8
READERS: Final[Mapping[str, Callable[[str], bytes]]] = {"utf8": str.encode, "base64": b64decode, "hex": bytes.fromhex}


def named(example: Mapping[str, Any]) -> str:
    name: str = example["name"]
    return name


def as_bytes(value: str | Mapping[str, str]) -> bytes:
    """Text stands as it is; other bytes say how they are written."""
    if isinstance(value, str):
        return value.encode()
    ((how, data),) = value.items()
    return READERS[how](data)


def key_of(example: Mapping[str, Any]) -> bytes | None:
    return None if example["key"] is None else as_bytes(example["key"])


def record_of(example: Mapping[str, Any]) -> Record:
    pairs = [(name, as_bytes(value)) for name, value in example["headers"]]
    return Record(key_of(example) or b"", pairs, as_bytes(example["value"]))


def message_of(example: Mapping[str, Any]) -> Message:
    record = record_of(example)
    return decode(record.key, record.headers, record.value)


def open_all(example: Mapping[str, Any]) -> None:
    """Whatever a reader does before bytes reach the disk."""
    if example["topic"] != FILES_TOPIC:
        decode_status(key_of(example), as_bytes(example["value"]))
        return
    message = message_of(example)
    if isinstance(message, Chunk):
        open_chunk(message)
    if isinstance(message, Pack):
        unpack(message)


def facts_told(facts: FileFacts) -> dict[str, Any]:
    told = {"client": facts.client, "transfer": facts.transfer, "path": facts.path, "size": facts.size}
    return told | {"chunk.size": facts.chunk_size, "mtime": facts.mtime_ns}


def file_told(file: PackedFile) -> dict[str, Any]:
    told = {"transfer": file.transfer, "path": file.path, "size": len(file.body), "mtime": file.mtime_ns}
    return told | {"sha256": file.sha256, "body": file.body.decode()}


def packed(pack: Pack) -> list[PackedFile]:
    return [member for member in unpack(pack) if isinstance(member, PackedFile)]


def told_by(message: Message) -> dict[str, Any]:
    """The message in the words of the examples' `decodes to`."""
    match message:
        case Chunk(facts=facts, index=index):
            told = {"kind": "chunk"} | facts_told(facts)
            told |= {"index": index, "sha256": message.sha256, "encoding": message.encoding}
            told |= {"offset": facts.plan.offset(index), "count": facts.plan.count}
            return told | {"plain.length": len(open_chunk(message))}
        case End():
            return {"kind": "end"} | facts_told(message.facts) | {"sha256": message.sha256, "round": message.round}
        case Pack():
            told = {"kind": "pack", "client": message.client, "encoding": message.encoding, "length": message.length}
            return told | {"files": [file_told(file) for file in packed(message)]}
    return {"kind": "cancel", "client": message.client, "transfer": message.transfer}


def made_again(message: Message) -> Message:
    """The message from its plain bytes, as a sender makes it."""
    match message:
        case Chunk():
            return make_chunk(message.facts, message.index, open_chunk(message), message.encoding)
        case Pack():
            return make_pack(message.client, packed(message), message.encoding)
    return message


def shown(example: Mapping[str, Any]) -> str:
    """The example as the document quotes it."""
    if example["topic"] != FILES_TOPIC:
        key = "(none)" if example["key"] is None else example["key"]
        return f"key: {key}\n{example['value']['utf8']}"
    lines = [f"key: {example['key']}", *(f"{name}: {value}" for name, value in example["headers"])]
    value = as_bytes(example["value"])
    if "base64" in example["value"] and ["encoding", "zstd"] in example["headers"]:
        lines.append(f"value (base64): {example['value']['base64']}")
    else:
        lines.append(
            f"value (escaped): {value.decode().encode('unicode_escape').decode()}" if value else "value: empty"
        )
    return "\n".join(lines)


def section(title: str) -> str:
    """What stands under a heading, up to the next of its rank or a higher one."""
    found = re.search(rf"^(#+) {re.escape(title)}$", TEXT, re.MULTILINE)
    assert found, f"docs/protocol.md has no section {title}"
    after = TEXT[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", after, re.MULTILINE)
    return after[: end.start()] if end else after


def rows(text: str, first_column: str) -> list[list[str]]:
    """The rows of the table in the text whose first column has that heading."""
    found = re.search(rf"^\| {re.escape(first_column)} \|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found, f"docs/protocol.md has no table of {first_column}"
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in found[1].splitlines()]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def constants() -> Iterator[tuple[str, int]]:
    """Every number of protocol/limits.py, and those of other modules that the document names."""
    yield from ((name, value) for name, value in vars(limits).items() if name.isupper() and isinstance(value, int))
    for module, wanted in (
        (ids, ("MAX_CLIENT_NAME",)),
        (names, ("MAX_PATH_BYTES", "MAX_PART_BYTES", "TWIN_ROOM")),
        (bitmap, ("MAX_CHUNKS",)),
        (chunks, ("DEFAULT_CHUNK_SIZE", "SMALLEST_USEFUL_CHUNK", "ROUNDING", "RUN_LENGTH", "LINK_SECONDS")),
    ):
        yield from ((name, getattr(module, name)) for name in wanted)


# the recorded examples


@pytest.mark.parametrize("example", ON_FILES, ids=named)
def test_an_example_of_the_files_topic_decodes_to_what_it_says(example: dict[str, Any]) -> None:
    assert told_by(message_of(example)) == example["decodes to"]


@pytest.mark.parametrize("example", ON_FILES, ids=named)
def test_an_example_of_the_files_topic_is_encoded_to_the_same_record(example: dict[str, Any]) -> None:
    assert encode(message_of(example)) == record_of(example)


@pytest.mark.parametrize("example", ON_FILES, ids=named)
def test_a_sender_makes_the_same_message_from_the_plain_bytes(example: dict[str, Any]) -> None:
    message = message_of(example)
    again = made_again(message)
    assert told_by(again) == told_by(message)
    if getattr(message, "encoding", Encoding.IDENTITY) is Encoding.IDENTITY:  # another zstd may pack more tightly
        assert encode(again) == record_of(example)


@pytest.mark.parametrize("example", ON_STATUS, ids=named)
def test_an_example_of_the_status_topic_is_read_and_written_the_same(example: dict[str, Any]) -> None:
    key, value = key_of(example), as_bytes(example["value"])
    assert encode_status(decode_status(key, value)) == (key, value)
    assert json.loads(value) == example["decodes to"]


@pytest.mark.parametrize("example", RECORDS, ids=named)
def test_an_example_names_the_partition_that_the_rule_gives(example: dict[str, Any]) -> None:
    told = example["decodes to"]
    if example["topic"] == FILES_TOPIC:
        transfer, index = TransferId(example["key"]), ChunkIndex(told.get("index", 0))
        assert example["partition of 8"] == files_partition(transfer, index, PARTITIONS)
    elif example["key"] is None:
        assert example["partition of 8"] is None, "a notice goes to every partition"
    else:
        assert example["partition of 8"] == status_partition(ClientName(example["key"]), PARTITIONS)


@pytest.mark.parametrize("example", NEWER, ids=named)
def test_a_message_of_a_newer_minor_version_is_read_like_its_1_0_twin(example: dict[str, Any]) -> None:
    twin = BY_NAME[example["same as"]]
    if example["topic"] == FILES_TOPIC:
        assert message_of(example) == message_of(twin)
    else:
        read = [decode_status(key_of(one), as_bytes(one["value"])) for one in (example, twin)]
        assert read[0] == read[1]


@pytest.mark.parametrize("example", REFUSED, ids=named)
def test_a_bad_example_is_refused_with_its_code(example: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError) as refused:
        open_all(example)
    assert refused.value.code == example["code"]


def test_every_kind_and_every_value_of_a_status_field_has_an_example() -> None:
    assert {example["decodes to"]["kind"] for example in ON_FILES} == set(Kind)
    told = [example["decodes to"] for example in ON_STATUS]
    assert {one["kind"] for one in told} == {"progress", "received", "missing", "rejected", "notice"}
    assert {one["phase"] for one in told if "phase" in one} == set(Phase)
    assert {one["reason"] for one in told if "reason" in one} == set(MissingReason)
    assert {one["state"] for one in told if "state" in one} == set(ReceiverState)
    assert {one["decodes to"]["encoding"] for one in ON_FILES if "encoding" in one["decodes to"]} == set(Encoding)


def test_every_code_of_a_bad_message_has_an_example() -> None:
    known = {code for code, row in CODES.items() if row.label.startswith("M")}
    stateless = known - {Code.CONTRADICTION}  # which needs an earlier message
    assert {example["code"] for example in REFUSED} == stateless | {Code.NAME_REFUSED, Code.UNSUPPORTED_VERSION}


# the document


def test_the_document_quotes_the_examples_as_they_are_recorded() -> None:
    quotations = re.findall(r"<!-- example: (\S+) -->\n\n```text\n(.*?)\n```", TEXT, re.DOTALL)
    assert len(quotations) == TEXT.count("<!-- example: ") > 0
    assert dict(quotations) == {name: shown(BY_NAME[name]) for name, _ in quotations}


def test_the_document_is_about_the_version_that_is_spoken() -> None:
    assert f"Protocol version **{limits.VERSION}**" in TEXT
    assert FOUND["protocol"] == limits.VERSION


def test_the_documents_limits_are_those_of_the_code() -> None:
    told = {quoted(name)[0]: int(value.replace(",", "")) for name, value, _ in rows(section("Limits"), "constant")}
    assert told == dict(constants())


def test_the_document_describes_every_header() -> None:
    assert {quoted(row[0])[0] for row in rows(section("Headers"), "header")} == headers.KNOWN


@pytest.mark.parametrize("kind", Kind)
def test_the_document_lists_the_headers_of_each_kind(kind: Kind) -> None:
    told = {quoted(row[0])[0]: quoted(row[2]) for row in rows(section("Files topic"), "kind")}
    written = {tuple(name for name, _ in example["headers"]) for example in ON_FILES if message_kind(example) == kind}
    assert written == {tuple(told[kind])}


def message_kind(example: Mapping[str, Any]) -> str:
    kind: str = dict(example["headers"])["kind"]
    return kind


def test_the_document_lists_the_fields_of_each_status_kind() -> None:
    text = section("Status topic")
    common = [name for row in rows(text, "field") for name in quoted(row[0])]
    told = {quoted(row[0])[0]: [*common, *quoted(row[1])] for row in rows(text, "kind")}
    for example in ON_STATUS:
        assert list(example["decodes to"]) == told.pop(example["decodes to"]["kind"], list(example["decodes to"]))
    assert told == {}


def test_the_document_lists_every_reason_to_refuse_a_path() -> None:
    assert [quoted(row[0])[0] for row in rows(section("Paths"), "refused because")] == list(names.Reason)


def test_the_document_lists_every_code_of_a_bad_message() -> None:
    _, _, messages = section("Codes").partition("Codes of messages")
    known = {code for code, row in CODES.items() if row.label.startswith("M")}
    assert {quoted(row[0])[0] for row in rows(messages, "code")} == known | {
        Code.NAME_REFUSED,
        Code.UNSUPPORTED_VERSION,
    }


def test_the_document_names_only_codes_that_exist() -> None:
    assert {quoted(row[0])[0] for row in rows(section("Codes"), "code")} <= set(Code)
