# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Failures that cross from Spark's Python processes to the driver as text."""

import errno
import json
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost_receiver.spark.task_failure import MarkedFailure, TaskFailure, marking_failures, parse
from fieldpost_receiver.storage.errors import StorageError, storing
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError

# What tasks, planner and the batch's callback can raise with a code.
CROSSING = [
    Code.LEDGER_DAMAGED,
    Code.LEDGER_FOREIGN,
    Code.NO_CONNECTION,
    Code.NO_TOPIC,
    Code.MAY_NOT_SEND,
    Code.SIGN_IN_REFUSED,
    Code.NO_SECURE_CONNECTION,
    Code.SERVER_BUSY,
    Code.TOO_LARGE,
    Code.UNEXPECTED,
]


def text_of_spark(error: Exception) -> str:
    """What the driver gets: the worker's traceback within Spark's own words."""
    try:
        with marking_failures():
            raise error
    except MarkedFailure as marked:
        trace = "".join(traceback.format_exception(marked))
    return (
        "[STREAM_FAILED] Query [id = 0c1e, runId = 77aa] terminated with exception: Job aborted due to stage failure:"
        f" Task 0 in stage 3.0 failed 4 times, most recent failure: PythonException: {trace}\n\tat org.apache.spark"
    )


@pytest.mark.parametrize("code", CROSSING)
def test_a_code_crosses_with_its_detail(code: Code) -> None:
    assert parse(text_of_spark(FieldpostError(code, "partition 3: why"))) == TaskFailure(code, "partition 3: why")


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, Code.RECEIVER_FULL),
        (errno.EDQUOT, Code.RECEIVER_FULL),
        (errno.EIO, Code.STORAGE_FAILED),
        (errno.EROFS, Code.STORAGE_FAILED),
        (errno.EACCES, Code.STORAGE_FAILED),
    ],
)
def test_a_failure_of_storage_crosses_with_its_errno(number: int, code: Code) -> None:
    error = StorageError("write", number)
    assert parse(text_of_spark(error)) == TaskFailure(code, error.detail, number)


def test_a_wrong_setting_crosses_too() -> None:
    assert parse(text_of_spark(SettingsError("kafka.x", "is empty"))) == TaskFailure(
        Code.BAD_SETTING, "kafka.x: is empty"
    )


@given(st.text())
def test_no_detail_breaks_the_marker_even_if_spark_escapes_the_text(detail: str) -> None:
    shown = detail.encode("utf-8", "replace").decode()
    text = text_of_spark(FieldpostError(Code.LEDGER_FOREIGN, detail))
    for crossed in (text, json.dumps(text), repr(text)):
        assert parse(crossed) == TaskFailure(Code.LEDGER_FOREIGN, shown)


def test_a_detail_that_looks_like_a_marker_is_only_a_detail() -> None:
    detail = "[fieldpost-failure code=receiver_full errno=28 detail=x]"
    assert parse(text_of_spark(FieldpostError(Code.NO_TOPIC, detail))) == TaskFailure(Code.NO_TOPIC, detail)


def test_other_exceptions_pass_without_a_marker() -> None:
    with pytest.raises(TimeoutError), marking_failures():
        raise TimeoutError("no answer from the broker")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "it was stopped",
        "receiver_full: write: ENOSPC, No space left on device",  # a code's name alone decides nothing
        "[fieldpost-failure code=of_a_newer_version errno=0 detail=x]",
        "[fieldpost-failure code=receiver_full errno= detail=x]",
    ],
)
def test_a_text_without_a_marker_of_a_known_code_has_no_failure(text: str) -> None:
    assert parse(text) is None


def test_the_operating_systems_error_is_translated_before_it_crosses() -> None:
    with pytest.raises(MarkedFailure) as caught, marking_failures(), storing("sync"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert parse(str(caught.value)) == TaskFailure(
        Code.RECEIVER_FULL, "sync: ENOSPC, No space left on device", errno.ENOSPC
    )
