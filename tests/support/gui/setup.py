# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of set-up and settings share: profiles, a scripted connection test, and an eye for clipped text."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget

from fieldpost_desktop.engine.link.check import check
from fieldpost_desktop.engine.link.check.check import Outcome, Step, StepResult
from fieldpost_desktop.engine.profile.profile_file import Limits
from fieldpost_desktop.engine.profile.vault import MemoryVault
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.kafka.security import SecurityProtocol
from fieldpost_shared.secret import Secret
from support.gui.studio import PROFILE

SIGNED = replace(
    PROFILE,
    id="signed",
    security_protocol=SecurityProtocol.SASL_SSL,
    sasl_username="van-7",
    limits=Limits(max_file_size=4_000_000_000),
    locked=frozenset({"metered"}),
)
PASSWORD = "hunter2-Qx7"  # noqa: S105 - of no real account
ALL_WELL = tuple(StepResult(step, Outcome.OK, detail="1048576 bytes", seconds=0.1) for step in Step)


def refused_at(step: Step, code: Code, detail: str = "") -> tuple[StepResult, ...]:
    """A test that goes well up to that step."""
    at = list(Step).index(step)
    skipped = (StepResult(later, Outcome.SKIPPED) for later in list(Step)[at + 1 :])
    return (*ALL_WELL[:at], StepResult(step, Outcome.FAILED, code, detail, 0.1), *skipped)


class BrokenVault(MemoryVault):
    """A keyring that takes nothing."""

    def set(self, profile_id: str, password: Secret) -> None:  # noqa: ARG002 - the port's signature
        raise FieldpostError(Code.KEYRING_FAILED, "write: locked")


@dataclass
class Link:
    """Stands for the network of the connection test: tells these results, and waits where it is told to."""

    results: Sequence[StepResult] = ALL_WELL
    hold_at: Step | None = None
    go_on: threading.Event = field(default_factory=threading.Event)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "Link":
        monkeypatch.setattr(check, "check", self._check)
        return self

    def _check(self, *_settings: object) -> Iterator[StepResult]:
        for result in self.results:
            if result.step is self.hold_at:
                assert self.go_on.wait(30)
            yield result


def texts(widget: QWidget) -> list[QLabel | QAbstractButton]:
    """Everything below a widget that is to be seen and says something."""
    found: list[QLabel | QAbstractButton] = [*widget.findChildren(QLabel)]
    found += widget.findChildren(QAbstractButton)
    return [part for part in found if part.isVisibleTo(widget) and part.text()]


def clipped(widget: QWidget) -> list[str]:
    """Every text below a widget that has less room than it needs."""
    narrow = [part for part in widget.findChildren(QComboBox) if part.width() < part.minimumSizeHint().width()]
    return [
        f"{part.objectName() or type(part).__name__}: {part.text()!r} has {part.size().toTuple()}"
        for part in texts(widget)
        if not _fits(part)
    ] + [part.objectName() for part in narrow if part.isVisibleTo(widget)]


def _fits(part: QLabel | QAbstractButton) -> bool:
    if isinstance(part, QLabel) and part.wordWrap():
        longest = max(part.fontMetrics().horizontalAdvance(word) for word in part.text().split())
        return part.height() >= part.heightForWidth(part.width()) and part.width() >= longest
    return part.width() >= part.minimumSizeHint().width() and part.height() >= part.minimumSizeHint().height()
