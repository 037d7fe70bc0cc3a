# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost self-test`: whether this program works on this computer, part by part. Touches nothing that is in use."""

import hashlib
import importlib.util
import json
import logging
import os
import ssl
import sys
import tempfile
import threading
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from fieldpost_desktop.commands.exit_codes import Exit, WrongUse
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.file_row import SourceFile
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_desktop.engine.profile.vault import KeyringVault
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.support.diagnostics import about
from fieldpost_desktop.engine.watching.os_events import OsEvents
from fieldpost_shared import names
from fieldpost_shared.chunks import MIB, ChunkIndex
from fieldpost_shared.clock import Clock
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.ids import clean_client_name, new_transfer_id
from fieldpost_shared.protocol.encodings import Encoding
from fieldpost_shared.protocol.messages import Chunk, FileFacts, decode, encode, make_chunk, open_chunk
from fieldpost_shared.secret import Secret

_QUIET: Final = logging.getLogger("fieldpost.librdkafka")
_WAIT_S: Final = 20.0
_TOPIC: Final = "self-test"


class CheckFailed(Exception):
    """A part does not work; says how."""


class Skipped(Exception):
    """A part cannot be tried here; says why."""


Check = Callable[[Path, Clock], str]


def run(clock: Clock, options: Namespace, terminal: Terminal, parts: Mapping[str, Check] | None = None) -> Exit:
    """Try every part; the result goes to the file, or to the output."""
    with tempfile.TemporaryDirectory(prefix="fieldpost-self-test-") as folder:
        results = {name: _try(part, Path(folder), clock) for name, part in (parts or CHECKS).items()}
    ok = all(result["outcome"] != "failed" for result in results.values())
    text = json.dumps({"ok": ok, "about": about(), "parts": results}, indent=2)
    if options.file is None:
        terminal.say(text)
    else:
        try:
            options.file.write_text(f"{text}\n", encoding="utf-8")
        except OSError as error:
            raise WrongUse(f"{options.file} cannot be written: {error.strerror}.") from None
    return Exit.DONE if ok else Exit.NEEDS_YOU


def _try(part: Check, folder: Path, clock: Clock) -> dict[str, str]:
    try:
        return {"outcome": "ok", "detail": part(folder, clock)}
    except Skipped as reason:
        return {"outcome": "skipped", "detail": str(reason)}
    except (CheckFailed, FieldpostError, KafkaException, OSError) as error:
        return {"outcome": "failed", "detail": f"{type(error).__name__}: {error}"}


def _journal(folder: Path, clock: Clock) -> str:
    paths = Paths(folder / "data")
    paths.make()
    store = Store.open(paths.journal)
    try:
        mode = store.journal_mode()
        found = SourceFile(str(folder / "a"), "a", 1, 1, "")
        row = Files(store).add(found, FileState.QUEUED, clock.now_ns())
        other = Store.open(paths.journal)
        seen = Files(other).find(row.id)
        other.close()
    finally:
        store.close()
    if mode != "wal" or seen != row:
        raise CheckFailed(f"journal mode {mode}, the row was{'' if seen == row else ' not'} found again")
    return "WAL"


def _vault(_folder: Path, _clock: Clock) -> str:
    vault, name = KeyringVault(), f"self-test-{uuid4().hex}"
    secret = Secret(uuid4().hex)
    try:
        vault.set(name, secret)
    except FieldpostError as error:
        if sys.platform == "win32":
            raise
        raise Skipped(str(error)) from None
    same = vault.get(name) == secret
    vault.delete(name)
    if not same or vault.get(name) is not None:
        raise CheckFailed("what was stored was not found again, or not deleted")
    return "set, get and delete"


def _watcher(folder: Path, clock: Clock) -> str:
    place = folder / "watched"
    place.mkdir()
    opened, told = threading.Event(), threading.Event()

    def hint(_folder: int) -> None:
        (told if opened.is_set() else opened).set()

    hints = OsEvents(hint)
    hints.observe({1: str(place)})
    try:
        if not clock.wait(opened, _WAIT_S):
            raise CheckFailed("the folder could not be observed")
        (place / "new").write_bytes(b"x")
        if not clock.wait(told, _WAIT_S):
            raise CheckFailed("a new file raised no event")
    finally:
        hints.stop()
    return "a new file was noticed"


