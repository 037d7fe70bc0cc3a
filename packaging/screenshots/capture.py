# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Makes pictures of every window and state, for the documents and for the review of a change.

`python -m screenshots [en-light-100 …]` writes build/screenshots/<language>-<light|dark>-<100|200>/NAME.png and copies
those that a document shows into docs/screenshots.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from screenshots.shown import copy_shown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

ROOT: Final = Path(__file__).resolve().parents[2]
SCREEN: Final = ROOT / "packaging/screenshots/screen.json"  # larger than the one Qt makes up, which is that of a phone
MADE: Final = ROOT / "build" / "screenshots"
_AT_ONCE: Final = 2
_PLAIN: Final = 100
_WORDS_ONLY: Final = frozenset(  # differ from others in their words: once is enough, for the sake of the size
    {
        "banner-hours",
        "banner-metered",
        "banner-office-full",
        "banner-office-silent",
        "banner-paused",
        "banner-paused-hour",
        "banner-wifi-sign-in",
        "banner-password",
        "detail-asked-again",
        "folders-empty",
        "transfers-confirmed",
        "transfers-search",
        "transfers-working",
    }
)


@dataclass(frozen=True)
class Kind:
    """One set of pictures."""

    language: str
    theme: str
    percent: int

    @property
    def name(self) -> str:
        return f"{self.language}-{self.theme}-{self.percent}"

    @property
    def environment(self) -> dict[str, str]:
        """What Qt reads before there is an application: no screen, one size, one time zone, one way to write dates."""
        path = [str(ROOT / "packaging"), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("FIELDPOST_")},
            "QT_QPA_PLATFORM": f"offscreen:configfile={SCREEN}",
            "QT_SCALE_FACTOR": str(self.percent / 100),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": os.pathsep.join(path),
        }


KINDS: Final = tuple(Kind(*each) for each in product(("en", "de"), ("light", "dark"), (100, 200)))


def main(arguments: Sequence[str] | None = None) -> int:
    """All sets, each in a process of its own: Qt reads the scale factor once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(kind.name for kind in KINDS))
    parser.add_argument("--here", metavar="SET", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.here:
        return _make(next(kind for kind in KINDS if kind.name == chosen.here), MADE / chosen.here)
    wanted = [kind for kind in KINDS if not chosen.sets or kind.name in chosen.sets]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        codes = list(pool.map(_process, wanted))
    made = [path.stat().st_size for kind in wanted for path in (MADE / kind.name).glob("*.png")]
    sys.stdout.write(f"{len(made)} pictures, {sum(made) / 1e6:.1f} MB, in {MADE}\n")
    missing = copy_shown(MADE, ROOT, {kind.name for kind in wanted})
    for picture in missing:
        sys.stderr.write(f"{picture}: a document shows it, and no scene makes it\n")
    return int(any(codes) or bool(missing))


def _process(kind: Kind) -> int:
    command = [sys.executable, "-m", "screenshots", "--here", kind.name]
    code = subprocess.run(command, env=kind.environment, check=False, timeout=600).returncode
    if code:
        sys.stderr.write(f"{kind.name}: ended with {code}\n")
    return code


def _make(kind: Kind, out: Path) -> int:
    from PySide6.QtCore import QLocale, qInstallMessageHandler  # noqa: PLC0415 - the parent process has no use for Qt

    from fieldpost_desktop.ui.app import make_application  # noqa: PLC0415 - likewise
    from fieldpost_desktop.ui.text import languages  # noqa: PLC0415 - likewise
    from screenshots.looks import StillStyle, palette, tray_pictures  # noqa: PLC0415 - likewise
    from screenshots.png import save  # noqa: PLC0415 - likewise

    qInstallMessageHandler(_hear)
    app = make_application(["fieldpost"])
    app.setStyle(StillStyle())
    app.setPalette(palette(kind.theme))
    app.setCursorFlashTime(0)
    languages.install(app, kind.language, QLocale("en_GB" if kind.language == "en" else "de_DE"))
    for old in out.glob("*.png"):
        old.unlink()
    for name, image in tray_pictures():
        save(image, out / f"{name}.png")
    for name, widget in _all_scenes(kind.language):
        if kind.percent == _PLAIN or name not in _WORDS_ONLY:
            save(widget.grab().toImage(), out / f"{name}.png")
    return 0


def _hear(_kind: object, _context: object, message: str) -> None:
    """What Qt has to say; that an offscreen window cannot be raised is left out."""
    if not message.startswith("This plugin does not support"):
        sys.stderr.write(f"{message}\n")


def _all_scenes(language: str) -> Iterator[tuple[str, "QWidget"]]:
    import pytest  # noqa: PLC0415 - the parent process has no use for it

    from screenshots.scenes import SCENES, first_start  # noqa: PLC0415 - likewise
    from screenshots.stage import Stage  # noqa: PLC0415 - likewise

    with pytest.MonkeyPatch.context() as patch:
        for profiled in (True, False):
            with tempfile.TemporaryDirectory() as folder:
                patch.chdir(folder)
                stage = Stage(patch, language) if profiled else Stage(patch, language, None)
                if profiled:
                    for scene in SCENES:
                        yield from scene(stage)
                else:
                    yield from first_start(stage, patch)
                stage.close()
                patch.chdir(ROOT)
