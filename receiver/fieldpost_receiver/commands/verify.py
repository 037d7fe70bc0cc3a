# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`verify`: whether the published files still are what their receipts say. Reads all of them, in constant memory."""

import argparse
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum

from fieldpost_receiver.commands.files import add_since
from fieldpost_receiver.commands.job_choice import add_job, chosen_job
from fieldpost_receiver.commands.ledger_reading import reading_ledger, report_missing_ledger
from fieldpost_receiver.commands.output import file_count, print_error, print_line, utc_text
from fieldpost_receiver.config.settings import ReceiverConfig
from fieldpost_receiver.jobs.files.intents import content_of, place_of
from fieldpost_receiver.jobs.files.ledger.states import TransferState
from fieldpost_receiver.jobs.files.ledger.transfers import Transfer, Transfers
from fieldpost_receiver.runtime.exit_codes import STOPPED, STORAGE
from fieldpost_receiver.storage.destinations import storage_of
from fieldpost_receiver.storage.errors import PathBlocked
from fieldpost_receiver.storage.port import Published
from fieldpost_shared import names
from fieldpost_shared.clock import SystemClock
from fieldpost_shared.saying import safe


class Found(StrEnum):
    """How a published file is now."""

    SAME = "same"
    MISSING = "missing"
    DIFFERENT = "different"
    REPLACED = "replaced"  # a later transfer has the name; that one is looked at instead


def verify(config: ReceiverConfig, options: argparse.Namespace) -> int:
    """hash published files again and compare them with the ledger"""  # noqa: D403, D415 - stands in the list
    counts = dict.fromkeys(Found, 0)
    job = chosen_job(config, options)
    with reading_ledger(job) as store:
        if store is None:
            report_missing_ledger(job)
            return STOPPED
        transfers = Transfers(store)
        with closing(storage_of(job.receiver).open_published()) as published:
            verifier = Verifier(transfers, published)
            for transfer in transfers.each_published(since_ns=options.since.at(SystemClock().now_ns())):
                found = verifier.look(transfer)
                counts[found] += 1
                if found in {Found.MISSING, Found.DIFFERENT}:
                    print_line(f"{found:<9}  {utc_text(transfer.ended_ns or 0)}  {safe(transfer.name)}")
    print_line(f"Same: {file_count(counts[Found.SAME])}")
    print_line(f"Missing: {file_count(counts[Found.MISSING])} (moved or removed since; no error)")
    print_line(f"Different: {file_count(counts[Found.DIFFERENT])}")
    if counts[Found.DIFFERENT]:
        print_error("Some files are not what was received: they were changed since, or the disk is damaged.")
        return STORAGE
    return STOPPED


@dataclass(frozen=True, slots=True)
class Verifier:
    """Judges one file at a time; a running receiver may publish meanwhile."""

    transfers: Transfers
    published: Published

    def look(self, transfer: Transfer) -> Found:
        """Compare what bears the name with what was received under it last."""
        if not self._is_newest(transfer):
            return Found.REPLACED
        try:
            existing = self.published.find(tuple(transfer.name.split("/")))
        except PathBlocked:
            return Found.MISSING
        if existing is None:
            return Found.MISSING
        if self.published.same_content(existing, content_of(transfer)):
            return Found.SAME
        if self.published.find(existing.segments) is None:
            return Found.MISSING  # moved while it was being read
        return Found.DIFFERENT if self._is_newest(transfer) else Found.REPLACED

    def _is_newest(self, transfer: Transfer) -> bool:
        """Whether the name is still this transfer's: none came after it, or is about to."""
        newest = self.transfers.published_as(transfer.name_key)
        intended = (place_of(other).segments for other in self.transfers.in_state(TransferState.INTENT))
        coming = any(names.twin_key("/".join(segments)) == transfer.name_key for segments in intended)
        return not coming and (newest is None or newest.id == transfer.id)


def verify_options(parser: argparse.ArgumentParser) -> None:
    """What `verify` takes."""
    add_job(parser)
    add_since(parser)
