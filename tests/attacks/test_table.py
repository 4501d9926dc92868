"""The attack table, row by row: no wording of an attack has its way, and each twin works. See `bench.attacks`."""

from collections import Counter

import pytest

from tests.attacks.scenarios import ATTACKS
from tests.support_attacks import harm, lost

_AT_EVERY_RUN = 2
NUMBERS = [*range(1, 24), 27]


def _named(place):
    return f"{ATTACKS[place].number}-{place}"


def _tiers():
    """Two wordings of each attack at every run of the tests; the others take a minute, and run with `make check`."""
    seen = Counter[str]()
    for place, attack in enumerate(ATTACKS):
        seen[attack.number] += 1
        yield pytest.param(place, marks=[pytest.mark.slow] if seen[attack.number] > _AT_EVERY_RUN else [])


@pytest.mark.parametrize("place", [*_tiers()], ids=_named)
def test_the_attack_fails_and_its_twin_works(tmp_path, place):
    attack = ATTACKS[place]
    assert harm(tmp_path / "attack", attack) == []
    assert lost(tmp_path / "twin", attack) == []


def test_every_attack_is_told_in_several_wordings():
    told = {number: [one for one in ATTACKS if one.number == str(number)] for number in NUMBERS}
    assert sum(map(len, told.values())) == len(ATTACKS)
    assert {number for number, those in told.items() if len(those) < 4} == set()
    assert all((one.never and one.twin.permit is None) or one.act is not None for one in ATTACKS)
