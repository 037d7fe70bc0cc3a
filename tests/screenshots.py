# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Makes pictures of every window and state, for the user guide and for reviewers of a change.

`python tests/screenshots.py [en-light-100 …]` writes docs/screenshots/<language>-<light|dark>-<100|200>/NAME.png.
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

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

HERE: Final = Path(__file__).resolve()
SCREEN: Final = HERE.with_name("shot_screen.json")  # larger than the one Qt makes up, which is that of a phone
PICTURES: Final = HERE.parents[1] / "docs" / "screenshots"
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
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("FIELDPOST_")},
            "QT_QPA_PLATFORM": f"offscreen:configfile={SCREEN}",
            "QT_SCALE_FACTOR": str(self.percent / 100),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }


KINDS: Final = tuple(Kind(*each) for each in product(("en", "de"), ("light", "dark"), (100, 200)))


def main(arguments: Sequence[str] | None = None) -> int:
    """All sets, each in a process of its own: Qt reads the scale factor once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(kind.name for kind in KINDS))
    parser.add_argument("--here", metavar="SET", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=PICTURES)
    chosen = parser.parse_args(arguments)
    if chosen.here:
        return _make(next(kind for kind in KINDS if kind.name == chosen.here), chosen.out / chosen.here)
    wanted = [kind for kind in KINDS if not chosen.sets or kind.name in chosen.sets]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        codes = list(pool.map(lambda kind: _process(kind, chosen.out), wanted))
    made = [path.stat().st_size for kind in wanted for path in (chosen.out / kind.name).glob("*.png")]
    sys.stdout.write(f"{len(made)} pictures, {sum(made) / 1e6:.1f} MB, in {chosen.out}\n")
    return int(any(codes))


def _process(kind: Kind, out: Path) -> int:
    command = [sys.executable, str(HERE), "--here", kind.name, "--out", str(out)]
    code = subprocess.run(command, env=kind.environment, check=False, timeout=600).returncode
    if code:
        sys.stderr.write(f"{kind.name}: ended with {code}\n")
    return code


def _make(kind: Kind, out: Path) -> int:
    from PySide6.QtCore import QLocale, qInstallMessageHandler  # noqa: PLC0415 - the parent process has no use for Qt

    from fieldpost_desktop.ui.app import make_application  # noqa: PLC0415 - likewise
    from fieldpost_desktop.ui.text import languages  # noqa: PLC0415 - likewise
    from shot_looks import StillStyle, palette, tray_pictures  # noqa: PLC0415 - likewise
    from shot_png import save  # noqa: PLC0415 - likewise

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

    from shot_scenes import SCENES, first_start  # noqa: PLC0415 - likewise
    from shot_stage import Stage  # noqa: PLC0415 - likewise

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
                patch.chdir(HERE.parent)


if __name__ == "__main__":
    sys.exit(main())
