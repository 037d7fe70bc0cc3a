# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from fieldpost_receiver.topic_watch import TopicWatch
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.settings import KafkaSettings


def test_a_broker_that_is_away_at_start_has_a_code_and_is_no_crash() -> None:
    watch = TopicWatch(KafkaSettings(bootstrap_servers="127.0.0.1:1"))
    with pytest.raises(FieldpostError) as caught:
        watch.topic_id()
    assert caught.value.code is Code.NO_CONNECTION
