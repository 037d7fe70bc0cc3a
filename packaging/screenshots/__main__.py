# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m screenshots`: make the pictures."""

import sys

from screenshots.capture import main

sys.exit(main())
