"""Values found in texts whole, in the ways people write them, and never as a piece of a longer one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.text.questions.sought import addressees, fold, seek

FOUND = [
    ("Ben", "Pay ben."), ("Ben Okafor", "to Ben  Okafor, please"), ("ＢＥＮ", "ben"),
    ("Rua X 12 Lisbon", "Rua X 12, Lisbon"),
    ("bob@x.org", "write to <BOB@x.org>."), ("mailto:bob@x.org", "bob@x.org"), ("bob@x.org", "bob@x.org, or not"),
    ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00."), ("DE89 3704-0044", "de8937040044"),
    ("+44 20 7946 0958", "call +44 (20) 7946-0958"), ("12345678", "account 12345678, sort 20-00-00"),
    ("https://x.org/Pay", "see https://X.ORG/Pay/."), ("https://x.org", "it is x.org!"),
    ("x.org", "https://x.org/"),
    ("http://x.org", "http://x.org"), ("São Paulo", "SÃO PAULO"), (1234567, "no. 1234567"),
]  # fmt: skip
NOT_FOUND = [
    ("Ben", "Benedict"), ("Ben", "Reuben"), ("Ben", "ben@evil.org"), ("Ben", "ben-evil"), ("Ben", "x.ben"),
    ("Ben", "evil@ben"), ("bob@x.org", "bob@x.org.example"), ("bob@x.org", "abob@x.org"),
    ("bob@x.org", "x-bob@x.org"),
    ("bob@x.org", "bob@x.org@evil.example"), ("bob@x.org", "bob+x@x.org"),
    ("DE893704", "DE89 3704 0044"), ("0044 0532", "DE89 3704 0044 0532"), ("12345678", "1234567890"),
    ("12345678", "0.12345678"), ("12345678", "x12345678"), ("https://x.org/Pay", "https://x.org/pay"),
    ("https://x.org@evil.org", "https://x.org"), ("https://x.org/a", "https://x.org"), ("http://x.org", "x.org"),
    ("https://x.org?to=evil", "https://x.org"), ("https://xn--pypal-4ve.com", "paypal.com"),
    ("pаypal.com", "paypal.com"),
    ("São Paulo", "Sao Paulo"), ("", "anything"), (" .,; ", "a . b"), ("张三", "给张三丰转账"),
    ("[secret:pin]", "the pin"),
]  # fmt: skip
SUMS = [
    (50, "50 EUR"), (50, "€50"), (50.0, "50,00 €"), ("50", "fifty is 50 euros"),
    ("50 eur", "€ 50"), (1234, "1.234 €"),
    (1234.5, "$1,234.50"), ("1,234.50 dollars", "US$ 1234.5"), (50, "付50元"),
    (1000000, "1 000 000 kr, or 1'000'000 CHF"),
    ("50", "R$50"), ("50 ¥", "¥50"), (0, "0 EUR"),
]  # fmt: skip
NO_SUMS = [
    (50, "I am 50"), (50, "500 EUR"), (50, "50.5 EUR"), (50, "1.50 EUR"), (50, "50k EUR"), (50, "5-50 EUR"),
    ("50 EUR", "50 USD"), ("1.234", "1.234 €"), (-50, "50 EUR"), (50, "-50 EUR"),
    (50, "50 euroland"), ("fifty", "50 EUR"),
    ("", "50 EUR"), ("50 beans", "50 EUR"), (50, "room €x50"), (50, "€50x"), ("nan", "nan EUR"), ("1e999", "1 EUR"),
]  # fmt: skip


@pytest.mark.parametrize("value,text", FOUND)
def test_found(value, text):
    sought = seek(value)
    assert sought.stands_in(fold(text))
    assert sought.within(fold(text))


@pytest.mark.parametrize("value,text", NOT_FOUND)
def test_not_found(value, text):
    assert not seek(value).stands_in(fold(text))
    assert not seek(value).is_value(fold(text))


@pytest.mark.parametrize("value,text", SUMS)
def test_a_sum_found(value, text):
    assert seek(value, money=True).stands_in(fold(text))


@pytest.mark.parametrize("value,text", NO_SUMS)
def test_a_sum_not_found(value, text):
    assert not seek(value, money=True).stands_in(fold(text))


@pytest.mark.parametrize(
    "value,other,same",
    [
        ("50", "50 EUR", True),
        ("50 EUR", "50", True),
        ("50 EUR", "50 USD", False),
        (50, "5", False),
        (50, "x", False),
    ],
)
def test_a_sum_that_stands_alone(value, other, same):
    assert seek(value, money=True).is_value(fold(other)) is same


def test_a_value_that_stands_alone():
    assert seek("Ben Okafor").is_value(fold(" ben okafor. "))
    assert not seek("Ben").is_value(fold("Ben Okafor"))
    assert seek("张三").is_value(fold("张三"))


def test_where_it_is_known_to_be_scripts_without_spaces_need_no_bounds():
    assert not seek("张三").stands_in(fold("给张三转账"))
    assert seek("张三").within(fold("给张三转账"))
    assert not seek("Ben").within(fold("Benedict"))


@pytest.mark.parametrize(
    "field,each",
    [
        ("ana@x.org", ["ana@x.org"]), ("Ana <ana@x.org>; bob@y.org", ["ana@x.org", "bob@y.org"]),
        ('"Eve, Dr" <eve@x.org>', ['"Eve, Dr" <eve@x.org>']), ("Rua X, Lisbon", ["Rua X, Lisbon"]), (",", [","]),
        ("Ana <ana@x.org> bob@y.org", ["Ana <ana@x.org> bob@y.org"]),
        ("ana@x.org <eve@y.org>", ["ana@x.org <eve@y.org>"]),
    ],
)  # fmt: skip
def test_a_field_of_several_addresses(field, each):
    assert addressees(field) == each


@given(st.text(), st.text(), st.booleans())
def test_no_text_breaks_it(value, text, money):
    sought, folded = seek(value, money=money), fold(text)
    sought.stands_in(folded), sought.is_value(folded), sought.within(folded)
    addressees(value)


@given(
    st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=1),
    st.sampled_from([" ", ", ", ". ", "\n"]),
)
def test_a_word_is_found_between_others_and_not_inside_one(word, between):
    assert seek(word).stands_in(fold(f"so{between}{word}{between}it is"))
    assert not seek(word).stands_in(fold(f"0{word}0"))


def test_hostile_sizes_take_no_time(stopped_if_it_hangs):
    text = fold("DE89 " * 40_000)
    for value in (
        "DE89 3704 " * 20,
        "a " * 5_000,
        "1" * 5_000,
        "@" * 5_000,
        "." * 5_000 + "org",
        "x@" * 2_000 + "y.org",
    ):
        seek(value).stands_in(text)
        seek(value, money=True).stands_in(fold("1," * 40_000))
