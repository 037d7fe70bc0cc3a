# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The tests' own receiver against our encoder on a real broker: it takes what is right, and finds what is wrong."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaError, TopicPartition

from fieldpost_shared.chunks import ChunkIndex, files_partition
from fieldpost_shared.clock import Clock, FakeClock
from fieldpost_shared.ids import ClientName, TransferId, new_transfer_id
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import Cancel, End, FileFacts, encode
from fieldpost_shared.protocol.packs import make_pack
from fieldpost_shared.protocol.status import Notice, Received, ReceiverState, Status, decode_status
from reference_receiver import switches
from reference_receiver.checker import compare
from reference_receiver.desk import Rules
from reference_receiver.observations import Answer
from reference_receiver.office import Office, OfficeTrouble
from reference_receiver.raw_sender import CHUNK, CLIENT, RawSender, SentFile, a_file, noise, packed
from support.brokers import StartBroker, Topics
from support.waiting import wait_until

TESTS = Path(__file__).parents[1]


def said(topics: Topics) -> list[Status]:
    """The whole status topic, read and decoded as the product does it."""
    conf = {"bootstrap.servers": topics.bootstrap_servers, "group.id": "none", "enable.partition.eof": True}
    consumer = Consumer({**conf, "fetch.wait.max.ms": 10})
    consumer.list_topics(topics.status, timeout=10)  # it would take 0.5 s to learn it alone
    consumer.assign([TopicPartition(topics.status, partition, 0) for partition in range(topics.partitions)])
    found, finished = [], 0
    while finished < topics.partitions:
        for message in consumer.consume(100, 0.1):
            error = message.error()
            if error is None:
                found.append(decode_status(message.key(), message.value()))
            elif error.code() == KafkaError._PARTITION_EOF:
                finished += 1
    consumer.close()
    return found


def new_office(
    topics: Topics, folder: Path, rules: Rules | None = None, name: str = "central", clock: Clock | None = None
) -> Office:
    servers = topics.bootstrap_servers
    return Office(servers, topics.files, topics.status, folder, name, rules=rules, notice_seconds=0.2, clock=clock)


@pytest.fixture
def office(topics: Topics, tmp_path: Path) -> Iterator[Office]:
    """When the test is over, all that this office said must be there and readable by the product."""
    with new_office(topics, tmp_path / "office") as running:
        yield running
    statuses = [status for status in said(topics) if status.receiver == "central"]
    assert len(statuses) == len(running.seen.answers())


@pytest.fixture
def sender(topics: Topics) -> RawSender:
    return RawSender(topics)


def answers(office: Office, file: SentFile | TransferId) -> list[Answer]:
    wanted = file if isinstance(file, str) else file.id
    return [answer for answer in office.seen.answers() if answer.fields.get("transfer") == wanted]


def await_answer(office: Office, file: SentFile | TransferId, count: int = 1) -> Mapping[str, object]:
    """The count-th answer about a file."""
    return wait_until(lambda: answers(office, file)[count - 1 :], 20, f"answer {count}")[0].fields


# What is right arrives


def test_every_edge_size_arrives_with_its_time_and_its_receipt(office: Office, sender: RawSender) -> None:
    files = [a_file(size, f"sizes/{size}.bin") for size in (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 40 * CHUNK + 7)]
    for file in files:
        sender.whole(file)
    assert office.wait_for(len(files)) == {f"van-7/{file.facts.path}": file.sha256 for file in files}
    for file in files:
        published = office.folder / CLIENT / file.facts.path
        assert published.read_bytes() == file.content
        assert published.stat().st_mtime_ns == file.facts.mtime_ns
        receipt = await_answer(office, file)
        assert (receipt["kind"], receipt["size"], receipt["sha256"]) == ("received", file.facts.size, file.sha256)
    assert office.violations == []
    assert not list((office.folder / ".staging").iterdir())


