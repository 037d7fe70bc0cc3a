# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The uploader's engine in a process of its own: adds what it is told, answers when all of it has come so far."""

import time
from pathlib import Path
from typing import Any, Final

from bench.worker import arguments, serve
from fieldpost_desktop.engine.engine import Engine
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.ports import Config
from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_shared.database import open_for_reading
from fieldpost_shared.ids import ClientName
from fieldpost_shared.kafka.settings import KafkaSettings
from support.engine.uploader import running_engine

_EVERY_S: Final = 0.02
_MANY: Final = 100  # counting them takes time from the engine
_ENDED: Final = (FileState.CONFIRMED, FileState.SENT)


def main() -> None:
    given = arguments()
    folder = Path(given["folder"])
    config = Config(ClientName(given["client"]), chunk_size=given["chunk_size"])
    with running_engine(folder, KafkaSettings.parse(given["kafka"]), config) as up:
        journal = open_for_reading(folder / "journal.db")

        def answer(order: dict[str, Any]) -> dict[str, Any]:
            """`until`: every file of the order is in this state (a receipt counts as sent, too)."""
            states = _ENDED if order["until"] == FileState.SENT else _ENDED[:1]
            marks = ", ".join(f"'{state}'" for state in states)
            join = "batches JOIN files ON files.id = batches.file"
            sql = f"SELECT count(*) FROM {join} WHERE batch = ? AND state IN ({marks})"  # noqa: S608 - our own names
            began = time.perf_counter()
            batch = up.engine.add(DroppedFiles.of(order["paths"]))
            while int(journal.execute(sql, (batch,)).fetchone()[0]) < order["files"]:
                _check(up.engine)
                time.sleep(_EVERY_S if order["files"] < _MANY else 5 * _EVERY_S)
            return {"seconds": time.perf_counter() - began}

        serve(answer)
        journal.close()


def _check(engine: Engine) -> None:
    if engine.failure is not None:
        raise engine.failure


if __name__ == "__main__":
    main()
