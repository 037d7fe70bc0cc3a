# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Sizes, speeds, times and counts, as people of this language write them."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale

from fieldpost_shared.clock import NS_PER_S

translate = QCoreApplication.translate

_STEP: Final = 1000
_WHOLE: Final = 99.95  # from here on without a decimal
_ROUNDS_UP: Final = 999.5  # from here on it is one of the next unit
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_TEENS: Final = range(11, 14)
_NS_PER_MS: Final = NS_PER_S // 1000
_ROUGH_MIN: Final = 5  # with hours, single minutes are not believed


def size(count: int) -> str:
    """Return 1234567 as 1.2 MB."""
    if count < _STEP:
        return translate("phrases", "%Ln byte(s)", "", count)
    unit = _STEP
    while count >= unit * _ROUNDS_UP:
        unit *= _STEP
    shown = max(count, unit)
    decimals = 0 if shown >= unit * _WHOLE or round(shown / unit, 1).is_integer() else 1
    return QLocale().formattedDataSize(shown, decimals, QLocale.DataSizeFormat.DataSizeSIFormat)


def speed(bytes_per_s: float) -> str:
    """Return 3.1 MB/s."""
    return translate("phrases", "{size}/s").format(size=size(round(bytes_per_s)))


def span(seconds: float) -> str:
    """Return a rough time: 2 min, 3 h 10 min, 2 days 4 h; less than a minute."""
    whole = max(0, round(seconds))
    if whole < _MINUTE:
        return translate("phrases", "less than a minute")
    minutes = round(whole / _MINUTE)
    if minutes < _MINUTE:
        return _two(minutes, translate("phrases", "{n} min"))
    rough = round(minutes / _ROUGH_MIN) * _ROUGH_MIN
    if rough < _DAY // _MINUTE:
        return _two(rough // 60, translate("phrases", "{n} h"), rough % 60, translate("phrases", "{n} min"))
    hours = round(whole / _HOUR)
    return _two(
        hours // 24, translate("phrases", "%Ln day(s)", "", hours // 24), hours % 24, translate("phrases", "{n} h")
    )


def duration(seconds: float) -> str:
    """Return a rough time in a sentence: about 2 min, less than a minute, 3 h 10 min."""
    said = span(seconds)
    return translate("phrases", "about {time}").format(time=said) if _MINUTE <= round(seconds) < _HOUR else said


def countdown(seconds: float) -> str:
    """Return the time until something happens, two units at most: 1 min 20 s. It is never 0."""
    whole = max(1, round(seconds))
    second = translate("phrases", "{n} s")
    if whole < _MINUTE:
        return _two(whole, second)
    if whole < _HOUR:
        return _two(whole // _MINUTE, translate("phrases", "{n} min"), whole % _MINUTE, second)
    return _two(
        whole // _HOUR, translate("phrases", "{n} h"), whole % _HOUR // _MINUTE, translate("phrases", "{n} min")
    )


def hours(count: int) -> str:
    """Return 24 h."""
    return _two(count, translate("phrases", "{n} h"))


def clock(ns: int, now_ns: int | None = None) -> str:
    """Return the time of day; with the date if it is not today's, with the year if it is not this one's."""
    at = _local(ns)
    today = QDate.currentDate() if now_ns is None else _local(now_ns).date()
    time = QLocale().toString(at.time(), QLocale.FormatType.ShortFormat)
    if at.date() == today:
        return time
    if at.date().year() != today.year():
        return moment(ns)
    #: A day of this year; the letters are those of QLocale::toString.
    form = translate("phrases", "d MMM", "date format")
    return translate("phrases", "{date} {time}").format(date=QLocale().toString(at.date(), form), time=time)


def moment(ns: int) -> str:
    """Return date and time of day: 16 Nov 2026 10:47."""
    at = _local(ns)
    form = translate("phrases", "d MMM yyyy", "date format")
    time = QLocale().toString(at.time(), QLocale.FormatType.ShortFormat)
    return translate("phrases", "{date} {time}").format(date=QLocale().toString(at.date(), form), time=time)


def files(count: int) -> str:
    """Return 12 files."""
    return translate("phrases", "%Ln file(s)", "", count)


def parts(count: int) -> str:
    """Return 12 parts."""
    return translate("phrases", "%Ln part(s)", "", count)


def parts_of(done: int, count: int) -> str:
    """Return 14 of 52 parts."""
    return translate("phrases", "{done} of %Ln part(s)", "", count).format(done=number(done))


def number(count: int) -> str:
    """Return 60000 as 60,000."""
    return QLocale().toString(count)


def nth_try(count: int) -> str:
    """Return 3rd try."""
    match 0 if count % 100 in _TEENS else count % 10:
        case 1:
            text = translate("phrases", "{n}st try")
        case 2:
            text = translate("phrases", "{n}nd try")
        case 3:
            text = translate("phrases", "{n}rd try")
        case _:
            text = translate("phrases", "{n}th try")
    return text.format(n=count)


def _two(count: int, text: str, rest: int = 0, rest_text: str = "") -> str:
    """Return the larger unit, and the smaller one if there is something of it."""
    first = text.format(n=number(count))
    return f"{first} {rest_text.format(n=number(rest))}" if rest else first


def _local(ns: int) -> QDateTime:
    return QDateTime.fromMSecsSinceEpoch(ns // _NS_PER_MS)
