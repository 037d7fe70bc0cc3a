# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which Python Spark's workers run."""

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from fieldpost_receiver.spark.session import python_of_workers
from fieldpost_receiver.spark.worker_python import PROGRAM, without_copies, worker_python

SHIPPED = {"PYSPARK_PYTHON": "./env/bin/python"}
ZIPS = Path(pyspark.__file__).parent / "python" / "lib"


@pytest.mark.parametrize("master", ["local", "local[*]", "local[2,4]"])
def test_on_one_machine_workers_run_this_python_despite_the_environment(master: str) -> None:
    program = python_of_workers(master, SHIPPED)
    assert program == str(Path(sys.executable).with_name(PROGRAM))
    asked = subprocess.run([program, "-c", "import sys; print(sys.executable)"], capture_output=True, check=True)
    assert asked.stdout.decode().strip() == sys.executable


@pytest.mark.parametrize("master", ["spark://host:7077", "yarn", "k8s://https://host:443"])
def test_on_a_cluster_workers_run_the_python_that_was_shipped_to_them(master: str) -> None:
    assert python_of_workers(master, SHIPPED) == "./env/bin/python"
    assert python_of_workers(master, {}) == sys.executable
    assert python_of_workers(master, {"PYSPARK_PYTHON": ""}) == sys.executable


def test_a_worker_imports_installed_packages_before_sparks_zipped_ones() -> None:
    zips = os.pathsep.join(str(path) for path in sorted(ZIPS.glob("*.zip")))
    asked = subprocess.run(
        [worker_python(), "-c", "import pyspark, py4j; print(pyspark.__file__, py4j.__file__)"],
        env=os.environ | {"PYTHONPATH": zips},
        capture_output=True,
        check=True,
    )
    assert zips
    assert b".zip" not in asked.stdout


def test_other_entries_of_the_path_stay() -> None:
    parts = ["/own", "/spark/python/lib/pyspark.zip", "/spark/python/lib/py4j-0.10-src.zip", "/own/more.zip"]
    assert without_copies(os.pathsep.join(parts)) == os.pathsep.join(["/own", "/own/more.zip"])
    assert without_copies("") == ""


def test_without_the_program_workers_run_this_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere = tmp_path / "python"
    monkeypatch.setattr(sys, "executable", str(elsewhere))
    assert worker_python() == str(elsewhere)
