"""F17 through the API: a lone surrogate, NUL, a line of a megabyte, joined emoji, right-to-left marks."""

import hashlib

import pytest

from affidavit import Config, Memory

ROUND_TRIP = {
    "emoji with joiners": "👩‍👩‍👧‍👦 and 🏳️‍🌈 and 👍🏽",
    "right to left": "\u200fשלום\u200e (1) \u202eabc\u202c",
    "combining": "e\u0301 is not é",
    "line ends": "a\r\nb\rc\n\u2028d\u0085e",
    "tags": "hi\U000e0041\U000e007f \ufeffthere",
    "private use and unassigned": "\ue000 \U0010ffff \ufffe",
    "edges": "  spaces kept \t\n",
    "think": "the tag <think> breaks my parser",
    "a line of a megabyte": "word " * 200_000,
}


@pytest.mark.parametrize("case", ROUND_TRIP)
def test_it_comes_back_as_it_was_and_the_hash_is_stable(config: Config, case: str) -> None:
    text = ROUND_TRIP[case]
    with Memory(config=config) as memory:
        episode = memory.add(text, user_id="ana").episodes[0]
        assert episode.text == text
        assert episode.sha256 == hashlib.sha256(text.encode()).hexdigest()
        assert not [span for span in episode.spans if span.kind == "replaced"]
    with Memory(config=config) as memory:
        assert memory.get(episode.id, user_id="ana").episode == episode
        listed = memory.list(user_id="ana").items[0].episode
        assert listed is not None
        assert listed.sha256 == episode.sha256
        assert not memory.verify().problems


@pytest.mark.parametrize(
    "text, stored, spans",
    [
        ("a\x00b", "a\ufffdb", [(1, 2)]),
        ("\ud800", "\ufffd", [(0, 1)]),
        ("x \udfff\udfff y", "x \ufffd\ufffd y", [(2, 4)]),
    ],
)
def test_what_no_file_can_hold_is_replaced_and_recorded(
    config: Config, text: str, stored: str, spans: list[tuple[int, int]]
) -> None:
    with Memory(config=config) as memory:
        episode = memory.add(text, user_id="ana", metadata={text: text}).episodes[0]
        assert episode.text == stored
        assert [(span.start, span.end) for span in episode.spans if span.kind == "replaced"] == spans
        assert episode.metadata == {stored: stored}
        assert episode.sha256 == hashlib.sha256(stored.encode()).hexdigest()
        assert not memory.verify().problems
    with Memory(config=config) as memory:
        assert memory.list(user_id="ana").items[0].episode == episode
        again = memory.add(episode.text, user_id="ana").episodes[0]
        assert again.text == stored
        assert not [span for span in again.spans if span.kind == "replaced"]
