# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The four settings about sending, each with the controls that a person needs for it.

`changed` carries a value as the engine's settings take it; whether it is allowed, the engine says.
"""

from typing import Final

from PySide6.QtCore import QLocale, QTime, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QRadioButton, QTimeEdit

from fieldpost_desktop.engine.profile.settings import EngineSettings, MeteredPolicy, Schedule
from fieldpost_desktop.ui.settings.field import Field

_KB, _MB = 1000, 1_000_000
_FIRST_RATE: Final = 500 * _KB  # what is offered when the limit is turned on
_FIRST_HOURS: Final = Schedule(20 * 60, 6 * 60)
_MOST: Final = 999_999.0
_DECIMALS: Final = 3


class SendingField(Field):
    """Shows one of the engine's settings; its object name is the setting's."""

    changed = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._showing = False

    def show_settings(self, settings: EngineSettings) -> None:
        """Show what counts, without calling it a change."""
        self._showing = True
        self._show(settings)
        self._showing = False

    def refusal(self) -> str:
        """Return why a value that can be entered here may be refused."""
        return ""

    def _show(self, settings: EngineSettings) -> None:
        raise NotImplementedError

    def _value(self) -> object:
        raise NotImplementedError

    def _tell(self) -> None:
        if not self._showing:
            self.changed.emit(self._value())


class LimitField(SendingField):
    """Off, or so much a second."""

    def __init__(self) -> None:
        super().__init__("bandwidth_limit")
        self._on = QCheckBox(self.tr("&Limit the speed to"))
        self._on.setObjectName("limit_on")
        self._amount = _Amount()
        self._amount.setObjectName("limit_amount")
        self._amount.setAccessibleName(self.tr("Most that is sent in a second"))
        self._unit = QComboBox()
        self._unit.setObjectName("limit_unit")
        self._unit.setAccessibleName(self.tr("Unit of the speed"))
        self._unit.addItem(self.tr("kB/s"), _KB)
        self._unit.addItem(self.tr("MB/s"), _MB)
        self.add(self._on, self._amount, self._unit)
        self._show_rate(_FIRST_RATE)
        self._on.toggled.connect(self._toggle)
        self._amount.valueChanged.connect(self._tell)
        self._unit.currentIndexChanged.connect(self._tell)
        self._toggle()

    def refusal(self) -> str:
        return self.tr("This is too slow to get anything across. Set at least 1 kB/s.")

    def _show(self, settings: EngineSettings) -> None:
        rate = settings.bandwidth_limit
        self._on.setChecked(rate is not None)
        if rate is not None:
            self._show_rate(rate)

    def _show_rate(self, rate: int) -> None:
        unit = _MB if rate >= _MB and rate % (_MB // 10) == 0 else _KB
        self._unit.setCurrentIndex(self._unit.findData(unit))
        self._amount.setValue(rate / unit)

    def _value(self) -> object:
        return round(self._amount.value() * int(self._unit.currentData())) if self._on.isChecked() else "off"

    def _toggle(self) -> None:
        self._amount.setEnabled(self._on.isChecked())
        self._unit.setEnabled(self._on.isChecked())
        self._tell()


class HoursField(SendingField):
    """Always, or between two times of the day; across midnight as well."""

    def __init__(self) -> None:
        super().__init__("schedule")
        self._always = QRadioButton(self.tr("At an&y time"))
        self._always.setObjectName("hours_always")
        self._between = QRadioButton(self.tr("Only &between"))
        self._between.setObjectName("hours_between")
        self._start = self._time("hours_start", self.tr("Sending begins at"))
        self._end = self._time("hours_end", self.tr("Sending ends at"))
        self.add(self._always)
        self.add(self._between, self._start, QLabel(self.tr("and", "between two times of the day")), self._end)
        self._always.setChecked(True)
        self._show_hours(_FIRST_HOURS)
        self._between.toggled.connect(self._toggle)
        self._toggle()

    def refusal(self) -> str:
        return self.tr("Both times are the same. Choose “At any time”, or set two different times.")

    def _show(self, settings: EngineSettings) -> None:
        (self._always if settings.schedule is None else self._between).setChecked(True)
        if settings.schedule is not None:
            self._show_hours(settings.schedule)

    def _show_hours(self, hours: Schedule) -> None:
        self._start.setTime(QTime(hours.start // 60, hours.start % 60))
        self._end.setTime(QTime(hours.end // 60, hours.end % 60))

    def _value(self) -> object:
        if self._always.isChecked():
            return "always"
        return str(Schedule(_minutes(self._start), _minutes(self._end)))

    def _toggle(self) -> None:
        for edit in (self._start, self._end):
            edit.setEnabled(self._between.isChecked())
        self._tell()

    def _time(self, name: str, title: str) -> QTimeEdit:
        edit = QTimeEdit()
        edit.setObjectName(name)
        edit.setAccessibleName(title)
        edit.setDisplayFormat(QLocale().timeFormat(QLocale.FormatType.ShortFormat))
        edit.setKeyboardTracking(False)
        edit.timeChanged.connect(self._tell)
        return edit


class MeteredField(SendingField):
    """What goes out while bytes cost money."""

    def __init__(self) -> None:
        super().__init__("metered")
        self.choice = QComboBox()
        self.choice.setObjectName("metered_choice")
        self.choice.addItem(self.tr("Send everything"), MeteredPolicy.ALL)
        self.choice.addItem(self.tr("Send only files up to 5 MB"), MeteredPolicy.SMALL)
        self.choice.addItem(self.tr("Send nothing"), MeteredPolicy.NOTHING)
        self.add(self.choice)
        self.choice.currentIndexChanged.connect(self._tell)

    def _show(self, settings: EngineSettings) -> None:
        self.choice.setCurrentIndex(self.choice.findData(settings.metered))

    def _value(self) -> object:
        return str(self.choice.currentData())


class AwakeField(SendingField):
    """Whether the computer may fall asleep meanwhile."""

    def __init__(self) -> None:
        super().__init__("keep_awake")
        self._box = QCheckBox(self.tr("&Keep this computer awake while sending"))
        self._box.setObjectName("awake")
        self._box.setToolTip(self.tr("Only on mains power, and only while something is on its way."))
        self.add(self._box)
        self._box.toggled.connect(self._tell)

    def _show(self, settings: EngineSettings) -> None:
        self._box.setChecked(settings.keep_awake)

    def _value(self) -> object:
        return self._box.isChecked()


class _Amount(QDoubleSpinBox):
    """Shows no zeros behind the comma, and tells a value when it is entered, not with each digit."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(_DECIMALS)
        self.setRange(0.0, _MOST)
        self.setKeyboardTracking(False)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt's name
        return self.locale().toString(value, "f", QLocale.FloatingPointPrecisionOption.FloatingPointShortest)


def _minutes(edit: QTimeEdit) -> int:
    return edit.time().hour() * 60 + edit.time().minute()
