# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Find the Java that Spark starts."""

import os
import shutil
from pathlib import Path


def java_program() -> str | None:
    """Return the path of the Java program that Spark starts; None if there is none."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which(str(Path(home) / "bin" / "java") if home else "java")
