# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""One node: a JVM with a folder of its own, which can be stopped, killed, paused and started again."""

import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from devkafka.errors import DevKafkaError, PortTaken, StartFailed
from devkafka.files import tail, write_private
from devkafka.guarded import Guarded
from devkafka.java import java_command
from devkafka.polling import INTERVAL_S
from devkafka.properties import INTERNAL, LOG4J, NodeSpec, server_properties

START_S: Final = 60.0  # 3 s alone on an idle machine; three nodes at once on a busy one: 25 s
STOP_S: Final = 8.0  # 0.3 to 2.6 s alone, 7 s for three; beyond that it is stuck
FORMAT_S: Final = 60.0
_HEAP: Final = ("-Xms128m", "-Xmx512m")
_LOG_LINES: Final = 20


class Node:
    """A broker that is controller too."""

    def __init__(self, spec: NodeSpec, libs: Path, java_options: Sequence[str] = ()) -> None:
        self.spec = spec
        self._libs = libs
        self._java_options = java_options
        self._process: Guarded | None = None
        self._formatting: Guarded | None = None

    @property
    def address(self) -> str:
        """Of the plaintext listener."""
        return self.spec.listener(INTERNAL).address

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.running

    @property
    def pid(self) -> int:
        """Of the JVM."""
        return self._alive().pid

    def prepare(self, cluster_id: str) -> None:
        """Write the settings, and begin to format the folder if it is new; `launch` waits for that."""
        self.spec.home.mkdir(parents=True, exist_ok=True)
        (self.spec.home / "log4j2.properties").write_text(LOG4J, encoding="ascii")
        write_private(self._properties, server_properties(self.spec).encode("ascii"))
        if not (self.spec.home / "data" / "meta.properties").exists():
            # One word: an id may begin with a dash, which alone would look like an option.
            arguments = ["kafka.tools.StorageTool", "format", f"--cluster-id={cluster_id}", "-c", str(self._properties)]
            self._formatting = Guarded([*self._java(), *arguments], self._output)

    def launch(self) -> None:
        """Start the JVM; `wait_ready` tells when it answers."""
        if self._formatting is not None:
            status = self._formatting.wait(FORMAT_S)
            self._formatting = None
            if status != 0:
                raise StartFailed(f"Node {self.spec.node_id} could not format its folder.\n{self._last_words()}")
        for log in (self._log, self._output):
            log.unlink(missing_ok=True)  # so that an error shows the words of this start only
        self._process = Guarded([*self._java(), "kafka.Kafka", str(self._properties)], self._output)

    def wait_ready(self, deadline: float | None = None) -> None:
        """Wait until the node itself answers and counts itself in."""
        deadline = time.monotonic() + START_S if deadline is None else deadline
        admin = AdminClient({"bootstrap.servers": self.address, "reconnect.backoff.max.ms": 100, "log_level": 0})
        while not self._answers(admin):
            if not self.running:
                raise self._failure("ended while starting")
            if time.monotonic() >= deadline:
                raise self._failure("did not answer in time")
            time.sleep(INTERVAL_S)

    def restart(self) -> None:
        """Start again on the same folder and ports, after a stop in good order if it still runs."""
        self.stop()
        self.launch()
        self.wait_ready()

    def terminate(self) -> None:
        """Ask it to stop; `stop` waits for that."""
        if self._process is not None:
            self._process.signal(signal.SIGCONT)  # a paused process would not hear
            self._process.signal(signal.SIGTERM)

    def stop(self, seconds: float = STOP_S) -> None:
        """Stop in good order; by force if that takes too long."""
        if self._process is not None:
            self.terminate()
            self._process.wait(max(0.0, seconds))
            self._process = None

    def kill(self) -> None:
        """End it by kill -9, whatever it is doing."""
        for process in (self._formatting, self._process):
            if process is not None:
                process.kill()
        self._formatting = self._process = None

    def pause(self) -> None:
        """Freeze it: connections stay open, nothing answers."""
        self._alive().signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._alive().signal(signal.SIGCONT)

    def _answers(self, admin: AdminClient) -> bool:
        try:
            return self.spec.node_id in admin.list_topics(timeout=0.5).brokers
        except KafkaException:
            return False

    def _alive(self) -> Guarded:
        if self._process is None or not self._process.running:
            raise DevKafkaError(f"Node {self.spec.node_id} does not run.")
        return self._process

    def _failure(self, what: str) -> StartFailed:
        kind = PortTaken if any("Address already in use" in line for line in self._said()) else StartFailed
        return kind(f"Node {self.spec.node_id} {what}. The last lines of its log:\n{self._last_words()}")

    def _last_words(self) -> str:
        return "\n".join(self._said()[-_LOG_LINES:])

    def _said(self) -> list[str]:
        """What it wrote last, without the Java stack traces."""
        return [line for path in (self._log, self._output) for line in tail(path) if not line.startswith("\tat ")]

    def _java(self) -> list[str]:
        home = self.spec.home
        log4j = (home / "log4j2.properties").as_uri()
        return java_command(
            self._libs,
            *_HEAP,
            *self._java_options,
            f"-Dkafka.logs.dir={home / 'logs'}",
            f"-Dlog4j2.configurationFile={log4j}",
        )

    @property
    def _properties(self) -> Path:
        return self.spec.home / "server.properties"

    @property
    def _log(self) -> Path:
        return self.spec.home / "logs" / "broker.log"

    @property
    def _output(self) -> Path:
        return self.spec.home / "output.txt"
