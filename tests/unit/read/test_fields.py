"""Fields of an episode as a filter sees them."""

import pytest

from affidavit import Memory


@pytest.mark.parametrize(
    "filters,found",
    [
        ({"resources": "*"}, ["a lease"]),
        ({"resources": {"*": False}}, ["a letter"]),
        ({"resources": None}, ["a letter"]),
        ({"resources": {"contains": "flat-7"}}, ["a lease"]),
        ({"actor": "person:Bank"}, ["a letter"]),
        ({"actor": "user:ana"}, ["a lease"]),
    ],
)
def test_an_episode_is_met_by_what_was_said_about_it(
    memory: Memory, filters: dict[str, object], found: list[str]
) -> None:
    memory.add("a lease", user_id="ana", resources=["flat-7"])
    memory.add({"role": "mail", "name": "Bank", "content": "a letter"}, user_id="ana")
    assert [hit.text for hit in memory.search("lease letter", user_id="ana", filters=filters)] == found
