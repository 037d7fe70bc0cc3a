# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench` and `make bench-check`: measure, write docs/benchmarks.*, or compare ratios with what stands there.

python -m bench.run [--profile quick|full] [--only STEP] [--check]
"""

import argparse
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, Final

from bench import report
from bench.check import compare
from bench.profiles import PROFILES, Step
from bench.references import Copy, Plain, Rsync, Tus, rsync_version, tus_version
from bench.scenarios import Bench
from devkafka.cluster import Cluster

ROUNDS: Final = 3


def measure(profile: str, steps: list[Step]) -> dict[str, Any]:
    began, load = time.monotonic(), os.getloadavg()[0]
    versions = {"rsync": rsync_version(), "tus": tus_version()}
    absent = {name: "absent: it cannot be had here" for name, version in versions.items() if version is None}
    scenarios: dict[str, Any] = {}
    failed: dict[str, str] = {}
    # What cannot be removed must not cost what was measured.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _cluster(Path(folder)) as cluster:
        bench = Bench(cluster, Path(folder), ROUNDS, absent)
        for name, step in steps:
            try:
                for scenario in step(bench):
                    scenarios[scenario.name] = report.as_data(scenario)
                    print(f"{scenario.title}: {_summary(scenarios[scenario.name])}", flush=True)
            except Exception as error:  # noqa: BLE001 - what was measured before must not be lost with it
                traceback.print_exc()
                failed[name] = f"{type(error).__name__}: {error}"
    does = {"plain Kafka": Plain.does, "rsync": Rsync.does, "tus": Tus.does, "cp + SHA-256": Copy.does}
    words = {name: absent.get(name) or versions.get(name) or "" for name in does}
    return {
        "date": report.today(),
        "profile": profile,
        "machine": report.machine(),
        "minutes": round((time.monotonic() - began) / 60, 1),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "references": {name: f"{does[name]}; {words[name]}".rstrip("; ") for name in does},
        "scenarios": scenarios,
        "failed": failed,
    }


def _cluster(folder: Path) -> Cluster:
    """Compiled like a company's: what starts quickly has no AES of the processor, and TLS took 13 times as long."""
    return Cluster(folder / "kafka", secure=True, java_options=("-XX:TieredStopAtLevel=4",))


def _summary(data: dict[str, Any]) -> str:
    return ", ".join(f"{name} {row['median']:.4g} {data['unit']}" for name, row in data["contenders"].items())


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description="measure Fieldpost against the alternatives")
    parser.add_argument("--profile", choices=sorted(PROFILES), default="quick")
    parser.add_argument("--only", default="", help="steps whose name contains this; prints, and writes nothing")
    parser.add_argument("--check", action="store_true", help="writes nothing; fails if a ratio fell by more than 20 %%")
    given = parser.parse_args()
    steps = [step for step in PROFILES[given.profile] if given.only in step[0]]
    data = measure(given.profile, steps)
    if given.check:
        return compare(data)
    if given.only:
        print(report.page(data, []))
        return int(bool(data["failed"]))
    report.write(data)
    return int(bool(data["failed"]))


if __name__ == "__main__":
    sys.exit(main())
