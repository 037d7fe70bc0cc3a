# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What `fieldpost.spec` needs besides PyInstaller: the parts of Qt to keep, the icon, the licences, the version."""
