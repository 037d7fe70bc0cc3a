# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What processes that inherit our outputs print; seen in a process of its own, since the outputs are one for all."""

import json
import subprocess
import sys
from typing import Any

PROGRAM = """
import subprocess, sys
from fieldpost_receiver.telemetry import logs
from fieldpost_receiver.telemetry.child_output import second_stderr, captured_output
from fieldpost_shared.secret import Secret

with second_stderr() as stream:
    logs.set_up("info", [Secret("hunter2hunter2")], stream=stream)
    with captured_output():
        {body}
    logs.shut_down()
print("after", flush=True)
"""


def run(body: str) -> tuple[str, list[dict[str, Any]]]:
    """What came out of stdout, and the lines of the log."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body)], check=True, capture_output=True, text=True, timeout=30
    )
    return done.stdout, [json.loads(line) for line in done.stderr.splitlines()]


def test_lines_of_a_child_on_either_output_become_lines_of_the_log() -> None:
    out, log = run("""subprocess.run(["sh", "-c", "echo one; echo two >&2; printf 'no end'"])""")
    assert [line["message"] for line in log][:2] == ["one", "two"]
    assert {line["logger"] for line in log} == {"fieldpost_receiver.telemetry.child_output"}
    assert out == "after\n", "the outputs are given back"


def test_a_secret_that_a_child_prints_is_not_in_the_log() -> None:
    _, log = run("""subprocess.run(["echo", "password is hunter2hunter2"])""")
    assert "hunter2" not in json.dumps(log)
    assert log[0]["message"].startswith("password is ")


def test_bytes_that_are_no_text_and_endless_lines_do_no_harm() -> None:
    _, log = run(
        r"""subprocess.run([sys.executable, "-c", "print('x' * 20000); import os; os.write(1, b'\\xff\\n')"])"""
    )
    assert max(len(line["message"]) for line in log) <= 8_192
    assert "".join(line["message"] for line in log).startswith("x" * 20_000)


def test_a_child_that_lives_on_holds_up_nothing() -> None:
    out, log = run("""subprocess.Popen(["sh", "-c", "echo here; exec sleep 5"], start_new_session=True).poll()""")
    assert out == "after\n"
    assert [line["message"] for line in log] in ([], ["here"])
