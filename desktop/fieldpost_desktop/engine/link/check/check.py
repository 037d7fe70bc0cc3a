# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The connection test: step by step from the server's name to the office's last sign of life.

Each step takes 10 s at most, and after the first that fails the others are skipped. The window and `fieldpost check`
show the same results.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from fieldpost_desktop.engine.link.check.broker import BrokerProbe
from fieldpost_desktop.engine.link.check.office import last_notices, verdict
from fieldpost_desktop.engine.link.check.sockets import SocketProbe
from fieldpost_shared.chunks import status_partition
from fieldpost_shared.clock import Clock
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import ClientName
from fieldpost_shared.kafka.settings import KafkaSettings

STEP_S: Final = 10.0
_GRACE_S: Final = 0.5  # a step ends by itself and can say why; this is for one that hangs


class Step(StrEnum):
    """What is tried, in this order."""

    FIND = "find"
    REACH = "reach"
    SECURE = "secure"
    SIGN_IN = "sign_in"
    WRITE = "write"
    LIMIT = "limit"
    OFFICE = "office"


class Outcome(StrEnum):
    """How a step ended."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"  # not needed with these settings, or an earlier step failed


TITLES: Final[Mapping[Step, str]] = MappingProxyType(
    {
        Step.FIND: "Find the server",
        Step.REACH: "Reach the server",
        Step.SECURE: "Secure connection",
        Step.SIGN_IN: "Sign in",
        Step.WRITE: "May send",
        Step.LIMIT: "Read the size limit",
        Step.OFFICE: "{office} was heard",
    }
)
# What a step that hangs is called.
_HANGS: Final = {Step.FIND: Code.SERVER_NOT_FOUND, Step.SECURE: Code.NO_SECURE_CONNECTION}


@dataclass(frozen=True, slots=True)
class StepResult:
    """One line of the test. `detail` fills the {detail} of the code's words, or says what was found."""

    step: Step
    outcome: Outcome
    code: Code | None = None
    detail: str = ""
    seconds: float = 0.0


def check(
    settings: KafkaSettings, client: ClientName, receivers: tuple[str, ...], clock: Clock, seconds: float = STEP_S
) -> Iterator[StepResult]:
    """Try every step and yield each result as soon as it is there.

    Args:
        settings: with the password, if one is needed.
        client: the name this computer sends under: it decides which status partition is read.
        receivers: whose notices are wanted; none: those of any receiver.
        clock: for waits, and for the age of a notice.
        seconds: the most that a step may take.
    """
    sockets = SocketProbe(settings, clock, seconds)
    broker = BrokerProbe(settings, clock, seconds=seconds, expects_tls=sockets.expects_tls)

    def office() -> str:
        partition = status_partition(client, broker.status_partitions())
        notices = last_notices(settings, partition, receivers=receivers, clock=clock, seconds=seconds)
        return verdict(notices, receivers, clock.now_ns())

    # Each returns what it found, or None if these settings do not need it.
    actions: dict[Step, Callable[[], str | None]] = {
        Step.FIND: sockets.find,
        Step.REACH: sockets.reach,
        Step.SECURE: sockets.secure,
        Step.SIGN_IN: broker.sign_in,
        Step.WRITE: broker.may_write,
        Step.LIMIT: broker.limit,
        Step.OFFICE: office,
    }
    failed = False
    for step, action in actions.items():
        result = StepResult(step, Outcome.SKIPPED) if failed else _try(step, action, clock=clock, seconds=seconds)
        failed = failed or result.outcome is Outcome.FAILED
        yield result


def _try(step: Step, action: Callable[[], str | None], clock: Clock, seconds: float) -> StepResult:
    began = clock.monotonic()
    try:
        found = _in_time(action, clock, seconds=seconds + _GRACE_S, late=_HANGS.get(step, Code.NO_CONNECTION))
    except FieldpostError as error:
        return StepResult(step, Outcome.FAILED, code=error.code, detail=error.detail, seconds=clock.monotonic() - began)
    if found is None:
        return StepResult(step, Outcome.SKIPPED, detail="not needed here")
    return StepResult(step, Outcome.OK, detail=found, seconds=clock.monotonic() - began)


def _in_time(action: Callable[[], str | None], clock: Clock, seconds: float, late: Code) -> str | None:
    """Return what the action returns; raise if it hangs, as a name lookup can, which cannot be interrupted."""
    answers: list[str | FieldpostError | None] = []
    done = threading.Event()

    def work() -> None:
        try:
            answers.append(action())
        except FieldpostError as error:
            answers.append(error)
        finally:
            done.set()

    # A daemon: the program can end although it hangs.
    threading.Thread(target=work, name="link-check", daemon=True).start()
    if not clock.wait(done, seconds):
        raise FieldpostError(late, f"no answer in {seconds:.0f} s")
    if not answers:
        raise FieldpostError(Code.UNEXPECTED, "the test itself failed; see the log")
    answer = answers[0]
    if isinstance(answer, FieldpostError):
        raise answer
    return answer
