"""The attack table, answered by a model on the attacker's side: it chooses whatever is shown and tells every lie."""

from collections import Counter
from collections.abc import Iterator

import pytest

from affidavit import Config, Memory
from tests.attacks.scenarios import ATTACKS
from tests.support_answers import Answers, Shown, reply
from tests.support_attacks import TOOLS, WHO, Attack, Model, _holds, tell
from tests.support_models import use_model

_ASKED = ("Any thoughts about me?", "Which of it is known?", "What about {never}?")


def _tiers() -> Iterator[object]:
    """One wording of each attack at every run of the tests; the others run with `make check`."""
    seen = Counter[str]()
    for place, attack in enumerate(ATTACKS):
        seen[attack.number] += 1
        marks = [pytest.mark.slow] if seen[attack.number] > 1 else []
        yield pytest.param(attack, marks=marks, id=f"{attack.number}-{place}")


def _lying(attack: Attack) -> Answers:
    """Says, of each statement and of all together, the lies of the attack, its words, and the value it is after."""
    words = (*attack.lies, attack.never, attack.quote)

    def says(shown: Shown, question: str) -> str:
        each = [(word, [name]) for word, name in zip(words * (len(shown) + 1), shown, strict=False)]
        return reply((words[0], list(shown)), *each)

    return Answers(says)


@pytest.mark.parametrize("attack", [*_tiers()])
def test_no_lie_is_answered(tmp_path, attack: Attack) -> None:
    config = Config.load(environ={}, home=tmp_path, key_dir=tmp_path / "keys", embedder="none")
    with Memory(tmp_path / "m.db", llm=_lying(attack), config=config, tools=TOOLS) as memory:
        use_model(memory, Model(attack))
        for text in attack.before:
            memory.add(text, user_id=WHO)
        tell(memory, attack.told)
        for question in (attack.asked, *_ASKED):
            answer = memory.answer(question.format(never=attack.never), user_id=WHO)
            told = not answer.abstained and _holds(answer.text, attack.never)
            # What the user said himself may be quoted as that, what the assistant said told as his.
            quoted = all(one.quote in answer.text for one in answer.citations) and "“" in answer.text
            assert not told or (quoted and (attack.spoken or attack.attested)), answer.text
