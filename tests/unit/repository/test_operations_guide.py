# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The operations guide says what the programs do: codes, metrics, rights and commands are compared with them."""

import re
from pathlib import Path

import pytest

from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_receiver import commands
from fieldpost_receiver.commands import topics
from fieldpost_receiver.kafka.acls import grant_commands
from fieldpost_receiver.runtime import exit_codes
from fieldpost_receiver.telemetry.metrics import Metrics, QueryState
from fieldpost_shared.codes import CODES
from fieldpost_shared.kafka.settings import KafkaSettings
from fieldpost_shared.protocol.status import MissingReason, ReceiverState

GUIDE = Path(__file__).parents[3] / "docs/operations.md"
TEXT = GUIDE.read_text(encoding="utf-8")
_SUFFIXES = {"counter": "_total", "info": "_info"}


def section(title: str) -> str:
    """What stands under a heading, up to the next of its rank or a higher one."""
    found = re.search(rf"^(#+) {re.escape(title)}$", TEXT, re.MULTILINE)
    assert found, f"there is no section {title}"
    after = TEXT[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", after, re.MULTILINE)
    return after[: end.start()] if end else after


def table(title: str) -> dict[str, list[str]]:
    """The rows of the section's first table by their first cell; none comes twice and no cell is empty."""
    lines = re.findall(r"^\| (.+) \|$", section(title), re.MULTILINE)
    rows = [[cell.strip() for cell in line.split(" | ")] for line in lines[1:]]
    assert all(cell for row in rows for cell in row)
    assert len({row[0] for row in rows}) == len(rows)
    assert {len(row) for row in rows} == {len(lines[0].split(" | "))}
    return {row[0].strip("`"): row[1:] for row in rows}


def metric_names() -> set[str]:
    """As Prometheus sees them."""
    found = Metrics("central").registry.collect()
    return {one.name + _SUFFIXES.get(one.type, "") for one in found if one.name.startswith("fieldpost")}


def test_every_error_code_has_its_label_and_what_to_do() -> None:
    told = {code: cells[0] for code, cells in table("Error codes").items()}
    assert told == {code.value: row.label for code, row in CODES.items()}


def test_every_exit_code_of_the_receiver_is_explained() -> None:
    known = {value for name, value in vars(exit_codes).items() if name.isupper() and isinstance(value, int)}
    assert set(map(int, table("`fieldpost-receiver`"))) == known


def test_every_exit_code_of_the_uploader_is_explained() -> None:
    assert set(map(int, table("`fieldpost`"))) == set(Exit)


def test_every_metric_is_listed() -> None:
    assert set(table("Monitoring")) == metric_names()


def test_alerts_ask_for_metrics_and_values_that_exist() -> None:
    alerts = section("Monitoring").partition("```yaml")[2].partition("```")[0]
    histograms = {"fieldpost_batch_seconds", "fieldpost_publish_seconds"}
    asked = set(re.findall(r"\bfieldpost_\w+", alerts))
    assert asked <= metric_names() | {f"{name}_bucket" for name in histograms}
    values = {value for text in re.findall(r'="([^"]+)"', alerts) for value in text.split("|")}
    known = {*QueryState, *ReceiverState, *MissingReason, *CODES} | {"fieldpost", "complete", "sealed", "intent"}
    assert values <= known


def test_the_rights_are_those_that_the_receiver_tells_to_grant() -> None:
    told = [line.strip() for line in section("Rights, line by line").splitlines() if line.startswith("    kafka-acls")]
    assert told == list(
        grant_commands(KafkaSettings.parse({"bootstrap_servers": "broker-1:9093"}), group="connect-files")
    )


def test_the_topics_are_described_as_they_are_made() -> None:
    rows = table("Topics")
    assert rows["partitions"][:2] == [str(topics.PARTITIONS)] * 2
    assert rows["retention.ms"][:2] == [f"{topics.FILES_DAYS} days", f"{topics.STATUS_DAYS} days"]
    assert rows["replication.factor"][0].startswith(str(topics.MOST_COPIES))


def test_every_command_is_described() -> None:
    rows = table("Everyday commands")
    described = {name for name in commands.ALL if any(row == name or row.startswith(f"{name} ") for row in rows)}
    assert set(commands.ALL) - {"topics create"} <= described
    assert "fieldpost-receiver topics create" in TEXT


@pytest.mark.parametrize("link", re.findall(r"\]\(#([^)]+)\)", TEXT))
def test_every_link_within_the_guide_leads_somewhere(link: str) -> None:
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert link in anchors
