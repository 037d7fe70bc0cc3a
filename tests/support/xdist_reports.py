# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What tests need that run in two processes at once (pytest-xdist)."""

from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Any:  # noqa: ANN401 - whatever the report is made of
    """Reports travel as UTF-8; some tests log half characters on purpose."""
    return _sendable((yield))


def _sendable(value: Any) -> Any:  # noqa: ANN401 - likewise
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {_sendable(key): _sendable(one) for key, one in value.items()}
        case list() | tuple():
            return type(value)(_sendable(one) for one in value)
        case _:
            return value
