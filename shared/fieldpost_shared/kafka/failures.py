# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What an error of librdkafka or of a broker means in Fieldpost's words."""
# ruff: noqa: SLF001 - the library's own errors are public constants whose names begin with an underscore

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from confluent_kafka import KafkaError, KafkaException

from fieldpost_shared.codes import Code

_ERRORS: Final[Mapping[Code, tuple[int, ...]]] = MappingProxyType(
    {
        Code.NO_CONNECTION: (
            KafkaError._TRANSPORT,
            KafkaError._ALL_BROKERS_DOWN,
            KafkaError._TIMED_OUT,  # what admin calls say when no broker answers
            KafkaError._TIMED_OUT_QUEUE,
            KafkaError.NETWORK_EXCEPTION,
            KafkaError.BROKER_NOT_AVAILABLE,
        ),
        Code.SERVER_NOT_FOUND: (KafkaError._RESOLVE,),
        Code.NO_SECURE_CONNECTION: (KafkaError._SSL,),
        Code.SIGN_IN_REFUSED: (
            KafkaError._AUTHENTICATION,
            KafkaError.SASL_AUTHENTICATION_FAILED,
            KafkaError.UNSUPPORTED_SASL_MECHANISM,
            KafkaError.ILLEGAL_SASL_STATE,
        ),
        Code.MAY_NOT_SEND: (
            KafkaError.TOPIC_AUTHORIZATION_FAILED,
            KafkaError.CLUSTER_AUTHORIZATION_FAILED,
            KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        ),
        Code.MAY_NOT_READ_STATUS: (KafkaError.GROUP_AUTHORIZATION_FAILED,),
        Code.MESSAGE_TOO_LARGE: (KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.RECORD_LIST_TOO_LARGE),
        Code.SERVER_BUSY: (
            KafkaError._MSG_TIMED_OUT,
            KafkaError._QUEUE_FULL,
            KafkaError._ISR_INSUFF,
            KafkaError.REQUEST_TIMED_OUT,
            KafkaError.NOT_ENOUGH_REPLICAS,
            KafkaError.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
            KafkaError.LEADER_NOT_AVAILABLE,
            KafkaError.NOT_LEADER_FOR_PARTITION,
            KafkaError.KAFKA_STORAGE_ERROR,
            KafkaError.THROTTLING_QUOTA_EXCEEDED,
        ),
        Code.NO_TOPIC: (
            KafkaError.UNKNOWN_TOPIC_OR_PART,
            KafkaError.UNKNOWN_TOPIC_ID,
            KafkaError._UNKNOWN_TOPIC,
            KafkaError._UNKNOWN_PARTITION,
        ),
        # An idempotent producer that lost its place never recovers; a new one does, which is what a stall gets.
        Code.STALLED: (
            KafkaError._FATAL,
            KafkaError._GAPLESS_GUARANTEE,
            KafkaError._FENCED,
            KafkaError.OUT_OF_ORDER_SEQUENCE_NUMBER,
            KafkaError.DUPLICATE_SEQUENCE_NUMBER,
            KafkaError.UNKNOWN_PRODUCER_ID,
            KafkaError.INVALID_PRODUCER_EPOCH,
            KafkaError.PRODUCER_FENCED,
        ),
        # The library refuses an option when a client is made: an unreadable key, a wrong passphrase.
        Code.BAD_SETTING: (KafkaError._INVALID_ARG,),
    }
)
_CODES: Final[Mapping[int, Code]] = MappingProxyType(
    {number: code for code, numbers in _ERRORS.items() for number in numbers}
)

# Errors that say something failed but not why, the vaguest first. Any other error tells more.
_VAGUE: Final = (
    KafkaError._TIMED_OUT,
    KafkaError._TIMED_OUT_QUEUE,
    KafkaError._MSG_TIMED_OUT,
    KafkaError._FATAL,
    KafkaError._ALL_BROKERS_DOWN,
    KafkaError._TRANSPORT,
)
# Of two that tell: the further the attempt got before it failed, the later here. Found, secured, signed in, allowed.
_TELLING: Final = (
    Code.UNEXPECTED,
    Code.SERVER_BUSY,
    Code.SERVER_NOT_FOUND,
    Code.NO_SECURE_CONNECTION,
    Code.SIGN_IN_REFUSED,
    Code.NO_TOPIC,
    Code.MAY_NOT_READ_STATUS,
    Code.MAY_NOT_SEND,
)


def code_of(error: KafkaError) -> Code:
    """Our code of an error; for one that has no row: busy if it may be tried again, otherwise unexpected.

    Not for what is no failure: the end of a partition, messages that were purged.
    """
    return _CODES.get(error.code(), Code.SERVER_BUSY if error.retriable() else Code.UNEXPECTED)


def status_code_of(error: KafkaError) -> Code:
    """The same for what the status topic answers: a refusal there stops confirmations, not sending."""
    code = code_of(error)
    return Code.MAY_NOT_READ_STATUS if code is Code.MAY_NOT_SEND else code


def worst(errors: Iterable[KafkaError]) -> KafkaError | None:
    """The one that tells most; the newest of equals; None of none.

    A call like list_topics() only says that it got no answer. Why, comes through `error_cb`, among vague ones.
    """
    return max(reversed(list(errors)), key=_telling, default=None)


def reason_of(exception: BaseException) -> KafkaError | None:
    """The Kafka error that an exception carries, if any.

    A fatal error that meets a running delivery report comes out of poll() and flush() as a SystemError, caused by
    the exception that it should have been.
    """
    if isinstance(exception, SystemError) and exception.__cause__ is not None:
        exception = exception.__cause__
    if isinstance(exception, KafkaException) and exception.args and isinstance(exception.args[0], KafkaError):
        return exception.args[0]
    return None


def _telling(error: KafkaError) -> int:
    if error.code() in _VAGUE:
        return _VAGUE.index(error.code())
    code = code_of(error)
    return len(_VAGUE) + (_TELLING.index(code) if code in _TELLING else 0)
