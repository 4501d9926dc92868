"""Values of a text, compared exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.text.evidence.slots import evidence_of, slots_of, values_of


@pytest.mark.parametrize(
    "text, values",
    [
        ("nothing here", set()),
        ("owe 2,400", {"2400"}),
        ("owe 2400", {"2400"}),
        ("at -5 degrees", {"-5"}),
        ("5%", {"5", "%5"}),
        ("€20 or 20 euros", {"20", "eur20"}),
        ("room A-12b", {"a-12b"}),
        ("write to Ann@Mail.example", {"ann@mail.example"}),
        ("see https://x.example/a?b=1.", {"https://x.example/a?b=1"}),
        ("١٢ و 12", {"12"}),
        ("生日是8月15日", {"8", "15"}),
    ],
)
def test_values(text, values):
    assert values <= values_of(text)


@pytest.mark.parametrize(
    "said, quoted",
    [("200", "20"), ("2,500", "2,400"), ("€5", "$5"), ("5", "-5"), ("DE89370400440532013001", "DE89370400440532013000"),
     ("2026-05-12", "2026-05-21"), ("ann@mail.example", "anna@mail.example"), ("1001", "A-1001")],
)  # fmt: skip
def test_another_value_is_no_evidence(said, quoted):
    assert values_of(said) - evidence_of(quoted)


@pytest.mark.parametrize("said, quoted", [("15", "15km away"), ("2400", "2,400"), ("20 euros", "€20")])
def test_the_same_value_is(said, quoted):
    assert not values_of(said) - evidence_of(quoted)


def test_slots_say_what_they_are():
    text = "IBAN DE89 3704 0044 0532 0130 00, 12 Baker Street, $2,400 on 2026-05-12, order A-1001, "
    text += "a@b.example, www.x.example, Ana Lima"
    named = {(one.name, text[one.start : one.end]) for one in slots_of(text)}
    assert named >= {
        ("account", "DE89 3704 0044 0532 0130 00"), ("address", "12 Baker Street"), ("amount", "$2,400"),
        ("date", "2026-05-12"),
        ("id", "A-1001"), ("email", "a@b.example"), ("name", "Ana Lima"),
    }  # fmt: skip


@given(st.text(max_size=200))
def test_nothing_raises(text):
    for one in slots_of(text):
        assert 0 <= one.start < one.end <= len(text)
    values_of(text)
    evidence_of(text)
