"""Synthetic conversations for the speed benchmarks: the same for the same seed, and nobody's words.

Words follow a Zipf-like distribution over 20,000: common English function words first, then invented ones, so that
term lists have the shape that real talk gives them. Numpy only, so that a peer's environment can use it too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

_COMMON = (
    "the to and a i of in it that you is for was on my we with have but at this be so they are not as do she he "
    "just me what about from or if had when there her his your can would our up an out them will then one after"
)
COMMON = _COMMON.split()
USER = "the-one"  # whose memory is measured
NAMES = ("Ana", "Boris")
ASKED = (
    "When did {} {}?",
    "What did {} do with the {}?",
    "Where does {} keep the {}?",
    "Who told {} about the {}?",
    "How does {} feel about the {}?",
    "Which {}'s friend has the {}?",
    "Why was {} at the {}?",
    "What is {}'s favourite {}?",
)
ADDRESSED = 0.14  # the share of messages that call somebody by name
VOCABULARY = 20_000
SHORTEST, LONGEST = 8, 25
SESSIONS = 60
_ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t th tr v w z"
_NUCLEI = "a e i o u ai ea ee oa ou"
_CODAS = ["", "", "l", "m", "n", "nd", "r", "rt", "s", "st", "x", "ck"]
_START = datetime(2024, 1, 1, 8, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of one session."""

    text: str
    role: str
    session: str
    at: str

    def given(self) -> dict[str, Any]:
        """As `add` takes it."""
        return {"role": self.role, "content": self.text, "at": self.at}


class Talk:
    """Endless talk from one seed."""

    def __init__(self, seed: int = 7) -> None:
        self._random = np.random.default_rng(seed)
        self._words = np.array(self._vocabulary(np.random.default_rng(1)))
        weights = 1.0 / (np.arange(VOCABULARY) + 2.7) ** 1.05
        self._chances = np.cumsum(weights / weights.sum())

    @staticmethod
    def _vocabulary(random: np.random.Generator) -> list[str]:
        words = dict.fromkeys(COMMON)
        onsets, nuclei = _ONSETS.split(), _NUCLEI.split()
        while len(words) < VOCABULARY:
            syllables = int(random.integers(1, 4))
            parts = [
                str(random.choice(onsets)) + str(random.choice(nuclei)) + str(random.choice(_CODAS))
                for _ in range(syllables)
            ]
            words.setdefault("".join(parts))
        # As in real talk, what is said often is short.
        return [*COMMON, *sorted(list(words)[len(COMMON) :], key=len)]

    def texts(self, many: int) -> list[str]:
        """Texts of 8 to 25 words."""
        if not many:
            return []
        lengths = self._random.integers(SHORTEST, LONGEST + 1, many)
        ranks = self._chances.searchsorted(self._random.random(int(lengths.sum())))
        words = self._words[np.minimum(ranks, VOCABULARY - 1)]
        parts = [" ".join(part) for part in np.split(words, np.cumsum(lengths)[:-1])]
        named = self._random.random(many)
        return [
            f"{NAMES[int(chance * 1e6) % len(NAMES)]}, {text}" if chance < ADDRESSED else text
            for chance, text in zip(named, parts, strict=True)
        ]

    def messages(self, many: int, *, sessions: int = SESSIONS) -> list[Message]:
        """A user and an assistant in turn, spread over sessions, a minute apart."""
        each = -(-many // sessions)
        return [
            Message(
                text=text,
                role="user" if number % 2 == 0 else "assistant",
                session=f"session-{number // each}",
                at=(_START + timedelta(minutes=number)).isoformat(),
            )
            for number, text in enumerate(self.texts(many))
        ]

    def questions(self, messages: list[Message], many: int) -> list[str]:
        """Each names somebody and four words of some message.

        On questions over real conversations five or six words that are no stop words stand, together, in about a
        tenth of all messages, mostly because a name is among them; so it is here.
        """
        out = []
        for number in self._random.integers(0, len(messages), many):
            words = sorted(set(messages[int(number)].text.split()) - set(COMMON)) or ["what"]
            chosen = self._random.choice(words, min(4, len(words)), replace=False)
            name = NAMES[int(number) % len(NAMES)]
            shape = ASKED[int(self._random.integers(len(ASKED)))]
            out.append(shape.format(name, " ".join(chosen)))
        return out


def batches(messages: list[Message], size: int) -> Iterator[tuple[str, list[Message]]]:
    """Session id and at most `size` messages of that session, in order."""
    start = 0
    while start < len(messages):
        session = messages[start].session
        end = start
        while end < len(messages) and end - start < size and messages[end].session == session:
            end += 1
        yield session, messages[start:end]
        start = end
