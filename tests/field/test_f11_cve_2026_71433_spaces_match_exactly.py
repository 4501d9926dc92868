"""F11: a space's name matched every name that begins like it, or that it matches as a pattern."""

import pytest

from affidavit import Memory
from affidavit.errors import NotFoundError

NAMES = (
    "acme",
    "acme-corp",
    "acme_x",
    "ac%e",
    "ACME",
    "acme\u200b",
    "acm",
    "acme.",
    "a_me",
    "acmé",
    "acme\u0301",
)


@pytest.mark.parametrize("owner", ["user_id", "team_id", "agent_id"])
def test_every_verb_takes_the_exact_name_only(memory: Memory, owner: str) -> None:
    found = {}
    for name in NAMES:
        message = {"role": "system", "content": f"the key of {name!r} is under the mat"}
        found[name] = memory.add(message, **{owner: name}).episodes[0].id  # type: ignore[arg-type]
    for name in NAMES:
        scope = {owner: name}
        assert [item.id for item in memory.list(**scope)] == [found[name]]  # type: ignore[arg-type]
        result = memory.search("key mat", limit=100, **scope)  # type: ignore[arg-type]
        assert [hit.id for hit in result.hits] == [found[name]]
        assert result.plan["rows"] == 1
        for other in NAMES:
            if other != name:
                with pytest.raises(NotFoundError):
                    memory.get(found[other], **scope)
                with pytest.raises(NotFoundError):
                    memory.forget(episode_id=found[other], **scope)  # type: ignore[arg-type]
    memory.delete_all(**{owner: "ac%e"})
    left = {name for name in NAMES if memory.list(**{owner: name}).total}  # type: ignore[arg-type]
    assert left == set(NAMES) - {"ac%e"}
