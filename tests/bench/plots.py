# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a run: throughput, processor time, memory over time, how long 1 MB takes.

A program of its own, run by an environment that has matplotlib: plots.py DATA FOLDER. It prints their names.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "fieldpost"  # the same figures give the same file
import matplotlib.pyplot as plt  # noqa: E402 - after the choice of what draws

_SIZE: Final = (7.0, 3.2)


def draw(data: Mapping[str, Any], folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    found = data["scenarios"]
    drawn = []
    for key, name, words in (("median", "throughput", "MiB/s"), ("cpu_per_gib", "cost", "CPU-s/GiB")):
        single = [scenario for title, scenario in found.items() if title.startswith("single-")]
        if single:
            drawn.append(_bars(single, key, words, folder / f"{name}.svg"))
    timelines = [scenario["timelines"] for title, scenario in found.items() if title == "growth" or "single" in title]
    if timelines:
        drawn.append(_memory(timelines[-1], folder / "memory.svg"))
    if "latency" in found:
        drawn.append(_latency(found["latency"]["latencies"], folder / "latency.svg"))
    return drawn


def _bars(scenarios: list[Mapping[str, Any]], key: str, words: str, path: Path) -> Path:
    figure, axes = plt.subplots(figsize=_SIZE)
    names = list(dict.fromkeys(name for scenario in scenarios for name in scenario["contenders"]))
    width = 0.8 / len(scenarios)
    for number, scenario in enumerate(scenarios):
        heights = [scenario["contenders"].get(name, {}).get(key, 0.0) for name in names]
        axes.bar([at + number * width for at in range(len(names))], heights, width, label=scenario["title"])
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(names))], names)
    axes.set_ylabel(words)
    axes.legend(fontsize="small")
    return _save(figure, path)


def _memory(timelines: Mapping[str, Any], path: Path) -> Path:
    figure, axes = plt.subplots(figsize=_SIZE)
    name = max(timelines, key=lambda key: len(timelines[key]))
    points = timelines[name]
    for kind in sorted({kind for point in points for kind in point} - {"seconds"}):
        seen = [(point["seconds"], point[kind]) for point in points if kind in point]
        axes.plot([at for at, _ in seen], [height for _, height in seen], label=kind)
    axes.set_title(name, fontsize="small")
    axes.set_xlabel("seconds")
    axes.set_ylabel("MB")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")
    return _save(figure, path)


def _latency(seconds: list[float], path: Path) -> Path:
    figure, axes = plt.subplots(figsize=_SIZE)
    shares = [100 * (number + 1) / len(seconds) for number in range(len(seconds))]
    axes.step(seconds, shares, where="post")
    axes.set_xlabel("seconds from drop to receipt, 1 MB on an idle system")
    axes.set_ylabel("% of files")
    axes.set_xlim(left=0)
    return _save(figure, path)


def _save(figure: Any, path: Path) -> Path:  # noqa: ANN401 - its types are partial
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return path


if __name__ == "__main__":
    for path in draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2])):
        print(path.name)
