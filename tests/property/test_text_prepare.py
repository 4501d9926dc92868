"""What holds for every text: hostile, broken, or nothing but secrets."""

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from affidavit.text.documents.chunks import chunk
from affidavit.text.prepare import prepare
from affidavit.text.whose.watermark import context_close, context_open, echo_spans, neutralise

TRACE = "tr_018f6a2e7b3c7d4e8f5a6b7c8d9e0f1a"
BODY = "Qw7" + "eRt2Yu9IoP4aSd6FgH8jKl0ZxC5vBn3M"
WHOLE = [
    "ghp" + "_" + BODY,
    "sk" + "_live_" + BODY,
    "AKIA" + "QWERTYUIOPASDFGH",
    "glpat-" + BODY,
    "ey" + "JhbGciOiJIUzI1NiJ9" + "." + "ey" + "JzdWIiOiI0MiJ9" + "." + BODY,
]
PHRASES = ["password: hunter2Zq", "my password is hunter2Zq", "密码是hunter2Zq", "Passwort: hunter2Zq"]

PIECES = st.sampled_from(
    [
        *WHOLE,
        *PHRASES,
        "4111 1111 1111 1111",
        "pin: 4821",
        "[secret:pin]",
        "[secret:",
        "token",
        "secret",
        "password",
        ":",
        "=",
        " ",
        "\n",
        "\r",
        "> ",
        "```",
        "~~~",
        "On 3 May, Ben wrote:",
        "From: Ben",
        "To: Ann",
        "-----BEGIN " + "PRIVATE KEY-----",
        "-----END ",
        "://a:b@c",
        "is",
        '="',
        "İ",
        "ß",
        "\0",
        "\ud83d",
        "\u2028",
        "<blockquote>",
        "</code>",
        context_open(TRACE),
        context_close(TRACE),
        "[ep_018f6a2e7b3c7d4e8f5a6b7c8d9e0f1a]",
        "# A",
        "---",
        "|",
        "。",
        "👨‍👩‍👧",
        "card",
        "1234",
        "Bearer ",
        "key",
        "api ",
        "my ",
    ]
)
ANY = st.text(st.characters(), max_size=60) | st.text(
    st.characters(categories=["Cs", "Cc", "Mn", "Lo"]), max_size=20
)
TEXTS = st.lists(PIECES | ANY, max_size=12).map("".join)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.booleans())
@example("\ud800", True)
def test_any_text_can_be_prepared(text: str, user: bool) -> None:
    made = prepare(text, user_message=user)
    assert "\0" not in made.text
    made.text.encode("utf-8")
    for span in made.spans:
        assert 0 <= span.start < span.end <= len(made.text)
    keys = [(span.start, span.end) for span in made.spans]
    assert keys == sorted(keys)


@settings(max_examples=600, deadline=None)
@given(TEXTS)
def test_preparing_twice_changes_no_text(text: str) -> None:
    once = prepare(text, user_message=True)
    assert prepare(once.text, user_message=True).text == once.text


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(WHOLE))
def test_a_key_is_gone_wherever_it_stands(before: str, after: str, secret: str) -> None:
    assert secret not in prepare(before + secret + after, user_message=True).text


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(PHRASES))
def test_a_phrase_on_its_own_line_is_masked(before: str, after: str, phrase: str) -> None:
    assume(phrase not in before and phrase not in after)
    stored = prepare(f"{before}\n{phrase}\n{after}", user_message=True).text
    assert phrase not in stored


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_neutralised_text_can_not_close_a_context(text: str) -> None:
    calm = neutralise(text)
    assert echo_spans(calm) == ()
    whole = f"{context_open(TRACE)}\n{calm}\n{context_close(TRACE)}"
    assert [(span.start, span.end) for span in echo_spans(f"{whole}\nmine")] == [(0, len(whole))]


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.booleans(), st.integers(1, 60))
def test_chunks_cover_every_visible_character_once(text: str, markdown: bool, size: int) -> None:
    place = 0
    for piece in chunk(text, markdown=markdown, size=size):
        assert piece.text
        assert text[piece.start : piece.end] == piece.text
        assert not text[place : piece.start].strip()
        place = piece.end
    assert not text[place:].strip()
