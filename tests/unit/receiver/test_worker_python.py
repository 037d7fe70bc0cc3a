# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which Python Spark's workers run."""

import sys

import pytest

from fieldpost_receiver.streaming import python_of_workers

SHIPPED = {"PYSPARK_PYTHON": "./env/bin/python"}


@pytest.mark.parametrize("master", ["local", "local[*]", "local[2,4]"])
def test_on_one_machine_workers_run_this_very_python_whatever_the_environment_says(master: str) -> None:
    assert python_of_workers(master, SHIPPED) == sys.executable


@pytest.mark.parametrize("master", ["spark://host:7077", "yarn", "k8s://https://host:443"])
def test_on_a_cluster_workers_run_the_python_that_was_shipped_to_them(master: str) -> None:
    assert python_of_workers(master, SHIPPED) == "./env/bin/python"
    assert python_of_workers(master, {}) == sys.executable
    assert python_of_workers(master, {"PYSPARK_PYTHON": ""}) == sys.executable
