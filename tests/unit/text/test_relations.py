"""The table of relations, and what a user may add to it."""

import pytest

from affidavit.errors import ConfigError
from affidavit.text.lang.relations import RELATIONS, Relation, family, with_relations


def test_the_relations_that_frames_yield():
    assert RELATIONS["home"] == Relation("home", "fact", True, "durable", "user", beside=True, places=True)
    assert {name for name, one in RELATIONS.items() if one.functional} >= {
        "name",
        "home",
        "work",
        "favorite",
        "deadline",
    }
    assert not any(
        RELATIONS[name].functional for name in ("like", "dislike", "allergy", "pet", "family", "instruction")
    )
    assert {one.name for one in RELATIONS.values()} == set(RELATIONS)
    assert len(RELATIONS) == len(set(RELATIONS))


def test_a_user_adds_and_changes_relations():
    table = with_relations(
        {
            "editor": {"functional": True, "volatility": "slow"},
            "home": {"volatility": "permanent", "override": True},
            "dead_end": {"about": "work"},
        }
    )
    assert table["editor"] == Relation("editor", "fact", True, "slow", "user")
    assert table["home"] == Relation("home", "fact", True, "permanent", "user", beside=True, places=True)
    assert table["dead_end"] == Relation("dead_end", "fact", False, "durable", "work")
    assert table["work"] == RELATIONS["work"]
    assert "editor" not in RELATIONS


@pytest.mark.parametrize(
    "extra, said",
    [
        ({"editor": {"volatility": "sometimes"}}, "volatility 'sometimes' is not known"),
        ({"editor": {"kind": "thing"}}, "kind 'thing' is not known"),
        ({"editor": {"about": ["user"]}}, "about \\['user'\\] is not known"),
        ({"editor": {"functional": "yes"}}, "functional is 'yes'"),
        ({"editor": {"fuctional": True}}, "has no field 'fuctional'"),
        ({"editor": None}, "is a NoneType, not a mapping"),
        ({"my editor": {}}, "'my editor' can't be the name"),
        ({1: {}}, "1 can't be the name"),
        ({"e" * 65: {}}, "can't be the name"),
        ({"home": {"functional": False}}, "'home' is a built-in relation"),
        ([("editor", {})], "are a list, not a mapping"),
    ],
)
def test_what_is_no_relation_is_refused_with_its_reason(extra, said):
    with pytest.raises(ConfigError, match=said) as caught:
        with_relations(extra)
    assert caught.value.hint


def test_an_opposite_is_part_of_the_table():
    assert [name for name, one in RELATIONS.items() if one.opposite] == ["dislike"]
    table = with_relations({"prefers": {}, "avoids": {"opposite": "prefers"}})
    assert family("avoids", table) == family("prefers", table) == ("prefers", "avoids")
    assert family("dislike", table) == ("like", "dislike")
    assert family("unknown", table) == ("unknown",)
