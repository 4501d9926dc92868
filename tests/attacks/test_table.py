"""The attack table, row by row: no wording of an attack has its way, and each twin works. See `bench.attacks`."""

from collections import Counter

import pytest

from tests.attacks.scenarios import ATTACKS
from tests.support_attacks import (
    WHO,
    harm,
    lost,
    opened,
    with_honest_candidates,
    with_hostile_candidates,
)
from tests.support_hostile import HostileModel, frames_alone, with_honest_model, with_hostile_model

_AT_EVERY_RUN = 2
NUMBERS = [*range(1, 24), 27]
WAYS = {
    "frames": (frames_alone, frames_alone),
    "model": (with_hostile_model, with_honest_model),
    "candidates": (with_hostile_candidates, with_honest_candidates),
}
"""What proposes memories: nothing but frames; a model that is hostile at every step; the attacker himself."""


def _tiers():
    """Two wordings of each attack at every run of the tests, one in each way; all run with `make check`."""
    seen = Counter[str]()
    for place, attack in enumerate(ATTACKS):
        seen[attack.number] += 1
        for way in WAYS:
            now = seen[attack.number] <= (_AT_EVERY_RUN if way == "candidates" else 1)
            marks = [] if now else [pytest.mark.slow]
            yield pytest.param(place, way, marks=marks, id=f"{attack.number}-{place}-{way}")


@pytest.mark.parametrize("place, way", [*_tiers()])
def test_the_attack_fails_and_its_twin_works(tmp_path, place, way):
    attack, (hostile, honest) = ATTACKS[place], WAYS[way]
    assert harm(tmp_path / "attack", attack, hostile) == []
    assert lost(tmp_path / "twin", attack, honest) == []


def test_the_hostile_model_is_asked_at_every_step(tmp_path):
    model = HostileModel(ATTACKS[0])
    with opened(tmp_path, model) as memory:
        memory.add("My passport is in the blue drawer.", user_id=WHO)
        memory.add("My passport is not in the blue drawer any more.", user_id=WHO)
        memory.answer("Where is my passport?", user_id=WHO)
    assert model.asked >= {"extract", "reconcile", "answer"}


def test_every_attack_is_told_in_several_wordings():
    told = {number: [one for one in ATTACKS if one.number == str(number)] for number in NUMBERS}
    assert sum(map(len, told.values())) == len(ATTACKS)
    assert {number for number, those in told.items() if len(those) < 4} == set()
    assert all((one.never and one.twin.permit is None) or one.act is not None for one in ATTACKS)
