# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""No failure brings a password to where somebody else could read it: a day on which much goes wrong, then a search.

Looked at: everything that either end wrote (logs, journal, ledger, Spark's event log with its plans,
temporary folders, reports for support), what they print, what they answer over HTTP, and the processes' command lines
and environments.
"""

import base64
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types

from devkafka.roles import Role
from faults.bookkeeping import Case
from faults.scene import CHUNK, Scene, Van
from fieldpost_desktop.commands.exit_codes import Exit
from support.brokers import Topics
from support.processes.receiver import secure_kafka
from support.waiting import wait_until

WRONG = "sur3ly-wr0ng-and-typed-by-mistake"  # a password too: of something else
SPARK = """\
spark.eventLog.enabled true
spark.eventLog.compress false
spark.eventLog.dir file:{folder}
spark.ui.enabled true
"""


def disguises(secret: str) -> Iterator[bytes]:
    """The secret as it might lie around: plain, in the ways that data is written down, and as SASL PLAIN sends it."""
    plain = secret.encode()
    yield plain
    yield plain.hex().encode()
    yield "".join(f"\\u{ord(character):04x}" for character in secret).encode()
    for before in (b"", b"x", b"xx", *(f"\0{role}\0".encode() for role in Role)):
        # Where it stands in a longer text decides how it looks; its ends depend on the neighbours.
        encoded = base64.b64encode(before + plain)
        yield encoded[4 * ((len(before) + 2) // 3) : -4]


class Search:
    """Collects places; `found` tells which of them hold a secret."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._wanted = {look: owner for owner, secret in secrets.items() for look in disguises(secret)}
        assert all(len(look) > 10 for look in self._wanted), "anything would match"
        self.places: list[str] = []
        self.found: set[str] = set()

    def look(self, place: str, content: bytes | str) -> None:
        raw = content.encode() if isinstance(content, str) else content
        self.places.append(place)
        self.found.update(
            f"{place} shows the password of {owner}" for look, owner in self._wanted.items() if look in raw
        )

    def files(self, folder: Path, without: Path) -> None:
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_relative_to(without) and path.name != "password":
                self.look(str(path.relative_to(folder)), path.read_bytes())
                if zipfile.is_zipfile(path):
                    with zipfile.ZipFile(path) as archive:
                        for name in archive.namelist():
                            self.look(f"{path.name}/{name}", archive.read(name))

    def processes(self, *ours: psutil.Process) -> None:
        for process in ours:
            with suppress(psutil.NoSuchProcess):  # a worker that was not needed any more
                self.look(f"command line of {process.name()}", "\0".join(process.cmdline()))
                environment = (f"{name}={value}" for name, value in process.environ().items())
                self.look(f"environment of {process.name()}", "\0".join(environment))

    def seen(self, *wanted: str) -> None:
        """A search that did not look proves nothing."""
        for words in wanted:
            assert any(words in place for place in self.places), f"{words} was not looked at: {self.places}"


def test_no_password_shows_after_a_day_on_which_much_goes_wrong(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    passwords = secure_topics.cluster.security.passwords
    search = Search({role: passwords[role] for role in Role} | {"nobody": WRONG})
    scene = Scene(case, secure_topics, tmp_path)
    env = spark_that_tells_all(tmp_path)
    with scene.judged():
        van = scene.van()
        van.cli.env["TMPDIR"] = env["TMPDIR"]
        van.load("a.bin", 20 * CHUNK)
        wrong_passwords(scene, van, search, env)
        sending = van.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "3MB"})
        scene.receiver.launch(env=env)
        wait_until(lambda: scene.receiver.rows("SELECT 1 FROM transfers"), 240, "the first parts")
        search.processes(psutil.Process(sending.pid), *scene.receiver.family())
        search.files(tmp_path, tmp_path / "secrets")  # while Spark's files are there
        look_over_http(scene, search)
        sending.kill()
        scene.receiver.kill()
        case.fault(2)
        reports(scene, van, search)
        scene.receiver.launch(env=env)
        van.send()
        van.finish(120)
    search.files(tmp_path, tmp_path / "secrets")
    search.seen("receiver.log", "ledger.db", "journal.db", "events/", "report.zip/about.json")
    search.seen("command line of java", "environment of fieldpost", "/metrics", "logs/fieldpost.log")
    assert not search.found


def spark_that_tells_all(folder: Path) -> dict[str, str]:
    """As an administrator may have set it up on the machine: event log and UI on. What is temporary stays here."""
    for name in ("conf", "events", "tmp"):
        (folder / name).mkdir()
    (folder / "conf" / "spark-defaults.conf").write_text(SPARK.format(folder=folder / "events"), encoding="ascii")
    return {"SPARK_CONF_DIR": str(folder / "conf"), "TMPDIR": str(folder / "tmp")}


def wrong_passwords(scene: Scene, van: Van, search: Search, env: Mapping[str, str]) -> None:
    """Somebody types the password of something else, at both ends."""
    right = Path(van.cli.env["FIELDPOST_PASSWORD_FILE"])
    mistyped = van.cli.file("mistyped/password", WRONG.encode())
    mistyped.chmod(0o600)
    ended = van.send(env={"FIELDPOST_PASSWORD_FILE": str(mistyped)}).wait().check(Exit.NEEDS_YOU)
    search.look("send, refused", ended.out + ended.err)
    assert right != mistyped
    secret = Path(secure_kafka(scene.topics, scene.folder / "secrets")["sasl_password_file"])
    good = secret.read_bytes()
    secret.write_text(f"{WRONG}\n", encoding="utf-8")
    scene.receiver.launch(env=env)
    assert scene.receiver.process is not None
    assert scene.receiver.process.wait(60) == 78
    checked = scene.receiver.command("check", "--json")
    search.look("check, refused", checked.stdout + checked.stderr)
    secret.write_bytes(good)


def look_over_http(scene: Scene, search: Search) -> None:
    """The receiver's own pages. Spark's would show its whole plan: there are none, whatever the machine's defaults."""
    ports: set[int] = set()
    for process in scene.receiver.family():
        with suppress(psutil.NoSuchProcess):  # a worker that was not needed any more
            ports |= {one.laddr.port for one in process.net_connections("tcp") if one.status == "LISTEN"}
    for port in ports:
        for page in ("/metrics", "/environment/", "/stages/"):
            where = f"http://127.0.0.1:{port}{page}"
            with suppress(OSError, HTTPException), urllib.request.urlopen(where, timeout=1) as answer:
                search.look(page, answer.read())
    assert not {"/environment/", "/stages/"} & set(search.places)


def reports(scene: Scene, van: Van, search: Search) -> None:
    """What people are asked for by support."""
    for command in (["diagnostics", "report.zip"], ["check", "--json"], ["status"]):
        ended = van.cli.run(*command)
        search.look(" ".join(command), ended.out + ended.err)
    for command in (["check", "--json"], ["status", "--json"]):
        done = scene.receiver.command(*command)
        search.look(f"receiver {command[0]}", done.stdout + done.stderr)
