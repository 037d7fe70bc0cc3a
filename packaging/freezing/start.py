# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Where both frozen programs begin. PyInstaller needs a script; a console script of the package is none."""

import sys

from fieldpost_desktop.cli import main

sys.exit(main())
