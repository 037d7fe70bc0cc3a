# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""`fieldpost profile import|show`: the settings file of the organisation."""

import json
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from fieldpost_desktop.app import profile_store
from fieldpost_desktop.commands.exit_codes import Exit
from fieldpost_desktop.commands.terminal import Terminal
from fieldpost_desktop.commands.words import failure_words
from fieldpost_desktop.engine.profile import profile_file
from fieldpost_desktop.engine.profile.profile_file import Profile
from fieldpost_desktop.engine.profile.vault import PASSWORD_FILE, PasswordFileVault, Vault
from fieldpost_desktop.engine.runtime.paths import Paths
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError
from fieldpost_shared.saying import safe
from fieldpost_shared.secret import Secret

AskPassword = Callable[[str], Secret | None]


def show(paths: Paths, options: Namespace, terminal: Terminal) -> Exit:
    """Show what a settings file says, or the imported one."""
    path = options.file or paths.profile
    if options.file is None and not path.exists():
        raise FieldpostError(Code.NOT_SET_UP)
    _describe(profile_file.load(path), terminal, as_json=options.json)
    return Exit.DONE


def import_file(paths: Paths, vault: Vault, ask: AskPassword, options: Namespace, terminal: Terminal) -> Exit:
    """Check it, keep a copy in the data folder, and the password in the vault."""
    profile = profile_file.load(options.file)
    profile_store.check_target(profile, paths)
    _describe(profile, terminal, as_json=options.json)
    profile_store.keep(profile, paths)
    terminal.complain("Imported. A Fieldpost that is running uses it when it starts next.")
    if not profile.needs_password:
        return Exit.DONE
    return _keep_password(profile, vault, ask=ask, file=options.password_file, terminal=terminal)


def _keep_password(profile: Profile, vault: Vault, ask: AskPassword, file: Path | None, terminal: Terminal) -> Exit:
    if file is None and isinstance(vault, PasswordFileVault):
        vault.get(profile.id)  # raises if it cannot be read
        terminal.complain(f"The password is read from the file that {PASSWORD_FILE} names.")
        return Exit.DONE
    password = ask(profile.name) if file is None else Secret.from_file(file, key="--password-file")
    if password is None:
        terminal.complain(
            "This account needs a password. Import again on a terminal, or with --password-file, "
            f"or name a file in {PASSWORD_FILE}."
        )
        return Exit.NOT_SET_UP
    try:
        vault.set(profile.id, password)
    except FieldpostError as error:
        terminal.complain(failure_words(error.code, profile.name, error.detail))
        terminal.complain(safe(error.detail))
        return Exit.NEEDS_YOU
    terminal.complain("The password is kept in this computer's vault.")
    return Exit.DONE


def _describe(profile: Profile, terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        terminal.say(json.dumps(json.loads(profile_file.dump(profile)) | {"fingerprint": profile.fingerprint}))
        return
    client = profile.client_name(*profile_file.this_user_and_host())
    lines = {
        "Name": profile.name,
        "Servers": profile.bootstrap_servers,
        "Security": profile.security_protocol,
        "User": profile.sasl_username,
        "Topics": f"{profile.files_topic}, {profile.status_topic}",
        "Sends as": client,
        "Confirmed by": ", ".join(profile.receivers) or "any receiver",
        "Fingerprint": profile.fingerprint,
    }
    for title, value in lines.items():
        if value:
            terminal.say(f"{title + ':':<14}{safe(value)}")
