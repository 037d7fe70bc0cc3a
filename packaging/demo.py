# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`make demo`: a local Kafka, the receiver, a few files dropped and a folder watched, and a look at what arrived.

`DEMO_KEEP=1 make demo` leaves everything running and says how to send more.
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from devkafka.cluster import Cluster

ROOT: Final = Path(__file__).resolve().parents[1]
FIELDPOST: Final = Path(sys.executable).with_name("fieldpost")
CLIENT: Final = "demo-van"
SIZES: Final = {"report.pdf": 350_000, "survey/photo 1.jpg": 4_200_000, "survey/photo 2.jpg": 3_900_000}
WATCHED_WAIT_S: Final = 60.0


def main() -> int:
    """Run it; 0 if everything arrived unaltered."""
    started = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fieldpost-demo-")))
        say("starting a local Kafka")
        kafka = stack.enter_context(Cluster(folder / "kafka"))
        for topic in ("fieldpost.files", "fieldpost.status"):
            kafka.create_topic(topic, 8)
        say(f"Kafka answers at {kafka.bootstrap_servers} after {time.monotonic() - started:.0f} s")
        say("starting the receiver (Spark takes some seconds)")
        office = folder / "office"
        stack.callback(end, start_receiver(kafka.bootstrap_servers, office))
        sources = make_files(folder / "laptop")
        say("dropping a folder and two files on the uploader")
        send(kafka.bootstrap_servers, folder / "data", [sources / name for name in ("trip", "big.bin", "empty.txt")])
        watched = watch(kafka.bootstrap_servers, folder, stack, office)
        wrong = show(sources, watched, office)
        verdict = "SOMETHING IS WRONG" if wrong else "everything arrived unaltered"
        say(f"done after {time.monotonic() - started:.0f} s: {verdict}")
        if os.environ.get("DEMO_KEEP"):
            keep(kafka.bootstrap_servers, folder, office)
        return 1 if wrong else 0


def say(words: str) -> None:
    """One line of the demo's own."""
    print(f"\n== {words}", flush=True)


def start_receiver(servers: str, folder: Path) -> subprocess.Popen[bytes]:
    """The receiving side, as a process of its own."""
    folder.mkdir()
    config = folder.with_name("receiver.toml")
    config.write_text(
        f"""[receiver]
state_dir = "{folder.with_name("state")}"
destination = "{folder}"
min_free_space = "200MiB"
notice_every = "5s"
[kafka]
bootstrap_servers = "{servers}"
[http]
listen = "127.0.0.1:0"
""",
        encoding="utf-8",
    )
    log = folder.with_name("receiver.log")
    with log.open("wb") as out:
        command = [str(FIELDPOST.with_name("fieldpost-receiver")), "run", "--config", str(config)]
        receiver = subprocess.Popen(command, stdout=out, stderr=out)
    while '"reading ' not in log.read_text(encoding="utf-8") and receiver.poll() is None:
        time.sleep(0.1)
    return receiver


def make_files(folder: Path) -> Path:
    """A few files such as people send: photos, text, something large, something empty."""
    noise = random.Random(2026)  # noqa: S311 - the same files each time
    for name, size in SIZES.items():
        path = folder / "trip" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(noise.randbytes(size))
    notes = folder / "trip" / "notes"
    notes.mkdir()
    for day in range(1, 31):
        (notes / f"day {day}.txt").write_text(f"Day {day}: measured {day * 7} samples.\n" * 20, encoding="utf-8")
    (folder / "big.bin").write_bytes(noise.randbytes(64_000_000))
    (folder / "empty.txt").touch()
    return folder


def send(servers: str, data: Path, paths: list[Path]) -> None:
    """What a person types, or what the window does."""
    subprocess.run(
        [FIELDPOST, "send", "--data-dir", data, "--bootstrap-servers", servers, "--client", CLIENT, *paths], check=True
    )


def watch(servers: str, folder: Path, stack: ExitStack, office: Path) -> Path:
    """A folder is watched; a file that appears in it goes out by itself."""
    watched = folder / "watched"
    watched.mkdir()
    say("watching a folder; a file appears in it")
    watcher = subprocess.Popen(
        [FIELDPOST, "watch", "--data-dir", folder / "data", "--bootstrap-servers", servers, "--client", CLIENT, watched]
    )
    stack.callback(end, watcher)
    (watched / "found by itself.csv").write_text("a;b\n1;2\n", encoding="utf-8")
    deadline = time.monotonic() + WATCHED_WAIT_S
    while not (office / CLIENT / "found by itself.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    return watched


def show(sources: Path, watched: Path, office: Path) -> list[str]:
    """What lies at the office, each file compared with its source."""
    say(f"what arrived at the office ({CLIENT}/)")
    expected = {path.relative_to(sources): path for path in sources.rglob("*") if path.is_file()}
    expected |= {path.relative_to(watched): path for path in watched.rglob("*") if path.is_file()}
    wrong = []
    for name, source in sorted(expected.items()):
        arrived = office / CLIENT / name
        same = arrived.is_file() and digest(arrived) == digest(source)
        wrong += [] if same else [str(name)]
        if "notes" not in name.parts or not same:
            print(f"  {'OK' if same else 'WRONG':5} {digest(source)[:12]}  {source.stat().st_size:>11,}  {name}")
    print(f"  and {sum('notes' in name.parts for name in expected)} small notes")
    return wrong


def digest(path: Path) -> str:
    """The same figure as sha256sum prints."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def keep(servers: str, folder: Path, office: Path) -> None:
    """Leave it running until Ctrl-C."""
    say("everything stays up until you press Ctrl-C; to send more, in another terminal:")
    print(f"  {FIELDPOST.relative_to(ROOT)} send --data-dir {folder / 'more'} --bootstrap-servers {servers} FILE...")
    print(f"  arrives in {office}")
    try:
        signal.pause()
    except KeyboardInterrupt:
        print()


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to stop, and see that it does."""
    process.terminate()
    try:
        process.wait(40)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    if shutil.which("java") is None:
        sys.exit("Java is missing; run: make setup")
    sys.exit(main())
