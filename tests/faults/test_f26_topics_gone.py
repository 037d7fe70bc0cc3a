# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F26: a topic is deleted, made anew under the same name, or compacted, while both ends use it."""

from pathlib import Path

from confluent_kafka import Consumer, TopicPartition

from faults.bookkeeping import Case
from faults.scene import CHUNK, Scene, Van
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_shared.codes import Code
from support.brokers import Topics
from support.waiting import wait_until

CONFIGURATION = 78


def ends_with(scene: Scene, code: Code, words: str) -> None:
    """The receiver, which runs, ends by itself and says why."""
    process = scene.receiver.process
    assert process is not None
    wait_until(lambda: process.poll() is not None, 60, "the end of the receiver")
    assert process.returncode == CONFIGURATION
    last = [event for event in scene.receiver.events() if event["level"] == "error"][-1]
    assert last["code"] == code
    assert words in last["message"]


def test_f26_a_topic_that_goes_is_named_and_one_made_anew_is_noticed(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        van = scene.van("early")
        van.load("early.bin", 90 * CHUNK)
        scene.receiver.start()
        gone(case, scene, van, secure_topics.status)
        if case.is_long:
            scene.receiver.start()
            gone(case, scene, van, secure_topics.files)
            rebuild(scene)
        scene.receiver.start()
        made_anew(case, scene, van)
        compacted(case, scene, scene.van("late"))


def gone(case: Case, scene: Scene, van: Van, topic: str) -> None:
    """Both ends name it; nothing is lost."""
    scene.topics.cluster.delete_topic(topic)
    case.fault()
    ends_with(scene, Code.NO_TOPIC, topic)
    assert scene.receiver.run_until_it_ends(60) == CONFIGURATION, "nor does it start"
    ends_with(scene, Code.NO_TOPIC, topic)
    ended = van.send("in", "--timeout", "5").wait().check(Exit.GAVE_UP)
    assert "(S3)" in ended.out + ended.err
    log = (van.cli.data_dir / "logs" / "fieldpost.log").read_text(encoding="utf-8")
    assert f"{Code.NO_TOPIC} {topic}" in log
    scene.topics.cluster.create_topic(topic, 4)


def rebuild(scene: Scene) -> None:
    assert scene.receiver.command("rebuild", "--yes").returncode == 0


def made_anew(case: Case, scene: Scene, van: Van) -> None:
    """In mid-file. What was read of the old topic says nothing about the new one: its offsets begin again at 0."""
    cluster, files = scene.topics.cluster, scene.topics.files
    van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "1MB"})
    wait_until(lambda: scene.staged() > 1, 90, "some parts")
    cluster.delete_topic(files)
    cluster.create_topic(files, 4)
    case.fault()
    ends_with(scene, Code.LEDGER_FOREIGN, "made anew")
    assert van.sendings[-1].kill(), "in mid-file"
    van.send()  # the rest without the limit
    rebuild(scene)
    scene.receiver.start()
    van.finish(180)


def compacted(case: Case, scene: Scene, van: Van) -> None:
    """Of each file only the last message of a partition is left."""
    cluster, files = scene.topics.cluster, scene.topics.files
    quick = {"segment.bytes": "1048576", "segment.ms": "1000", "min.cleanable.dirty.ratio": "0.001"}
    cluster.alter_config(files, {"cleanup.policy": "compact", **quick})
    case.fault()
    with scene.nobody_reads():
        van.load("late.bin", 24 * CHUNK)
        before = counted(scene.topics)
        van.send()
        van.wait_sent(1)
        wait_until(lambda: counted(scene.topics) < before + 24, 60, "the broker to drop some")
    van.finish()
    assert [one for one in scene.evidence().said if one.kind == "missing" and one.client == van.name]


def counted(topics: Topics) -> int:
    """The messages that are in the files topic."""
    consumer = Consumer({"bootstrap.servers": topics.bootstrap_servers, "group.id": "counts-only"})
    try:
        return sum(_count(consumer, topics.files, number) for number in topics.cluster.partitions(topics.files))
    finally:
        consumer.close()


def _count(consumer: Consumer, topic: str, partition: int) -> int:
    low, high = consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=10)
    consumer.assign([TopicPartition(topic, partition, low)])
    found = 0
    while low < high:
        message = consumer.poll(10)
        assert message is not None
        assert message.error() is None
        low, found = (message.offset() or 0) + 1, found + 1
    return found
