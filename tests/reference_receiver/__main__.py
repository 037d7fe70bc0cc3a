# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The office as a process: prints "ready", then a JSON line for each file it published, until SIGTERM.

Exit code 0, or 1 if a sender did something that docs/protocol.md forbids; what, stands on stderr.
"""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from fieldpost_shared.kafka.settings import DEFAULT_FILES_TOPIC, DEFAULT_STATUS_TOPIC
from reference_receiver.observations import Published
from reference_receiver.office import Office


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    office = Office(
        options.bootstrap_servers,
        options.files_topic,
        options.status_topic,
        options.folder,
        options.name,
        notice_seconds=options.notice_seconds,
        on_published=_print,
    )
    with office:
        print("ready", flush=True)
        stop.wait()
    for violation in office.violations:
        print(violation, file=sys.stderr)
    return 1 if office.violations else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m reference_receiver", description="A receiver for tests and the demo."
    )
    parser.add_argument("--bootstrap-servers", required=True)
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("--name", default="central")
    parser.add_argument("--files-topic", default=DEFAULT_FILES_TOPIC)
    parser.add_argument("--status-topic", default=DEFAULT_STATUS_TOPIC)
    parser.add_argument("--notice-seconds", type=float, default=1.0)
    return parser.parse_args(arguments)


def _print(published: Published) -> None:
    print(json.dumps(asdict(published)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
