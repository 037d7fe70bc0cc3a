# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

from fieldpost_desktop.engine.sources.dropped_files import DroppedFiles
from fieldpost_desktop.engine.sources.preview import TELL_EVERY, Preview, preview


def test_what_was_dropped_is_counted_with_all_that_lies_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "trip"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.txt", "deep/b.txt", "Thumbs.db"):
        (folder / name).write_bytes(b"12345")
    single = tmp_path / "c.txt"
    single.write_bytes(b"1")
    asked = [str(folder), str(single), str(tmp_path / "gone.txt")]
    assert preview(asked, DroppedFiles(), lambda _: True) == Preview(files=3, size=11, refused=1, complete=True)


def test_counting_tells_how_far_it_is_and_stops_when_told(tmp_path: Path) -> None:
    for number in range(2 * TELL_EVERY + 1):
        (tmp_path / f"{number}.txt").write_bytes(b"1")
    heard: list[Preview] = []

    def hear(so_far: Preview) -> bool:
        heard.append(so_far)
        return True

    whole = preview([str(tmp_path)], DroppedFiles(), hear)
    assert [so_far.files for so_far in heard] == [TELL_EVERY, 2 * TELL_EVERY]
    assert whole == Preview(2 * TELL_EVERY + 1, 2 * TELL_EVERY + 1, complete=True)
    stopped = preview([str(tmp_path)], DroppedFiles(), lambda _: False)
    assert stopped == Preview(TELL_EVERY, TELL_EVERY, complete=False)


def test_nothing_dropped_is_nothing() -> None:
    assert preview([], DroppedFiles(), lambda _: True) == Preview(complete=True)
