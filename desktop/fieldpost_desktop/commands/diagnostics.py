# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost diagnostics OUT.zip`: the report for support."""

import json
from argparse import Namespace
from contextlib import suppress
from dataclasses import replace

from fieldpost_desktop.app.assembly import SETTINGS_KEY
from fieldpost_desktop.commands.exit_codes import Exit, WrongUse
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.engine.journal.store import reading
from fieldpost_desktop.engine.profile import settings as engine_settings
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.settings import EngineSettings
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_desktop.engine.support.diagnostics import CONTENTS, Subject, write_report
from fieldpost_shared.errors import SettingsError
from fieldpost_shared.saying import safe


def run(subject: Subject, options: Namespace, terminal: Terminal) -> Exit:
    """Write the ZIP and say what is in it."""
    subject = replace(subject, settings=_settings(subject.paths, subject.profile))
    try:
        names = write_report(options.out, subject)
    except SettingsError as error:
        raise WrongUse(f"{safe(error.problem)}.") from None
    if options.json:
        terminal.say(json.dumps({"report": str(options.out), "contents": names}))
        return Exit.DONE
    terminal.say(f"Written to {safe(str(options.out))}. It holds no password and no file names:")
    for name, words in CONTENTS.items():
        if any(found.startswith(name) for found in names):
            terminal.say(f"  {name}: {words}")
    return Exit.DONE


def _settings(paths: Paths, profile: Profile | None) -> EngineSettings:
    """Return the settings that can be read: a report is made when something is wrong."""
    if profile is None:
        return EngineSettings()
    stored = None
    if paths.journal.exists():
        with suppress(SettingsError), reading(paths.journal) as store:
            stored = store.meta(SETTINGS_KEY)
    with suppress(SettingsError):
        return engine_settings.resolve(profile.settings, locked=profile.locked, stored=stored)
    return profile.settings
