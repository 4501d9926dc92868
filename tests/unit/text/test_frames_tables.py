"""The tables of `text/lang/`: every frame takes and leaves what its table says."""

from datetime import UTC, datetime

import pytest

from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import RELATIONS
from affidavit.text.lang.tables import LANGUAGES, table
from affidavit.text.lang.templates import Templates

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


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_table_keeps_its_bounds(code):
    frames = table(code).raw["frame"]
    assert len(frames) <= 15
    assert len({frame["id"] for frame in frames}) == len(frames)
    assert {frame["id"]: len(frame["takes"]) for frame in frames if len(frame["takes"]) < 3} == {}
    assert {frame["id"]: len(frame["leaves"]) for frame in frames if len(frame["leaves"]) < 3} == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_way_has_a_relation_a_text_and_templates_that_compile(code):
    for ways in (table(code).ways, table(code).follow):
        for way in ways:
            assert way.relation in RELATIONS
            states = [way.state, "ended"] if way.state == "negated" and "ended" in way.text else [way.state]
            for state in states:
                text = table(code).sentence(way, state)
                assert text is not None, (way.frame, way.relation, state)
                assert text.format(object="X", qualifier="Y", date="Z")
            for pattern in way.patterns:
                assert pattern.regex.pattern


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_does_not_hold_any_more_has_a_text_wherever_a_denial_has_one(code):
    missing = {
        (way.frame, way.relation)
        for way in table(code).ways
        if way.state == "negated" and table(code).ended.pattern != "(?!)"
        if table(code).sentence(way, "ended") is None
    }
    assert missing <= {
        ("name", "name"),
        ("origin", "origin"),
        ("family", "family"),
        ("family", "pet"),
        ("studies", "studies"),
    }


@pytest.mark.parametrize("bad", ["(a", "a)", "[a", "a|b", "(a]"])
def test_a_template_with_a_wrong_bracket_is_refused(bad):
    with pytest.raises(ValueError, match=r"missing|closes nothing|brackets"):
        Templates({}, {}, spaced=True).anywhere([bad])
