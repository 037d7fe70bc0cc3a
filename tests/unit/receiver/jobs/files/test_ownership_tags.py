# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fieldpost_receiver.jobs.files.ledger.store import LedgerStore
from fieldpost_receiver.jobs.files.ownership_tags import bind_topic
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LedgerStore]:
    with closing(LedgerStore.open(tmp_path / "ledger.db")) as store:
        yield store


def test_a_topic_created_again_is_refused(store: LedgerStore) -> None:
    bind_topic(store, "one")
    bind_topic(store, "one")
    with pytest.raises(FieldpostError) as refused:
        bind_topic(store, "two")
    assert refused.value.code is Code.LEDGER_FOREIGN
