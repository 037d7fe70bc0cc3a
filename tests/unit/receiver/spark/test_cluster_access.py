# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What Spark is told about authentication: never the secret itself. `test_f05_cluster` tries it on a real cluster."""

from pathlib import Path

import pytest

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_receiver.spark.cluster_access import access_settings

STANDALONE = "spark://127.0.0.1:7077"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text("hunter22\n", encoding="ascii")
    return path


def test_on_one_machine_spark_makes_the_secret(secret: Path) -> None:
    assert access_settings(SparkSettings(master="local[2]", secret_file=str(secret))) == {"spark.authenticate": "true"}


def test_a_cluster_without_a_secret_is_left_as_its_operator_set_it_up() -> None:
    assert access_settings(SparkSettings(master=STANDALONE)) == {}


@pytest.mark.parametrize("master", [STANDALONE, "k8s://https://127.0.0.1:443"])
def test_no_setting_holds_the_secret_since_command_lines_show_them(secret: Path, master: str) -> None:
    found = access_settings(SparkSettings(master=master, secret_file=str(secret)))
    assert found["spark.authenticate"] == "true"
    assert not [value for value in found.values() if "hunter22" in value]


def test_kubernetes_reads_the_file_itself(secret: Path) -> None:
    found = access_settings(SparkSettings(master="k8s://https://127.0.0.1:443", secret_file=str(secret)))
    assert found["spark.authenticate.secret.file"] == str(secret)
