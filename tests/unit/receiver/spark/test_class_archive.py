# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which archive of Spark's classes belongs to this machine. That one is made and used: tests/integration."""

from pathlib import Path

import pytest

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_receiver.spark.class_archive import FOLDER, archive_in, make, options_for
from fieldpost_receiver.storage.errors import StorageError
from fieldpost_shared.codes import Code

SPARK = SparkSettings()


def test_without_an_archive_the_jvm_is_told_nothing(tmp_path: Path) -> None:
    assert options_for(tmp_path, SPARK) == ""


def test_an_archive_is_named_even_if_its_path_has_a_blank(tmp_path: Path) -> None:
    state = tmp_path / "the state"
    archive = archive_in(state, SPARK)
    assert archive is not None
    assert archive.parent == state / FOLDER
    archive.parent.mkdir(parents=True)
    archive.touch()
    assert options_for(state, SPARK) == f'"-XX:SharedArchiveFile={archive}"'


def test_another_java_or_other_options_want_another_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = archive_in(tmp_path, SPARK)
    assert usual == archive_in(tmp_path, SPARK)
    assert usual != archive_in(tmp_path, SparkSettings(java_options="-XX:+UseZGC"))
    java = tmp_path / "home" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.touch(mode=0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert usual != archive_in(tmp_path, SPARK)


def test_without_an_archive_spark_starts_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert archive_in(tmp_path / "a:b", SPARK) is None  # for the JVM those would be two
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert archive_in(tmp_path, SPARK) is None
    assert options_for(tmp_path, SPARK) == ""


def test_a_state_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    with pytest.raises(StorageError) as caught:
        make(SPARK, tmp_path / "state" / FOLDER / "any.jsa")
    assert caught.value.code is Code.STORAGE_FAILED
