# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The final name of a file, as path segments: what the layout makes of what its sender said. Dates are UTC."""

from datetime import UTC, datetime

from fieldpost_receiver.config.layout_template import Layout
from fieldpost_receiver.storage.port import Segments
from fieldpost_shared.clock import NS_PER_S
from fieldpost_shared.ids import ClientName


def final_name(layout: Layout, *, receiver: str, client: ClientName, path: str, at_ns: int) -> Segments:
    """Return the folders and the name, all mapped by `names`: none can leave the destination or reach `.fieldpost`.

    Raises:
        NameRefused: with the reason as its detail.
    """
    date = datetime.fromtimestamp(at_ns // NS_PER_S, tz=UTC).date()
    return tuple(layout.on_disk(client=client, path=path, receiver=receiver, date=date).split("/"))
