# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the field does to the app: the connection goes and comes, the app dies in the midst of a file."""

import pytest

from devkafka.roles import Role
from fieldpost_desktop.engine.journal.files import Files
from fieldpost_desktop.engine.journal.store import Store
from fieldpost_desktop.engine.model.states import FileState
from fieldpost_shared.database import open_for_reading
from support.brokers import StartBroker, Topics
from support.processes.app import AppProcess, Laptop
from support.processes.cli import CLIENT, office_for
from support.samples import digest, make
from support.waiting import wait_until

SLOW, FASTER = "4MB/s", "15MB/s"  # time enough to look, and not more
PARTS_BEFORE = 12
WINDOW = 16  # parts: what a link of that speed has in the air, twice


@pytest.fixture(name="post", scope="module")
def lonely_post_fixture(module_broker: StartBroker) -> Topics:
    """On a broker that may be killed."""
    cluster = module_broker(secure=True)
    topics = Topics(cluster, "files", "status", 4)
    for topic in (topics.files, topics.status):
        cluster.create_topic(topic, topics.partitions)
    cluster.grant(Role.UPLOADER, Role.UPLOADER, files=topics.files, status=topics.status)
    return topics


def test_a_killed_app_goes_on_at_the_next_part(laptop: Laptop, post: Topics) -> None:
    source = make(laptop.folder, "survey.las", 60_000_000)
    with office_for(post, laptop.folder / "office") as office:
        laptop.env["FIELDPOST_BANDWIDTH_LIMIT"] = SLOW
        app = laptop.open("open", str(source))
        wait_until(lambda: acknowledged(app) >= PARTS_BEFORE, 60, f"{PARTS_BEFORE} parts")
        app.picture("sending")
        app.kill()
        before = acknowledged_in_the_journal(laptop)
        assert before > 0
        laptop.env["FIELDPOST_BANDWIDTH_LIMIT"] = FASTER
        app = laptop.open()
        first_told = wait_until(lambda: acknowledged(app), 30, "the file to go on")
        assert before <= first_told < parts_in(app)
        app.picture("going on")
        app.all_confirmed("survey.las")
        assert office.arrived() == {f"{CLIENT}/survey.las": digest(source)}
        twice = sum(office.seen.arrivals().values()) - len(office.seen.arrivals())
        assert twice <= WINDOW, "what was acknowledged is not sent again"
        assert app.terminate() == 0


def test_a_lost_connection_is_said_and_heals_by_itself(laptop: Laptop, post: Topics) -> None:
    with office_for(post, laptop.folder / "office"):
        app = laptop.open("open", str(laptop.cli.file("before.txt")))
        app.all_confirmed("before.txt")
        post.cluster.kill()
        app.drop(make(laptop.folder, "during.bin", 3_000_000))
        app.hears("No connection to Head office. Sending continues by itself. Trying again", 60)
        assert app.states()["during.bin"] != FileState.CONFIRMED
        app.sees("overall_sentence", "No connection")
        tray = app.ask("tray")
        assert tray["state"] == "waiting"
        assert "No connection" in tray["tooltip"]
        app.picture("offline")
        post.cluster.restart()
        app.hears("Connected to Head office", 90)
        app.picture("connected")
        app.all_confirmed("during.bin", "before.txt")
        wait_until(lambda: app.ask("banners") == [], 20, "no banner is left")
        assert app.terminate() == 0


def acknowledged(app: AppProcess) -> int:
    return sum(row["acknowledged"] for row in app.rows().values())


def parts_in(app: AppProcess) -> int:
    return sum(row["parts"] for row in app.rows().values())


def acknowledged_in_the_journal(laptop: Laptop) -> int:
    store = Store(open_for_reading(laptop.cli.data_dir / "journal.db"))
    try:
        return Files(store).acknowledged(laptop.cli.rows()[0].id)
    finally:
        store.close()
