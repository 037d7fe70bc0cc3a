# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Headings with the same margin as the cells below them."""

from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QWidget

from fieldpost_desktop.ui.widgets import theme


class HeaderStyle(QProxyStyle):
    """The system's style but for one distance, which no style lets a program set otherwise."""

    def pixelMetric(  # noqa: N802 - Qt's name
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric is QStyle.PixelMetric.PM_HeaderMargin and widget is not None:
            return theme.gap(widget.fontMetrics(), 0.5)
        return super().pixelMetric(metric, option, widget)
