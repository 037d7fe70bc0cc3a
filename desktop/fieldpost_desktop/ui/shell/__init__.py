# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The frame around the pages: main window, header, banners, tray, notifications, single instance."""
