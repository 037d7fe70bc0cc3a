# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The arguments of `fieldpost`. Names and meanings are stable: scripts rely on them."""

import argparse
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction
from pathlib import Path

from fieldpost_desktop.commands.exit_codes import EPILOG
from fieldpost_desktop.engine.model.folder_rules import After


def make_parser(version: str) -> ArgumentParser:
    """Return the whole parser. Options that every command has may stand before or behind the command's name."""
    parser = ArgumentParser(
        prog="fieldpost",
        description="Sends files to the office over Kafka, and says for certain that they arrived. Without a command "
        "it opens the app.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        parents=[_common()],
    )
    parser.add_argument("--version", action="version", version=f"Fieldpost {version}")
    parser.set_defaults(data_dir=None, profile=None, json=False, bootstrap_servers=None, client=None)
    parser.add_argument("--hidden", action="store_true", help="open the app in the notification area only")
    parser.set_defaults(bandwidth_limit=None, paths=())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    common = _common()  # another one: the defaults above become part of the first, and would undo what was given

    def add(name: str, words: str) -> ArgumentParser:
        return commands.add_parser(
            name, help=words, description=words, parents=[common], epilog=EPILOG, formatter_class=parser.formatter_class
        )

    add("open", "open the app; files go into its queue, a settings file is imported").add_argument(
        "paths", nargs="*", metavar="PATH"
    )
    _send(add("send", "send files and folders, and wait for their receipts"))
    _watch(add("watch", "watch folders and send what appears in them, until Ctrl-C"))
    add("status", "how everything is, and every file that is not finished")
    _history(add("history", "every file that was ever queued, the newest first"))
    for name, words, ids in (
        ("retry", "try again now: these files, or all that wait or need attention", "*"),
        ("cancel", "give files up", "+"),
        ("pause", "hold back these files, or everything", "*"),
        ("resume", "let these files go on, or everything", "*"),
    ):
        add(name, words).add_argument(
            "ids", nargs=ids, metavar="ID", help="number that status shows, or transfer id that send --json gives"
        )
    add("quit", "end the app that is running, without a question; its queue stays, and goes on at the next start")
    _servers(add("check", "test the connection, step by step"))
    add("diagnostics", "write a report for support, without passwords and file names").add_argument(
        "out", type=Path, metavar="OUT.zip"
    )
    _profile(add("profile", "the settings file of your organisation"), common)
    add("self-test", "try every part of this program; the result is JSON").add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="where the result goes; otherwise to the output"
    )
    return parser


def _common() -> ArgumentParser:
    common = ArgumentParser(add_help=False, argument_default=SUPPRESS)
    common.add_argument("--data-dir", type=Path, metavar="DIR", help="journal and logs; an spec of its own")
    common.add_argument("--profile", type=Path, metavar="FILE", help="settings file to use instead of the imported one")
    common.add_argument("--json", action="store_true", help="output for programs")
    return common


def _servers(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--bootstrap-servers", metavar="H:P", help="send there without a settings file, on the default topics"
    )
    parser.add_argument("--client", metavar="NAME", help="the name to send under; otherwise user and computer")


def _sending(parser: ArgumentParser) -> None:
    _servers(parser)
    parser.add_argument("--bandwidth-limit", metavar="RATE", help="at most so much a second, as 500KB/s")


def _send(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH")
    _sending(parser)
    parser.add_argument("--no-wait", action="store_true", help="queue only; do not wait for anything")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="give up waiting after so many seconds")


def _watch(parser: ArgumentParser) -> None:
    parser.add_argument("folders", nargs="*", metavar="DIR", help="more folders; those given before are watched anyway")
    _sending(parser)
    parser.add_argument("--list", action="store_true", help="show the watched folders")
    parser.add_argument("--remove", metavar="DIR", help="do not watch this one any more")
    rules = parser.add_argument_group("rules for these folders")
    rules.add_argument("--include", action="append", metavar="GLOB", help="only such files; may be given several times")
    rules.add_argument("--exclude", action="append", metavar="GLOB", help="no such files")
    rules.add_argument("--no-subfolders", action="store_true")
    rules.add_argument("--after", choices=[str(after) for after in After], help="what becomes of a confirmed file")
    rules.add_argument("--label", metavar="NAME", help="stands before the path under which files travel")
    rules.add_argument("--minimum-age", type=int, metavar="S", help="leave files alone that are younger")
    rules.add_argument("--only-new", action="store_true", help="leave what is there already")
    rules.add_argument("--yes", action="store_true", help="really: needed with --after delete")


def _history(parser: ArgumentParser) -> None:
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write it there as a table")
    parser.add_argument("--search", metavar="TEXT", help="only files whose path has this text")


def _profile(parser: ArgumentParser, common: ArgumentParser) -> None:
    actions: _SubParsersAction[ArgumentParser] = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    words = "take over a settings file, and keep its password in this computer's vault"
    importing = actions.add_parser("import", help=words, description=words, parents=[common])
    importing.add_argument("file", type=Path, metavar="FILE")
    importing.add_argument("--password-file", type=Path, metavar="FILE", help="for scripts; otherwise you are asked")
    words = "what a settings file says; without FILE the imported one"
    showing = actions.add_parser("show", help=words, description=words, parents=[common])
    showing.add_argument("file", type=Path, nargs="?", metavar="FILE")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds
