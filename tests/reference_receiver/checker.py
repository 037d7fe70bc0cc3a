# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Compares what was sent with what lies in the office's folder."""

from collections.abc import Mapping
from pathlib import Path

from reference_receiver.shelf import sha256_of


def compare(sources: Mapping[str, Path], folder: Path, client: str) -> list[str]:
    """What is wrong with a client's part of the folder, in words; empty if all is well.

    Args:
        sources: the file that was sent, by the path under which it travelled.
        folder: the office's folder.
        client: the sender's name; other clients' files are not looked at.
    """
    root = folder / client
    there = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if not path.is_dir()}
    wrong = [f"{name} did not arrive" for name in sorted(sources.keys() - there.keys())]
    wrong += [f"{name} is there, but nobody sent it" for name in sorted(there.keys() - sources.keys())]
    for name in sorted(sources.keys() & there.keys()):
        wrong += _difference(name, sources[name], there[name])
    return wrong


def _difference(name: str, source: Path, arrived: Path) -> list[str]:
    sent, got = source.stat().st_size, arrived.stat().st_size
    if got < sent:
        return [f"{name} has only {got} of {sent} bytes under its final name"]
    if got > sent:
        return [f"{name} has {got} bytes instead of {sent}"]
    if sha256_of(source) != sha256_of(arrived):
        return [f"{name} arrived with other bytes"]
    return []
