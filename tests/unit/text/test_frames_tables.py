"""The tables of `text/lang/`: every frame takes and leaves what its table says."""

from datetime import UTC, datetime

import pytest

from affidavit.text.frames import RELATIONS, Certainty, statements_in
from affidavit.text.tables import LANGUAGES, table

SAID = int(datetime(2026, 5, 6, 12, tzinfo=UTC).timestamp()) * 1_000_000
FRAMES = [(code, frame) for code in LANGUAGES for frame in table(code).raw["frame"]]
TAKES = [(code, frame["id"], *take) for code, frame in FRAMES for take in frame["takes"]]
LEAVES = [(code, leave) for code, frame in FRAMES for leave in frame["leaves"]]


@pytest.mark.parametrize("code, frame, text, value", TAKES)
def test_what_a_frame_must_take(code, frame, text, value):
    (found,) = statements_in(text, anchor=SAID, offset=0)
    assert (found.language, found.frame, found.object) == (code, frame, value)
    assert found.certainty is Certainty.ASSERTED
    assert found.relation in RELATIONS


@pytest.mark.parametrize("code, text", LEAVES)
def test_what_a_frame_must_leave(code, text):
    assert [s for s in statements_in(text, anchor=SAID, offset=0) if s.certainty is Certainty.ASSERTED] == []
