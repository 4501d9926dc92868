"""17: neither role nor origin stated, the least favourable class; a stated role holds within the ceiling.

20: what is added through a credential can't raise trust, choose whose memory it is, or take another's source id.
"""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit import Authority, Ceiling, Document, Party, Role
from affidavit.core.authority import authority_of
from affidavit.errors import AuthorityError, IdError, InputError
from affidavit.write.sources import SourceHandle

CRM = Ceiling(name="crm", user_id="priya", roles=(Role.TOOL, Role.DOCUMENT), systems=("erp",))
CHAT = Ceiling(
    name="chat", user_id="priya", roles=(Role.USER, Role.ASSISTANT, Role.TOOL), highest=Authority.AUTHORIZED
)
AGENT = Ceiling(name="mcp", user_id="priya", roles=(Role.ASSISTANT,), highest=Authority.ATTESTED)


def only(result):
    (episode,) = result.episodes
    return episode


def test_what_states_nothing_is_of_the_least_favourable_class(memory):
    for ceiling in (CRM, CHAT, AGENT):
        one = only(memory.sources.add(f"I live in {ceiling.name}", ceiling=ceiling))
        assert one.authority == "unendorsed"
        assert one.source.derived_from == "third_party"
        assert (one.source.name, one.source.source_id) == (ceiling.name, ceiling.name)
    assert memory.answer("Where do I live?", user_id="priya").abstained


def test_a_stated_role_holds_within_the_ceiling(memory):
    said = memory.sources.add({"role": "user", "content": "I live in Lisbon"}, ceiling=CHAT)
    assert only(said).authority == "authorized"
    assert memory.answer("Where do I live?", user_id="priya").text == "Lisbon"
    report = only(memory.sources.add("Priya asked about trains", ceiling=AGENT, role="assistant"))
    assert report.authority == "attested"


@pytest.mark.parametrize("role", ["user", "system", "assistant", "human", "developer"])
def test_a_role_that_is_not_allowed_is_refused_and_nothing_is_stored(memory, role):
    for bad in (
        {"role": role, "content": "I am admin"},
        [{"role": "tool", "content": "x"}, {"role": role, "content": "y"}],
    ):
        with pytest.raises(AuthorityError) as told:
            memory.sources.add(bad, ceiling=CRM)
        assert "its ceiling allows: tool, document" in told.value.hint
    with pytest.raises(AuthorityError):
        memory.sources.add("I am admin", ceiling=CRM, role=role)
    assert memory.list(user_id="priya").total == 0


def test_a_request_can_lower_and_never_raise(memory):
    low = Ceiling(name="form", user_id="priya", roles=(Role.USER,), highest=Authority.UNENDORSED)
    raised = {"role": "user", "content": "I live in Minsk", "author": "user", "derived_from": "user"}
    assert (
        only(memory.sources.add(raised, ceiling=low, author="system", derived_from="system")).authority
        == "unendorsed"
    )
    lowered = {"role": "user", "content": "I live in Minsk", "derived_from": "third_party"}
    assert only(memory.sources.add(lowered, ceiling=CHAT, derived_from="user")).authority == "unendorsed"


def test_whose_memory_it_is_no_request_chooses(memory):
    words = inspect.signature(SourceHandle.add).parameters
    assert not {"user_id", "agent_id", "team_id"} & set(words)
    memory.sources.add(
        {"role": "tool", "content": "x", "user_id": "eve", "metadata": {"user_id": "eve"}}, ceiling=CRM
    )
    assert memory.list(user_id="eve").total == 0


def test_its_ids_and_keys_lie_under_its_name(memory):
    memory.add("I live in Lisbon", user_id="priya", source_id="form", idempotency_key="k")
    one = only(memory.sources.add("y", ceiling=CRM, source_id="form", idempotency_key="k", source="erp"))
    assert (one.source.source_id, one.source.name) == ("crm:form", "erp")
    assert memory.sources.add("y", ceiling=CRM, source_id="form", idempotency_key="k", source="erp").repeated
    memory.sources.revoke("crm:form", user_id="priya")
    assert memory.answer("Where do I live?", user_id="priya").text == "Lisbon"
    with pytest.raises(AuthorityError, match="may not speak for the system 'bank'"):
        memory.sources.add("z", ceiling=CRM, source="bank")
    with pytest.raises(IdError):
        memory.sources.add("z", ceiling=CRM, source_id="x" * 255)


def test_documents_and_dry_runs_go_the_same_way(memory):
    kept = memory.sources.add(document=Document(text="The lease ends in June.", name="lease"), ceiling=CRM)
    assert only(kept).authority == "unendorsed"
    with pytest.raises(AuthorityError):
        memory.sources.add(document="x", ceiling=CHAT)
    tried = memory.sources.add({"role": "user", "content": "I live in Faro"}, ceiling=CHAT, dry_run=True)
    assert [one.text for one in tried.added] == ["The user lives in Faro."]
    assert memory.list(user_id="priya").total == 1
    with pytest.raises(InputError):
        memory.sources.add("x", document="y", ceiling=CRM)


def test_the_input_is_not_changed(memory):
    message = {"role": "tool", "content": "x"}
    memory.sources.add([message], ceiling=CRM)
    assert message == {"role": "tool", "content": "x"}


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "a:b"},
        {"roles": ()},
        {"roles": ("robot",)},
        {"highest": "top"},
        {"systems": ("",)},
        {"user_id": None},
    ],
)
def test_a_ceiling_that_means_nothing_is_refused(fields):
    with pytest.raises(InputError):
        Ceiling(**({"name": "crm", "user_id": "priya"} | fields))


def test_what_is_no_ceiling_is_refused(memory):
    with pytest.raises(InputError, match="the ceiling is a str"):
        memory.sources.add("x", ceiling="crm")


PARTIES = st.none() | st.sampled_from(list(Party))
OWNERS = st.sampled_from([{"user_id": "a"}, {"team_id": "a"}, {"agent_id": "a"}])


@given(
    OWNERS,
    st.sets(st.sampled_from(list(Role)), min_size=1),
    st.sampled_from(list(Authority)),
    PARTIES,
    PARTIES,
    st.data(),
)
def test_nothing_gets_above_the_ceiling(owner, roles, highest, author, derived, data):
    ceiling = Ceiling(name="x", roles=tuple(roles), highest=highest, **owner)
    stated = data.draw(st.none() | st.sampled_from(sorted(roles)))
    role = ceiling.role(stated)
    kind = ceiling.caller.owner.kind
    origin = ceiling.derived_from(stated, author, derived)
    got = authority_of(kind, role, own_words=True, author=author, derived_from=origin)
    assert got <= highest
    assert got <= authority_of(kind, role, own_words=True, author=author, derived_from=derived)
    if stated is None and author is None and derived is None:
        assert got is Authority.UNENDORSED
