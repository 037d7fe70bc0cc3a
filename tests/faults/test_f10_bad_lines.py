# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F10: lines with a second of delay, 64 kbit/s, a reset every 5 s, slices of a byte, or a fifth of the packets lost."""

from pathlib import Path
from typing import Final

from faults.bookkeeping import Case
from faults.namespace import lossy_namespace
from faults.scene import Scene
from faults.toxiproxy import Line, Toxiproxy
from fieldpost_desktop.commands.exit_codes import Exit
from reference_receiver.office import Office
from support.brokers import Topics
from support.processes.cli import Cli, secure_profile
from support.samples import digest, make

KIB: Final = 1024
SMALL: Final = 256 * KIB
MIB: Final = 1024 * KIB
RESET_S: Final = 5.0


def distant(line: Line) -> None:
    line.put_toxic("latency", latency=500)


def narrow(line: Line) -> None:
    line.put_toxic("bandwidth", rate=8)  # KB/s, each way


def sliced(line: Line) -> None:
    line.put_toxic("slicer", average_size=1, size_variation=0, delay=0)


def test_f10_files_arrive_over_any_line_and_the_office_has_a_broken_one_too(
    case: Case, rough_topics: Topics, toxiproxy: Toxiproxy, tmp_path: Path
) -> None:
    doors = rough_topics.cluster.door
    office, van4 = toxiproxy.line(doors("OFFICE")), toxiproxy.line(doors("VAN4"))
    scene = Scene(case, rough_topics, tmp_path, kafka={"bootstrap_servers": office.address})
    sizes = {
        distant: case.size(SMALL // 2, 32 * MIB),
        narrow: case.size(SMALL // 2, 3 * SMALL),
        sliced: case.size(SMALL, MIB),
    }
    with scene.judged():
        scene.receiver.start()
        with office.resetting(RESET_S), van4.resetting(RESET_S):
            vans = [scene.van("broken", bootstrap_servers=van4.address)]
            vans[0].load("a.bin", case.size(2, 30) * MIB)
            vans[0].send(env={"FIELDPOST_BANDWIDTH_LIMIT": "200KB"})  # else it is over before the first reset
            for door, (make_bad, size) in zip(("VAN", "VAN2", "VAN3"), sizes.items(), strict=True):
                line = toxiproxy.line(doors(door))
                make_bad(line)
                vans.append(scene.van(make_bad.__name__, bootstrap_servers=line.address))
                vans[-1].load("a.bin", size)
                vans[-1].send()
            case.fault(len(vans))
            for van in vans:
                van.finish(240)


def test_f10_a_fifth_of_all_packets_lost_is_only_slow(
    case: Case, rough_topics: Topics, toxiproxy: Toxiproxy, tmp_path: Path
) -> None:
    door, security = rough_topics.cluster.door("VAN"), rough_topics.cluster.security
    cli = Cli(tmp_path)
    cli.options = ("--profile", str(secure_profile(tmp_path / "p", rough_topics, bootstrap_servers=door.address)))
    secret = cli.file("password", security.passwords["uploader"].encode())
    secret.chmod(0o600)
    cli.env["FIELDPOST_PASSWORD_FILE"] = str(secret)
    source = make(tmp_path, "a.bin", case.size(SMALL, 4 * MIB), case.random.randrange(2**32))
    case.moved(source.stat().st_size)
    servers = rough_topics.bootstrap_servers
    with (
        Office(servers, rough_topics.files, rough_topics.status, tmp_path / "office") as office,
        lossy_namespace(toxiproxy, door, 20, tmp_path) as cli.within,
    ):
        case.fault()
        try:
            cli.start("send", "a.bin").wait(200).check(Exit.DONE)
        finally:
            cli.end()
        assert office.arrived() == {"van-7/a.bin": digest(source)}
        assert office.violations == []
