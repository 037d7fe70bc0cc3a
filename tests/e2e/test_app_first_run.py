# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The first day of the app in a real window: from a settings file to the first confirmed file, and the second day."""

import json

from fieldpost_desktop.engine.link.check.check import Step
from support.brokers import Topics
from support.processes.app import AppProcess, Laptop
from support.processes.cli import office_for, secure_profile
from support.waiting import wait_until


def test_the_wizard_leads_from_the_settings_file_to_a_connection_that_works(
    bare_laptop: Laptop, secure_topics: Topics
) -> None:
    password = secure_topics.cluster.security.passwords["uploader"]
    with office_for(secure_topics, bare_laptop.folder / "office"):
        app = bare_laptop.open()
        app.sees("file_hint", "Drop the file here")
        app.hears("not set up")
        wait_until(lambda: app.ask("tray")["state"] == "not_set_up", 5, "the tray, which shows each state for a second")
        app.drop(secure_profile(bare_laptop.folder / "van.fieldpost", secure_topics), onto="file_page")
        app.press("Next >")
        app.picture("password")
        try_password(app, "surely wrong")
        app.sees("trouble_sentence", "Enter the password again. (A1)")
        assert app.said("link_sign_in_result") == "Failed"
        assert "finish anyway" in (app.said("verdict") or "")
        app.picture("refused")
        app.press("< Back")
        try_password(app, password)
        app.sees("link_total", "Everything works")
        assert all(app.said(f"link_{step}_result") for step in Step)
        app.picture("tested")
        app.press("Finish")
        app.sees("foot", "Head office · this computer sends as van-7 · account uploader")
        assert app.ask("banners") == []
        app.drop(bare_laptop.cli.file("first.txt"))
        app.all_confirmed("first.txt")
        app.picture("done")
        app.ask("keys", "Ctrl+Q")
        assert app.ended() == 0
        sent_on_the_second_day(bare_laptop)
    kept = json.loads((bare_laptop.folder / "keyring.json").read_text(encoding="utf-8"))
    assert list(kept.values()) == [password]
    files = [path for path in bare_laptop.cli.data_dir.rglob("*") if path.is_file()]
    assert not any(password.encode() in path.read_bytes() for path in files), "a password outside the keyring"


def try_password(app: AppProcess, password: str) -> None:
    wait_until(lambda: app.said("password") is not None, 10, "the page for the password")
    app.ask("type", "password", password)
    app.press("Next >")


def sent_on_the_second_day(laptop: Laptop) -> None:
    """Nothing is asked any more."""
    app = laptop.open("open", str(laptop.cli.file("second.txt")))
    app.all_confirmed("first.txt", "second.txt")
    assert app.said("setup_wizard") is None
    assert app.terminate() == 0
