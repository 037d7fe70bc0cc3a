# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A process that takes one order a line, as JSON, and answers with one line: the other half is `Worker`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

_TESTS: Final = Path(__file__).resolve().parents[1]


class Worker:
    """Started with the arguments of `program`; `ask` waits for the answer."""

    def __init__(self, program: str, **arguments: object) -> None:
        command = [sys.executable, "-m", f"bench.{program}", json.dumps(arguments)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_TESTS)

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> Self:
        self._answer()  # it is ready
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def ask(self, **order: object) -> dict[str, Any]:
        self.begin(**order)
        return self.result()

    def begin(self, **order: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def result(self) -> dict[str, Any]:
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended with {self._process.wait()}")
        found: dict[str, Any] = json.loads(line)
        return found


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """In the process: say that it is ready, then answer orders until there are no more."""
    print("{}", flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def arguments() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sys.argv[1])
    return found
