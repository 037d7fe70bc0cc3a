# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""F34: `run --once` while senders write ends with what was there when it began."""

from pathlib import Path
from typing import Final

from faults.bookkeeping import Case
from faults.scene import MB, Scene
from support.brokers import Topics

PATIENCE_S: Final = 180.0


def test_f34_once_takes_what_is_there_and_ends_while_others_still_send(
    case: Case, secure_topics: Topics, tmp_path: Path
) -> None:
    scene = Scene(case, secure_topics, tmp_path)
    with scene.judged():
        early, late = scene.van("early"), scene.van("late")
        for number in range(5):
            early.load(f"{number}.bin", 2 * MB)
        early.send()
        early.wait_sent(5)
        late.load("slow.bin", 40 * MB)
        # 400 s: longer than any start of Spark
        late.send(env={"FIELDPOST_BANDWIDTH_LIMIT": "100KB"})
        for number in range(case.size(1, 5)):
            assert scene.receiver.run_once(PATIENCE_S) == 0
            assert not late.sendings[-1].is_over
            assert sorted(scene.receiver.files()) == [f"early/in/{number}.bin" for number in range(5)], number
            case.fault()
        early.finish()
        assert late.sendings[-1].kill()
        late.send()
        late.wait_sent(1)
        assert scene.receiver.run_once(PATIENCE_S) == 0
        late.finish()
        if case.is_long:
            assert scene.receiver.run_once(PATIENCE_S) == 0, "nothing to do is fine"
