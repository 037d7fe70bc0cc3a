# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The targets of the design, and whether a run reached them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

Found = Mapping[str, Mapping[str, Any]]
_RATIO: Final = 0.9
_GROWTH: Final = 0.10
_SMALL_FILES: Final = 1000
_LATENCY_S: Final = (2.0, 4.0)
_MEMORY_MB: Final = {"engine": 150, "receiver Python": 256, "receiver JVM": 700}
_IDLE: Final = {"uploader": 1.0, "receiver": 5.0}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One target."""

    what: str
    target: str
    figure: str
    reached: bool

    def markdown(self) -> str:
        return f"| {self.what} | {self.target} | {self.figure} | {'yes' if self.reached else 'NO'} |"


def verdicts(found: Found) -> Iterator[Verdict]:
    """Of every target that was measured, at each size that was."""
    for prefix, what in (("single-", "end to end against plain Kafka"), ("backlog-", "backlog against plain consumer")):
        reference = "plain Kafka" if prefix == "single-" else "plain consumer"
        for name in [name for name in found if name.startswith(prefix)]:
            yield _ratio(f"{what}, {name.removeprefix(prefix)}", found[name]["ratios"][reference])
    yield from _growth(found)
    for name in [name for name in found if name.startswith("files-") and name.endswith("x1000")]:
        rate = found[name]["contenders"]["Fieldpost"]["median"]
        files = name.removeprefix("files-").removesuffix("x1000")
        yield Verdict(f"{files} files of 1 KB", f">= {_SMALL_FILES}/s", f"{rate:.0f}/s", rate >= _SMALL_FILES)
    yield from _idle_system(found)
    yield from _memory(found)


def _ratio(what: str, ratio: float) -> Verdict:
    return Verdict(what, f">= {_RATIO}", f"{ratio:.2f}", ratio >= _RATIO)


def _growth(found: Found) -> Iterator[Verdict]:
    contenders = found.get("growth", {}).get("contenders", {})
    if "1 GiB" in contenders and "16 GiB" in contenders:
        one, sixteen = (contenders[name]["cpu_per_gib"] for name in ("1 GiB", "16 GiB"))
        more = sixteen / one - 1
        figure = f"{one:.2f} and {sixteen:.2f} CPU-s/GiB, {more:+.0%}"
        yield Verdict("cost of 16 GiB against 1 GiB", "within 10 %", figure, more <= _GROWTH)


def _idle_system(found: Found) -> Iterator[Verdict]:
    if "latency" not in found:
        return
    seconds = found["latency"]["latencies"]
    p50, p95 = seconds[len(seconds) // 2], seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))]
    reached = p50 <= _LATENCY_S[0] and p95 <= _LATENCY_S[1]
    yield Verdict("1 MB on an idle system", "p50 <= 2 s, p95 <= 4 s", f"p50 {p50:.2f} s, p95 {p95:.2f} s", reached)
    for end, limit in _IDLE.items():
        percent = found["latency"]["idle"][end]
        yield Verdict(f"{end} idle", f"< {limit:.0f} % of a core", f"{percent:.1f} %", percent < limit)


def _memory(found: Found) -> Iterator[Verdict]:
    """The highest of all runs, and where it was."""
    for kind, limit in _MEMORY_MB.items():
        peaks = {
            f"{name}, {contender}": row["rss_mb"][kind]
            for name, scenario in found.items()
            for contender, row in scenario["contenders"].items()
            if kind in row["rss_mb"]
        }
        if peaks:
            where = max(peaks, key=lambda key: peaks[key])
            peak = peaks[where]
            yield Verdict(f"memory of {kind}", f"< {limit} MB", f"{peak:.0f} MB ({where})", peak < limit)