def _tls(_folder: Path, _clock: Clock) -> str:
    """Let the library refuse the settings if it was built without TLS or SCRAM."""
    config = {"bootstrap.servers": "127.0.0.1:9", "security.protocol": "SASL_SSL", "log_level": 0}
    Producer(config | {"sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "x", "sasl.password": "x"}, logger=_QUIET)
    return f"librdkafka with TLS and SCRAM; {ssl.OPENSSL_VERSION}"


def _mock_cluster(_folder: Path, clock: Clock) -> str:
    """Send 1 MiB there and back through the broker that librdkafka has built in."""
    size = {"message.max.bytes": 2 * MIB, "log_level": 0}
    producer = Producer({"test.mock.num.brokers": 1, "bootstrap.servers": "ignored:1", **size}, logger=_QUIET)
    sent = os.urandom(MIB)
    producer.produce(_TOPIC, sent, partition=0)
    if producer.flush(_WAIT_S):
        raise CheckFailed("the message was not acknowledged")
    broker = next(iter(producer.list_topics(timeout=_WAIT_S).brokers.values()))
    came = _first_message(f"{broker.host}:{broker.port}", clock)
    if came is None or hashlib.sha256(came).digest() != hashlib.sha256(sent).digest():
        raise CheckFailed("other bytes came back than were sent")
    return f"{MIB} bytes there and back"


def _first_message(server: str, clock: Clock) -> bytes | None:
    config: dict[str, Any] = {"bootstrap.servers": server, "group.id": "self-test", "log_level": 0}
    consumer = Consumer(config, logger=_QUIET)
    try:
        consumer.assign([TopicPartition(_TOPIC, 0, 0)])
        deadline = clock.monotonic() + _WAIT_S
        while clock.monotonic() < deadline:
            message = consumer.poll(0.2)
            if message is not None and message.error() is None:
                return message.value()
    finally:
        consumer.close()
    return None


def _protocol(_folder: Path, clock: Clock) -> str:
    path = names.from_source(("Messung", "Größe 1.txt"))
    facts = FileFacts(clean_client_name("self-test"), new_transfer_id(clock.now_ns()), path, 5, 65_536, 0)
    record = encode(make_chunk(facts, ChunkIndex(0), b"bytes", Encoding.ZSTD))
    message = decode(record.key, record.headers, record.value)
    if not isinstance(message, Chunk) or message.facts != facts or open_chunk(message) != b"bytes":
        raise CheckFailed("a message did not survive")
    return "a message there and back"


def _seen(part: str) -> Check:
    """Return the check of a part of the window; without Qt it is skipped."""

    def try_it(folder: Path, clock: Clock) -> str:
        if importlib.util.find_spec("PySide6") is None:
            raise Skipped("Qt is not installed here")
        from fieldpost_desktop.ui import self_test  # noqa: PLC0415 - Qt is loaded for the window only

        tests = {
            "window": lambda: self_test.window(folder, clock),
            "tray": self_test.tray,
            "icons": self_test.drawings,
            "languages": self_test.words,
        }
        well, found = tests[part]()
        if not well:
            raise CheckFailed(found)
        return found

    return try_it


def _bundle(_folder: Path, _clock: Clock) -> str:
    """Check that the frozen program imports nothing from elsewhere; it runs last, when everything is imported."""
    inside = getattr(sys, "_MEIPASS", None)
    if inside is None:
        raise Skipped("this program runs from its sources")
    named = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    sources = [file for file in named if file and Path(file).is_absolute()]  # others are part of a library, no files
    strangers = outside(Path(inside), [*sources, *sys.path])
    if strangers:
        raise CheckFailed(f"taken from elsewhere: {', '.join(strangers)}")
    return f"{len(sources)} modules, all from inside"


def outside(folder: Path, files: Iterable[str]) -> list[str]:
    """Return those of the files that do not lie below the folder."""
    return sorted({file for file in files if not Path(file).absolute().is_relative_to(folder.absolute())})


CHECKS: Final[Mapping[str, Check]] = {
    "journal": _journal,
    "vault": _vault,
    "watcher": _watcher,
    "tls": _tls,
    "kafka": _mock_cluster,
    "protocol": _protocol,
    **{part: _seen(part) for part in ("window", "tray", "icons", "languages")},
    "bundle": _bundle,
}
