"""The attack table, row by row: no wording of an attack has its way, and each twin works. See `bench.attacks`."""

import pytest

from tests.attacks.scenarios import ATTACKS
from tests.support_attacks import harm, lost

NUMBERS = [*range(1, 24), 27]


def _named(place):
    return f"{ATTACKS[place].number}-{place}"


@pytest.mark.parametrize("place", range(len(ATTACKS)), ids=_named)
def test_the_attack_fails_and_its_twin_works(tmp_path, place):
    attack = ATTACKS[place]
    assert harm(tmp_path / "attack", attack) == []
    assert lost(tmp_path / "twin", attack) == []


def test_every_attack_is_told_in_several_wordings():
    told = {number: [one for one in ATTACKS if one.number == str(number)] for number in NUMBERS}
    assert sum(map(len, told.values())) == len(ATTACKS)
    assert {number for number, those in told.items() if len(those) < 4} == set()
    assert all((one.never and one.twin.permit is None) or one.act is not None for one in ATTACKS)
