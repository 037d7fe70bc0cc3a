# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m devkafka`: fetch the broker's jars, or run a broker in the foreground."""

import argparse
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from devkafka.cluster import Cluster
from devkafka.errors import DevKafkaError
from devkafka.jars import ensure_jars, libs_folder
from devkafka.ports import HOST, free_ports, is_free
from devkafka.roles import Role

USUAL_PORT: Final = 9092
FILES: Final = "fieldpost.files"
STATUS: Final = "fieldpost.status"
PARTITIONS: Final = 8
_LOOK_S: Final = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return _jars() if options.command == "jars" else _run(options)
    except DevKafkaError as error:
        print(f"devkafka: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="devkafka", description="A real Kafka on this machine, on loopback only.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("jars", help="fetch the broker's jars")
    run = commands.add_parser("run", help="run a broker until Ctrl-C")
    run.add_argument("--nodes", type=int, choices=(1, 3), default=1, help="how many nodes (default: 1)")
    run.add_argument("--secure", action="store_true", help="SASL_SSL with users and rights, besides plaintext")
    run.add_argument("--port", type=int, help=f"for clients, on the first node (default: {USUAL_PORT} if free)")
    run.add_argument("--dir", type=Path, help="keep the data here and use it again (default: a temporary folder)")
    run.add_argument("--keep", action="store_true", help="do not remove the temporary folder")
    return parser


def _jars() -> int:
    there = libs_folder().is_dir()
    libs = ensure_jars()
    count = len(list(libs.glob("*.jar")))
    print(f"{count} jars {'were already' if there else 'are now'} in {libs}")
    return 0


def _run(options: argparse.Namespace) -> int:
    _stop_on_signals()
    try:
        with _folder(options.dir, keep=options.keep) as folder:
            return _serve(options, folder)
    except KeyboardInterrupt:
        print("\nStopped.", flush=True)
        return 0


def _serve(options: argparse.Namespace, folder: Path) -> int:
    """Run until a signal comes; a node that ends by itself ends the others too."""
    begin = time.monotonic()
    cluster = Cluster(folder, nodes=options.nodes, secure=options.secure, port=_port(options.port))
    try:
        cluster.start()
        _create_topics(cluster, secure=options.secure)
        print(_how_to_reach(cluster, time.monotonic() - begin, secure=options.secure), flush=True)
        while all(node.running for node in cluster.nodes.values()):
            time.sleep(_LOOK_S)
    finally:
        _ignore_signals()
        cluster.close(gently=bool(options.dir or options.keep))
    raise DevKafkaError(f"A node ended by itself; its log lies in {folder} if that was to be kept.")


def _port(wanted: int | None) -> int:
    if wanted is not None:
        if not is_free(wanted):
            raise DevKafkaError(f"Port {wanted} is in use. Choose another with --port.")
        return wanted
    if is_free(USUAL_PORT):
        return USUAL_PORT
    [other] = free_ports(1)
    print(f"Port {USUAL_PORT} is in use, so this broker takes {other}.", flush=True)
    return other


def _create_topics(cluster: Cluster, *, secure: bool) -> None:
    there = cluster.admin().list_topics(timeout=10).topics
    for topic in (FILES, STATUS):
        if topic not in there:
            cluster.create_topic(topic, PARTITIONS)
    if secure:
        for role in Role:
            cluster.grant(role, role, files=FILES, status=STATUS)


def _how_to_reach(cluster: Cluster, seconds: float, *, secure: bool) -> str:
    nodes = len(cluster.nodes)
    plain = cluster.bootstrap_servers
    lines = [
        f"Kafka is ready after {seconds:.1f} s: {nodes} node{'s' if nodes > 1 else ''} on {HOST}, files in",
        f"  {cluster.directory}",
        "",
        f"Plaintext (all rights)  {plain}",
        *(_secure_lines(cluster) if secure else []),
        f"Topics                  {FILES}, {STATUS} ({PARTITIONS} partitions each)",
        "",
        "Look at it, for example with",
        f"  kcat -L -b {plain}",
        *([f"  kcat -L -F {_client_file(cluster, Role.UPLOADER)}"] if secure else []),
        f"""  {sys.executable} -c "from confluent_kafka.admin import AdminClient; \
print(*AdminClient({{'bootstrap.servers': '{plain}'}}).list_topics(timeout=10).topics)\"""",
        "",
        "Ctrl-C stops it.",
    ]
    return "\n".join(lines)


def _secure_lines(cluster: Cluster) -> list[str]:
    security = cluster.security
    for user in security.passwords:
        security.write_client_file(user, _client_file(cluster, user))
    return [
        f"SASL_SSL                {security.bootstrap_servers}",
        f"CA certificate          {security.ca_path}",
        "User and password       in one file each, which only you can read:",
        *(f"  {_client_file(cluster, user)}" for user in security.passwords),
    ]


def _client_file(cluster: Cluster, user: str) -> Path:
    return cluster.directory / f"{user}.properties"


@contextmanager
def _folder(wanted: Path | None, *, keep: bool) -> Iterator[Path]:
    """The folder asked for, or a temporary one that goes away at the end."""
    folder = wanted or Path(tempfile.mkdtemp(prefix="devkafka-"))
    try:
        yield folder
    finally:
        if wanted is None and not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _stop_on_signals() -> None:
    """The ways to end a program in a terminal all lead through the `finally` above."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup does
            signal.signal(number, _interrupt)


def _ignore_signals() -> None:
    """A second Ctrl-C does not disturb the clearing up, which is short."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