def test_compressed_chunks_arrive(office: Office, sender: RawSender) -> None:
    file = a_file(5 * CHUNK, content=b"all work and no play " * (5 * CHUNK // 21) + b"." * (5 * CHUNK % 21))
    sender.chunks(file, range(5), Encoding.ZSTD)
    sender.send([file.end()])
    assert list(office.wait_for(1).values()) == [file.sha256]
    assert office.violations == []
    assert office.seen.bytes_received() < len(file.content) // 10


def test_each_file_of_a_pack_gets_its_own_receipt(office: Office, sender: RawSender) -> None:
    files = [packed(f"notes/{number}.txt", noise(number)) for number in range(300)]
    sender.send([encode(make_pack(CLIENT, files, Encoding.ZSTD)), encode(make_pack(CLIENT, files[:1], Encoding.ZSTD))])
    assert office.wait_for(300) == {f"van-7/{file.path}": file.sha256 for file in files}
    assert {await_answer(office, file.transfer)["kind"] for file in files} == {"received"}
    assert (office.folder / CLIENT / "notes/299.txt").stat().st_mtime_ns == files[299].mtime_ns
    wait_until(lambda: office.seen.arrivals()[files[0].transfer, None] == 2, 20, "the pack that came twice")
    assert len(answers(office, files[0].transfer)) == 1
    assert office.violations == []


def test_chunks_in_any_order_and_number_make_one_file(office: Office, sender: RawSender) -> None:
    file = a_file(50 * CHUNK + 3)
    order = [index for index in range(51) for _ in range(1 + index % 3)]
    random.Random(7).shuffle(order)  # noqa: S311 - reproducible test data
    sender.chunks(file, order)
    sender.send([file.end()])
    assert list(office.wait_for(1).values()) == [file.sha256]
    wait_until(lambda: office.seen.arrivals().total() == len(order), 20, "all of the chunks")
    assert office.seen.arrivals()[file.id, 2] == 3
    assert [published.duplicate for published in office.seen.published()] == [False]
    assert office.violations == []


def test_chunks_in_any_partition_arrive_too_if_the_test_allows_it(
    topics: Topics, sender: RawSender, tmp_path: Path
) -> None:
    file = a_file(30 * CHUNK)
    with new_office(topics, tmp_path / "office", Rules(placed=False)) as office:
        sender.send([file.end()], 3)
        for index in reversed(range(30)):
            sender.send([file.chunk(index)], index % topics.partitions)
        office.wait_for(1)
        assert not [fault for fault in office.violations if "not all of its chunks" not in fault]


def test_a_file_goes_on_in_partitions_that_were_added(
    topics: Topics, office: Office, sender: RawSender, tmp_path: Path
) -> None:
    tries = (a_file(64 * CHUNK) for _ in range(1_000))
    file = next(each for each in tries if files_partition(each.id, ChunkIndex(0), 8) >= 4)  # moves when the topic grows
    sender.chunks(file, range(20))
    topics.cluster.grow(topics.files, 8)
    grown = RawSender(replace(topics, partitions=8))
    grown.chunks(file, range(20, 64))
    grown.send([file.end()], 7)
    assert list(office.wait_for(1).values()) == [file.sha256]
    assert office.violations == []
    with new_office(topics, tmp_path / "late", name="late") as late:
        late.wait_for(1)
        assert any("does not belong into this partition" in fault for fault in late.violations)
    with new_office(topics, tmp_path / "told", Rules(partition_counts=frozenset({4})), name="told") as told:
        told.wait_for(1)
        assert told.violations == []


def test_another_file_of_the_same_name_is_kept_beside_it_and_the_same_one_is_not(
    office: Office, sender: RawSender
) -> None:
    first, other, again = a_file(10), a_file(20), a_file(10)
    for file in (first, other, again):
        sender.whole(file)
        await_answer(office, file)
    assert office.arrived() == {
        "van-7/ordner/bericht ü.pdf": first.sha256,
        "van-7/ordner/bericht ü (2).pdf": other.sha256,
    }
    flags = [(published.renamed, published.duplicate) for published in office.seen.published()]
    assert flags == [(False, False), (True, False), (False, True)]


def test_a_name_that_is_a_folder_already_is_rejected(office: Office, sender: RawSender) -> None:
    sender.whole(a_file(1, "a/b"))
    office.wait_for(1)
    for path in ("a", "a/b/c"):
        taken = a_file(1, path)
        sender.whole(taken)
        assert await_answer(office, taken)["code"] == "name_taken"


# Asking, answering, giving up


@pytest.mark.parametrize("fault", ["lose", "damage"])
def test_what_is_lost_or_damaged_is_asked_for_and_taken_when_it_comes_again(
    office: Office, sender: RawSender, fault: str
) -> None:
    getattr(office.switches, fault)(switches.chunks(3, 4, 19))
    file = a_file(20 * CHUNK)
    sender.whole(file)
    missing = await_answer(office, file)
    assert missing["kind"] == "missing"
    assert (missing["ranges"], missing["round"]) == ([[3, 4], [19, 19]], 1)
    assert missing["reason"] == {"lose": "never_arrived", "damage": "damaged"}[fault]
    sender.send([file.end()])
    assert await_answer(office, file, 2)["round"] == 1
    sender.chunks(file, [3, 4, 19])
    sender.send([file.end(1)])
    assert list(office.wait_for(1).values()) == [file.sha256]
    assert await_answer(office, file, 3)["kind"] == "received"
    wait_until(lambda: office.seen.ends()[file.id] == [0, 0, 1], 20, "all three ends")
    assert office.seen.arrivals()[file.id, 3] == 2
    assert office.violations == []


def test_a_pack_that_got_lost_comes_as_chunks_after_a_question(office: Office, sender: RawSender) -> None:
    office.switches.lose(switches.packed)
    body, empty = packed("a.txt", noise(2 * CHUNK)), packed("empty.txt", b"")
    sender.send([encode(make_pack(CLIENT, [body, empty], Encoding.IDENTITY))])
    facts = FileFacts(CLIENT, body.transfer, "a.txt", len(body.body), CHUNK, body.mtime_ns)
    nothing = replace(facts, transfer=empty.transfer, path="empty.txt", size=0)
    asked = SentFile(facts, body.body)
    sender.send([asked.end(), SentFile(nothing, b"").end()])
    assert await_answer(office, asked)["ranges"] == [[0, 1]]
    assert await_answer(office, empty.transfer)["kind"] == "received"
    sender.chunks(asked, [0, 1])
    office.wait_for(2)
    assert office.violations == []


def test_an_end_is_answered_with_the_truth_as_often_as_it_comes(office: Office, sender: RawSender) -> None:
    file = a_file(3 * CHUNK)
    sender.whole(file)
    office.wait_for(1)
    sender.send([file.end()] * 3)
    assert await_answer(office, file, 4)["kind"] == "received"
    assert office.seen.ends() == {file.id: [0, 0, 0, 0]}
    assert len(office.seen.published()) == 1


def test_five_rounds_that_bring_nothing_end_the_transfer(office: Office, sender: RawSender) -> None:
    office.switches.lose(switches.chunks(1), times=None)
    file = a_file(2 * CHUNK)
    sender.whole(file)
    for round_ in range(1, 6):
        assert await_answer(office, file, round_)["round"] == round_
        sender.chunks(file, [1])
        sender.send([file.end(round_)])
    assert await_answer(office, file, 6)["code"] == "incomplete"
    assert office.violations == []


def test_more_holes_than_a_message_holds_are_asked_for_in_the_next_round(office: Office, sender: RawSender) -> None:
    office.switches.lose(lambda _facts, index: index is not None and index % 2 == 0)
    count = 2_100
    facts = replace(a_file(0).facts, size=count * 16_384, chunk_size=16_384)
    file = SentFile(facts, bytes(facts.size))
    sender.chunks(file, range(count), Encoding.ZSTD)
    sender.send([file.end()])
    assert await_answer(office, file)["ranges"] == [[index, index] for index in range(0, 2_000, 2)]
    sender.chunks(file, range(0, 2_000, 2), Encoding.ZSTD)
    sender.send([file.end(1)])
    rest = answers_of_kind(office, file.id, "missing", 2)[1]
    assert (rest["ranges"], rest["round"]) == ([[index, index] for index in range(2_000, count, 2)], 2)
    sender.chunks(file, range(2_000, count, 2), Encoding.ZSTD)
    sender.send([file.end(2)])
    assert list(office.wait_for(1).values()) == [file.sha256]
    assert office.violations == []


def answers_of_kind(office: Office, transfer: TransferId, kind: str, count: int) -> list[Mapping[str, object]]:
    def enough() -> list[Mapping[str, object]]:
        found = [answer.fields for answer in answers(office, transfer) if answer.kind == kind]
        return found if len(found) >= count else []

    return wait_until(enough, 20, f"{count} times {kind}")


def test_a_cancelled_transfer_is_forgotten_and_never_revived(office: Office, sender: RawSender) -> None:
    file = a_file(3 * CHUNK)
    sender.chunks(file, [0, 1])
    wait_until(lambda: office.seen.arrivals().total() == 2, 20, "two chunks")
    cancel = encode(Cancel(CLIENT, file.id))
    sender.send([cancel])
    assert await_answer(office, file)["code"] == "cancelled"
    assert not list((office.folder / ".staging").iterdir())
    sender.whole(file)
    assert await_answer(office, file, 2)["code"] == "cancelled"
    unknown = new_transfer_id(5)
    sender.send([encode(Cancel(CLIENT, unknown))])
    assert await_answer(office, unknown)["code"] == "cancelled"
    assert office.arrived() == {}
    assert office.seen.cancels() == [file.id, unknown]
    assert office.violations == []


def test_a_cancel_after_publishing_is_too_late(office: Office, sender: RawSender) -> None:
    file = a_file(5)
    sender.whole(file)
    office.wait_for(1)
    sender.send([encode(Cancel(CLIENT, file.id))])
    assert await_answer(office, file, 2)["kind"] == "received"


def test_records_that_expired_unread_are_asked_for_as_expired(
    topics: Topics, sender: RawSender, tmp_path: Path
) -> None:
    file = a_file(16 * CHUNK)
    sender.whole(file)
    gone = files_partition(file.id, ChunkIndex(0), 4)
    if gone == 0:  # the end lies there too, behind the chunks
        topics.cluster.delete_records(topics.files, gone, 8)
    else:
        topics.cluster.delete_records(topics.files, gone, -1)
    with new_office(topics, tmp_path / "office") as office:
        missing = await_answer(office, file)
        assert (missing["ranges"], missing["reason"]) == ([[0, 7]], "expired")
        sender.chunks(file, range(8))
        office.wait_for(1)
        assert office.violations == []


def test_two_offices_each_get_the_file_and_say_so(topics: Topics, sender: RawSender, tmp_path: Path) -> None:
    rules = Rules(sole=False)
    north = new_office(topics, tmp_path / "north", rules, name="north")
    south = new_office(topics, tmp_path / "south", rules, name="south")
    north.switches.lose(switches.chunks(2))
    south.switches.lose(switches.chunks(1, 2), times=2)
    file = a_file(3 * CHUNK)
    with north, south:
        sender.whole(file)
        assert await_answer(north, file)["ranges"] == [[2, 2]]
        assert await_answer(south, file)["ranges"] == [[1, 2]]
        for round_ in (1, 2):
            sender.chunks(file, [1, 2])
            sender.send([file.end(round_)])
        assert north.wait_for(1) == south.wait_for(1)
        assert north.violations + south.violations == []
    receipts = {status.receiver for status in said(topics) if isinstance(status.event, Received)}
    assert receipts == {"north", "south"}


def test_progress_comes_at_most_every_two_seconds(topics: Topics, sender: RawSender, tmp_path: Path) -> None:
    clock, file = FakeClock(), a_file(5 * CHUNK)
    with new_office(topics, tmp_path / "office", clock=clock) as office:
        for index, seconds in enumerate((0, 1.9, 0.2, 1.9, 0.2)):
            clock.advance(seconds)
            sender.chunks(file, [index])
            wait_until(lambda: office.seen.messages()["chunk"] > index, 20, "the chunk")  # noqa: B023 - called at once
        told = answers_of_kind(office, file.id, "progress", 2)
    assert [(progress["have"], progress["phase"]) for progress in told] == [(3, "receiving"), (5, "receiving")]


def test_the_office_goes_on_when_the_broker_is_back(own_broker: StartBroker, tmp_path: Path) -> None:
    cluster = own_broker()
    topics = Topics(cluster, "files", "status", 4)
    cluster.create_topic(topics.files, 4)
    cluster.create_topic(topics.status, 4)
    with new_office(topics, tmp_path / "office") as office:
        before, after = a_file(CHUNK, "before"), a_file(CHUNK, "after")
        RawSender(topics).whole(before)
        office.wait_for(1)
        cluster.restart()
        RawSender(topics).whole(after)
        assert office.wait_for(2, seconds=60).keys() == {"van-7/before", "van-7/after"}
        assert office.violations == []
    receipts = [status.event.transfer for status in said(topics) if isinstance(status.event, Received)]
    assert receipts == [before.id, after.id]


def test_the_office_signs_in_with_the_rights_of_a_receiver(secure_topics: Topics, tmp_path: Path) -> None:
    conf = secure_topics.cluster.security.client_config("receiver")
    servers = str(conf["bootstrap.servers"])
    with Office(servers, secure_topics.files, secure_topics.status, tmp_path / "office", conf=conf) as office:
        RawSender(secure_topics).whole(a_file(CHUNK))
        office.wait_for(1)
    assert Received in {type(status.event) for status in said(secure_topics)}


# Switches


def test_a_silent_office_publishes_and_says_nothing(topics: Topics, sender: RawSender, tmp_path: Path) -> None:
    office = new_office(topics, tmp_path / "office")
    office.switches.be_silent()
    file = a_file(5)
    with office:
        sender.whole(file)
        office.wait_for(1)
        office.switches.be_silent(False)
        sender.send([file.end()])
        assert await_answer(office, file)["kind"] == "received"
        assert len(answers(office, file)) == 1


def test_receipts_wait_until_they_are_released(office: Office, sender: RawSender) -> None:
    office.switches.delay_receipts()
    file = a_file(2 * CHUNK)
    sender.whole(file)
    office.wait_for(1)
    sender.send([file.end()])
    progress = await_answer(office, file)
    assert (progress["kind"], progress["phase"], progress["have"]) == ("progress", "verifying", 2)
    assert len(office.arrived()) == 1
    office.switches.release_receipts()
    assert await_answer(office, file, 2)["kind"] == "received"


def test_a_rejected_file_is_not_published(office: Office, sender: RawSender) -> None:
    office.switches.reject(lambda facts: facts.path.endswith(".exe"), "too_large")
    bad, good, small = a_file(2 * CHUNK, "a.exe"), a_file(2 * CHUNK, "a.txt"), packed("b.exe", b"x")
    sender.whole(bad)
    sender.whole(good)
    sender.send([encode(make_pack(CLIENT, [small], Encoding.IDENTITY))])
    assert list(office.wait_for(1)) == ["van-7/a.txt"]
    assert await_answer(office, bad)["code"] == "too_large"
    assert await_answer(office, small.transfer)["code"] == "too_large"


def test_a_faked_hash_mismatch_strikes_as_often_as_told(office: Office, sender: RawSender) -> None:
    office.switches.fake_hash_mismatch(2)
    tries = [a_file(CHUNK), a_file(CHUNK), a_file(CHUNK)]
    for file in tries:
        sender.whole(file)
        await_answer(office, file)
    assert [answers(office, file)[0].kind for file in tries] == ["rejected", "rejected", "received"]
    assert office.violations == []


def test_only_the_named_client_is_answered(office: Office, sender: RawSender) -> None:
    office.switches.answer_only("van-8")
    ours = a_file(1, "a")
    theirs = SentFile(replace(a_file(1, "a").facts, client=ClientName("van-8")), ours.content)
    sender.whole(ours)
    sender.whole(theirs)
    assert await_answer(office, theirs)["kind"] == "received"
    assert office.wait_for(2).keys() == {"van-7/a", "van-8/a"}
    assert answers(office, ours) == []


def test_a_paused_office_says_so_and_reads_nothing_until_it_goes_on(office: Office, sender: RawSender) -> None:
    office.switches.set_state("paused")
    wait_until(lambda: office.seen.answers("notice")[-1].fields["state"] == "paused", 20, "the notice")
    before = office.processed()
    sender.whole(a_file(5))
    wait_until(lambda: len(office.seen.answers("notice")) > 20, 20, "some more notices")
    assert office.processed() == before
    office.switches.set_state("low_space")
    office.wait_for(1)
    office.switches.set_state("ok")
    wait_until(lambda: office.seen.answers("notice")[-1].fields["state"] == "ok", 20, "the notice")
    states = [answer.fields["state"] for answer in office.seen.answers("notice")]
    assert list(dict.fromkeys(states)) == ["ok", "paused", "low_space"]


def test_notices_on_every_partition_tell_how_far_the_office_has_read(
    topics: Topics, sender: RawSender, tmp_path: Path
) -> None:
    with new_office(topics, tmp_path / "office") as office:
        sender.send([a_file(0).end()], 2)
        office.wait_for(1)
        wait_until(lambda: office.processed()[2] == 1, 20, "the end to be passed")
    notices = [status.event for status in said(topics) if isinstance(status.event, Notice)]
    assert [notice.state for notice in notices].count(ReceiverState.STOPPING) == topics.partitions
    assert max(notice.processed[2] for notice in notices) == 1
    assert all(notice.processed.keys() == {0, 1, 2, 3} for notice in notices)


# What is wrong is found: in a transfer


def test_messages_that_contradict_their_transfer_are_found_and_not_used(office: Office, sender: RawSender) -> None:
    file = a_file(3 * CHUNK)
    sender.chunks(file, [0, 1])
    wait_until(lambda: office.seen.messages()["chunk"] == 2, 20, "the facts to be fixed")
    for change in (
        {"path": "b"},
        {"size": 3 * CHUNK - 1},
        {"mtime_ns": 5},
        {"client": "van-8"},
        {"chunk_size": 69_632},
    ):
        sender.send([encode(End(replace(file.facts, **change), file.sha256, 0))])
    sender.send([encode(Cancel(ClientName("van-8"), file.id))])
    wait_until(lambda: len(office.violations) == 6, 20, "six contradictions")
    sender.chunks(file, [2])
    sender.send([file.end(), encode(End(file.facts, "0" * 64, 0))])
    wait_until(lambda: len(office.violations) == 7, 20, "the other SHA-256")
    assert list(office.wait_for(1).values()) == [file.sha256]
    found = "\n".join(office.violations)
    for fact in ("path", "size", "mtime", "client", "chunk_size"):
        assert f"its transfer: {fact}" in found
    assert "a cancel by another client" in found
    assert "another SHA-256 of the whole file" in found


def test_a_chunk_with_other_bytes_and_a_wrong_whole_are_found(office: Office, sender: RawSender) -> None:
    file = a_file(2 * CHUNK)
    changed = SentFile(file.facts, noise(2 * CHUNK - 1) + b"!")
    sender.chunks(file, [0])
    sender.chunks(changed, [0, 1])
    sender.send([file.end()])
    assert await_answer(office, file)["code"] == "hash_mismatch"
    assert ["chunk 0 came again with other bytes" in fault for fault in office.violations] == [True, False]
    assert "the whole file's SHA-256" in office.violations[1]


def test_a_packed_file_that_is_not_the_one_of_its_end_is_found(office: Office, sender: RawSender) -> None:
    office.switches.lose(switches.packed)
    small = packed("a.txt", b"one")
    sender.send([encode(make_pack(CLIENT, [small], Encoding.IDENTITY))])
    asked = SentFile(FileFacts(CLIENT, small.transfer, "a.txt", 3, CHUNK, small.mtime_ns), b"one")
    sender.send([asked.end()])
    await_answer(office, asked)
    other = replace(packed("a.txt", b"two"), transfer=small.transfer)
    sender.send([encode(make_pack(CLIENT, [other], Encoding.IDENTITY))])
    wait_until(lambda: office.violations, 20, "the contradiction")
    assert ["another SHA-256 than its end" in fault for fault in office.violations] == [True]


def test_an_end_before_its_chunks_is_found(office: Office, sender: RawSender) -> None:
    file = a_file(3 * CHUNK)
    sender.chunks(file, [0])
    sender.send([file.end()])
    assert await_answer(office, file)["ranges"] == [[1, 2]]
    assert ["not all of its chunks were in the topic" in fault for fault in office.violations] == [True]


def test_an_end_that_claims_a_round_it_did_not_answer_is_found(office: Office, sender: RawSender) -> None:
    office.switches.lose(switches.chunks(1, 2))
    file = a_file(3 * CHUNK)
    sender.whole(file)
    await_answer(office, file)
    sender.chunks(file, [1])
    sender.send([file.end(1)])
    assert await_answer(office, file, 2)["round"] == 2
    sender.send([file.end(3)])
    await_answer(office, file, 3)
    assert ["was answered in full" in fault for fault in office.violations] == [True, False]
    assert "round 3, but the last one asked was 2" in office.violations[1]


def test_a_chunk_in_a_foreign_partition_is_found(office: Office, sender: RawSender) -> None:
    file = a_file(CHUNK)
    wrong = (files_partition(file.id, ChunkIndex(0), 4) + 1) % 4
    sender.send([file.chunk(0)], wrong)
    sender.send([file.end()])
    office.wait_for(1)
    assert ["does not belong into this partition" in fault for fault in office.violations] == [True]


def test_a_bad_file_of_a_pack_is_rejected_alone(office: Office, sender: RawSender) -> None:
    good = packed("good.txt", b"good")
    damaged, hostile = replace(packed("damaged.txt", b"bad"), sha256="0" * 64), packed("../up.txt", b"bad")
    pack = make_pack(CLIENT, [damaged, good, hostile], Encoding.IDENTITY)
    sender.send([encode(pack)])
    assert await_answer(office, damaged.transfer)["code"] == "damaged"
    assert await_answer(office, hostile.transfer)["code"] == "name_refused"
    assert list(office.wait_for(1)) == ["van-7/good.txt"]
    assert len(office.violations) == 2


def test_a_message_of_another_major_version_is_refused_by_name(office: Office, sender: RawSender) -> None:
    file, refused = a_file(0), a_file(0, "a//b")
    newer = [("fieldpost", b"2.0") if name == "fieldpost" else (name, value) for name, value in file.end().headers]
    sender.send([replace(file.end(), headers=newer), refused.end()])
    rejected = await_answer(office, file)
    assert rejected["code"] == "unsupported_version"
    assert "1.0" in str(rejected["text"])
    assert await_answer(office, refused)["code"] == "name_refused"
    assert office.arrived() == {}


# The process, and the judge


def start_process(topics: Topics, folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "reference_receiver", "--bootstrap-servers", topics.bootstrap_servers]
    command += ["--folder", str(folder), "--files-topic", topics.files, "--status-topic", topics.status]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment
    )


def test_the_process_prints_each_file_and_starts_again_on_its_folder(
    topics: Topics, sender: RawSender, tmp_path: Path
) -> None:
    file = a_file(3 * CHUNK)
    sender.whole(file)
    for duplicate in (False, True):
        with start_process(topics, tmp_path) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            line = json.loads(process.stdout.readline())
            process.send_signal(signal.SIGTERM)
            _, complaints = process.communicate(timeout=30)
        assert (process.returncode, complaints) == (0, "")
        assert (line["path"], line["sha256"]) == ("van-7/ordner/bericht ü.pdf", file.sha256)
        assert line["duplicate"] == duplicate
    source = tmp_path / "source"
    source.write_bytes(file.content)
    assert compare({file.facts.path: source}, tmp_path, CLIENT) == []


def test_the_process_ends_with_1_and_says_what_a_sender_did_wrong(
    topics: Topics, sender: RawSender, tmp_path: Path
) -> None:
    file = a_file(0)
    sender.send([replace(file.end(), value=b"x")])
    with start_process(topics, tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=30)
    assert process.returncode == 1
    assert complaints == "partition 0 offset 0: the value of end is not empty\n"


def test_waiting_in_vain_says_how_far_it_came(office: Office, sender: RawSender) -> None:
    sender.chunks(a_file(3 * CHUNK), [0])
    wait_until(lambda: office.seen.arrivals().total() == 1, 20, "the chunk")
    with pytest.raises(OfficeTrouble, match=r"waited for 1 files; 0 arrived, open: \['1 of 3 chunks'\]"):
        office.wait_for(1, seconds=0.1)


def test_the_judge_finds_whatever_is_missing_too_much_or_different(tmp_path: Path) -> None:
    there = tmp_path / "office" / CLIENT
    there.mkdir(parents=True)
    sources = {}
    for name in ("same", "short", "long", "other", "absent"):
        sources[name] = tmp_path / name
        sources[name].write_bytes(b"12345")
        (there / name).write_bytes({"short": b"1234", "long": b"123456", "other": b"54321"}.get(name, b"12345"))
    (there / "absent").rename(there / "same (2)")
    assert compare(sources, tmp_path / "office", CLIENT) == [
        "absent did not arrive",
        "same (2) is there, but nobody sent it",
        "long has 6 bytes instead of 5",
        "other arrived with other bytes",
        "short has only 4 of 5 bytes under its final name",
    ]
