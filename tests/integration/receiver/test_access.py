# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the receiver asks the broker before it starts. Refused passwords and rights: see test_receiver_secure.py."""

from dataclasses import replace

import pytest

from fieldpost_receiver.kafka.access import check_access
from fieldpost_receiver.kafka.broker import Broker
from fieldpost_receiver.runtime.exit_codes import CONFIGURATION, TEMPORARY, exit_of
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings
from support.brokers import Topics
from support.engine.uploader import kafka_settings
from support.processes.cli import unreachable_server


def topic_id(settings: KafkaSettings) -> str:
    return check_access(Broker(settings, SystemClock()), settings)


def refusal(settings: KafkaSettings) -> FieldpostError:
    with pytest.raises(FieldpostError) as caught:
        topic_id(settings)
    return caught.value


def test_the_files_topic_is_known_by_its_id_until_it_is_created_again(topics: Topics) -> None:
    settings = kafka_settings(topics)
    first = topic_id(settings)
    assert topic_id(settings) == first
    topics.cluster.delete_topic(topics.files)
    topics.cluster.create_topic(topics.files, topics.partitions)
    assert topic_id(settings) != first


def test_a_topic_that_is_not_there_is_named_and_a_matter_of_configuration(topics: Topics) -> None:
    there, gone = kafka_settings(topics), "no-such-topic"
    for settings in (replace(there, files_topic=gone), replace(there, status_topic=gone)):
        error = refusal(settings)
        assert (error.code, exit_of(error)) == (Code.NO_TOPIC, CONFIGURATION)
        assert error.detail == "no-such-topic is not there; run: fieldpost-receiver topics create"


def test_a_broker_that_is_away_is_worth_another_start() -> None:
    error = refusal(KafkaSettings(bootstrap_servers=unreachable_server()))
    assert (error.code, exit_of(error)) == (Code.NO_CONNECTION, TEMPORARY)
