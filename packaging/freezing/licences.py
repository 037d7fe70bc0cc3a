# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Collects the licences of everything in a bundle into one folder; a package without one stops the build."""

import re
import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path
from typing import Final

_TEXTS: Final = Path(__file__).with_name("texts")
_OWN: Final = Path(__file__).parents[2] / "LICENSE"
_IS_LICENCE: Final = re.compile(r"licen[cs]e|copying|notice|authors", re.IGNORECASE)
_PROGRAM_LOADER: Final = "pyinstaller"  # its start code is in each exe, though no module of it is
_QT: Final = re.compile(r"^(?:pyside6|shiboken6)", re.IGNORECASE)  # their packages bring the commercial text only
_QT_TEXTS: Final = ("LGPL-3.0.txt", "GPL-3.0.txt")  # the first builds on the second
_PYTHON_PLACES: Final = ("LICENSE.txt", "LICENSE", "share/doc/python3/copyright")
_README: Final = """\
Fieldpost {version} is free software under the Apache License 2.0 (fieldpost/LICENSE).
The programs beside this folder contain the following, each under its own licence, whose text is in the folder of
that name:

{list}

Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They lie beside the program as
libraries of their own, in _internal/PySide6 and _internal/shiboken6: you may replace them by others that fit. Their
sources can be had from the Qt Project under the same version number. Qt itself contains works of others; its
documentation lists them under "Licenses Used in Qt".

Python brings OpenSSL, SQLite, zlib, bzip2, liblzma and libffi; the text in the folder "python" names them. The
Kafka client (confluent-kafka) brings librdkafka and what that builds on. On Windows, the run-time libraries of
Microsoft's compiler (vcruntime140*.dll, msvcp140*.dll) lie beside them, as the terms of Visual Studio allow.
"""


class NoLicence(Exception):
    """A package in the bundle comes without the text of its licence."""


def collect(modules: Iterable[str], folder: Path, version: str) -> Path:
    """Fill the folder with the licences of Fieldpost, Python and whatever these modules belong to; returns it."""
    shutil.rmtree(folder, ignore_errors=True)
    found = {"fieldpost": (version, [_OWN]), "python": (sys.version.split()[0], [_python_licence()])}
    for package in sorted(packages_of(modules) | {_PROGRAM_LOADER}):
        found[package.lower()] = (distribution(package).version, licence_files(distribution(package)))
    for package, (_, files) in found.items():
        (folder / package).mkdir(parents=True)
        for file in files:
            shutil.copyfile(file, folder / package / file.name)
    lines = "\n".join(f"  {package} {number}" for package, (number, _) in sorted(found.items()))
    (folder / "README.txt").write_text(_README.format(version=version, list=lines), encoding="utf-8")
    return folder


def packages_of(modules: Iterable[str]) -> set[str]:
    """The installed packages that these modules come from; ours and Python's own are none."""
    known = packages_distributions()
    roots = {name.partition(".")[0] for name in modules}
    return {package for root in roots for package in known.get(root, ())} - {"fieldpost"}


def licence_files(package: Distribution) -> list[Path]:
    """The texts that a package brings, or for Qt the ones that we keep."""
    name = package.metadata["Name"]
    if _QT.match(name):
        return [_TEXTS / text for text in _QT_TEXTS]
    paths = [file for file in package.files or () if ".dist-info" in str(file) and _IS_LICENCE.search(file.name)]
    if not paths:
        raise NoLicence(f"{name} {package.version} brings no licence: find it, and keep it in {_TEXTS.name}/")
    return [Path(str(package.locate_file(path))) for path in paths]


def _python_licence() -> Path:
    """Where Windows' Python keeps it, or a Linux distribution."""
    places = [Path(sys.base_prefix) / place for place in _PYTHON_PLACES]
    places.append(Path(sys.base_prefix, "lib", f"python3.{sys.version_info.minor}", "LICENSE.txt"))
    for place in places:
        if place.is_file():
            return place
    raise NoLicence(f"Python's own licence is not in {sys.base_prefix}")
