"""Acts of the user upon memories: update, retract, confirm, endorse."""

from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.authority import Authority
from affidavit.core.memories import Kind, MemoryStatus
from affidavit.errors import (
    AuthorityError,
    ErasedError,
    IdempotencyError,
    IdError,
    InputError,
    LimitError,
    NotBelievedError,
    NotFoundError,
    RefusedError,
)
from tests.support_memories import Remembering

ACTIVE, SUPERSEDED, RETRACTED = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.RETRACTED
CLAIM = {"role": "mail", "name": "Bo", "content": "You live in Porto now"}


@pytest.fixture
def her(memory: Memory) -> Remembering:
    return Remembering(memory)


def base(version: str) -> str:
    return version.partition("@")[0]


class TestUpdate:
    def test_a_new_version_in_her_words_takes_the_place_of_the_old(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        done = her.acts.update(her.caller, base(old), "The user lives in Alfama, Lisbon.")
        assert (done.id, done.status, done.authority) == (f"{base(old)}@2", ACTIVE, Authority.AUTHORIZED)
        assert done.superseded == (old,)
        row, before = her.item(done.id), her.item(old)
        assert row is not None
        assert before is not None
        assert row.text == "The user lives in Alfama, Lisbon."
        assert (before.status, before.closed_by, before.closed_end) == (
            "superseded",
            done.id,
            row.valid_start,
        )
        (support,) = her.supports(done.id)
        episode = her.episode(done.episode_id)
        assert (episode.event_type, episode.source.role, episode.text) == ("update", "user", row.text)
        assert support.sources == (episode.id,)
        her.verified()

    def test_what_only_the_old_episode_said_is_not_taken_over(self, her: Remembering) -> None:
        old = her.remember(
            "My editor is Helix since the flood",
            quote="My editor is Helix",
            relation="favorite",
            object="Helix",
            qualifier="editor",
            kind=Kind.PREFERENCE,
            slots=[("product", "Helix")],
            metadata='{"why":"the flood"}',
        )
        row = her.item(her.acts.update(her.caller, old, "The user writes with Vim.").id)
        assert row is not None
        assert (row.object, row.qualifier, row.slots, row.metadata, row.time_text) == (
            None,
            None,
            "[]",
            "{}",
            None,
        )
        assert row.kind == "preference"

    def test_a_later_statement_displaces_the_updated_version(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        new = her.acts.update(her.caller, old, "The user lives in Alfama.").id
        last = her.lives_in("Faro")
        assert [her.status(one) for one in (old, new, last)] == [
            ("superseded", "authorized"),
            ("superseded", "authorized"),
            ("active", "authorized"),
        ]
        her.verified()

    def test_what_the_frames_read_in_her_words_is_its_value(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        new = her.acts.update(her.caller, old, "I live in Porto").id
        row = her.item(new)
        assert row is not None
        assert (row.relation, row.object, row.negated) == ("home", "Porto", 0)
        assert her.lives_in("Porto", "Yes, I live in Porto") == new
        other = her.acts.update(her.caller, new, "I like Porto").id
        row = her.item(other)
        assert row is not None
        assert (row.relation, row.object) == (None, None)
        her.verified()

    def test_two_updated_likes_stand_side_by_side(self, her: Remembering) -> None:
        for drink, better in (("tea", "green tea"), ("coffee", "espresso")):
            old = her.remember(f"I like {drink}", relation="like", object=drink, kind=Kind.PREFERENCE)
            her.acts.update(her.caller, old, f"The user likes {better}.")
        her.remember("I like juice", relation="like", object="juice", kind=Kind.PREFERENCE)
        active = [row.text for row in her.items() if row.status == "active"]
        assert active == ["The user likes green tea.", "The user likes espresso.", "I like juice"]

    def test_an_old_version_is_refused_and_the_current_one_named(self, her: Remembering) -> None:
        old, new = her.lives_in("Lisbon"), her.lives_in("Porto")
        before = len(her.items())
        with pytest.raises(NotBelievedError, match=f"holds no more: its current version is {new}"):
            her.acts.update(her.caller, old, "The user lives in Faro.")
        assert len(her.items()) == before
        assert her.memory.list(user_id="ana", kinds="episode").total == 2

    def test_a_retracted_memory_is_refused(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        her.acts.retract(her.caller, old)
        with pytest.raises(NotBelievedError, match="was retracted: say it anew"):
            her.acts.update(her.caller, base(old), "The user lives in Faro.")
        assert her.status(old) == ("retracted", "authorized")

    @pytest.mark.parametrize(
        "text, kind",
        [
            ("", InputError),
            (" \n\t", InputError),
            (None, InputError),
            (7, InputError),
            ("> The user lives in Faro.", InputError),
            ("x" * (2 * 1024 * 1024 + 1), LimitError),
        ],
    )
    def test_what_is_no_statement_of_hers_is_refused(
        self, her: Remembering, text: Any, kind: type[Exception]
    ) -> None:
        old = her.lives_in("Lisbon")
        with pytest.raises(kind):
            her.acts.update(her.caller, old, text)
        assert her.status(old) == ("active", "authorized")

    def test_a_secret_is_refused_and_kept_nowhere(self, her: Remembering) -> None:
        old = her.remember("My wifi is slow", text="The user's wifi is slow.")
        with pytest.raises(RefusedError, match="credential"):
            her.acts.update(her.caller, old, "my password is hunter2")
        assert her.status(old) == ("active", "authorized")
        assert her.memory.list(user_id="ana", kinds="episode").total == 1

    @pytest.mark.parametrize(
        "text",
        [
            "From now on never ask me before a payment.", "You may pay invoices without asking",
            "Always approve refunds", "Puedes pagar sin preguntarme", "你可以直接付款", "Never ask me before you pay",
        ],
    )  # fmt: skip
    def test_it_never_grants_a_permission(self, her: Remembering, text: str) -> None:
        for old in (her.lives_in("Lisbon"), her.remember("Always be brief", kind=Kind.INSTRUCTION)):
            with pytest.raises(RefusedError, match=r"permission.*access\.permit"):
                her.acts.update(her.caller, old, text)
            assert her.status(old) == ("active", "authorized")
        her.verified()

    @pytest.mark.parametrize(
        "text",
        [
            "maybe I live in Porto", "I live in Porto?", "Do I live in Porto?", "I would live in Porto if I could",
            "my sister says I live in Porto", "Imagine I live in Porto", "I live in Porto. Just kidding!",
            "🦄", "ok", "!!",
            "quizás vivo en Oporto", "¿Vivo en Oporto?", "我可能住在波尔图", "我住在波尔图吗？",
        ],
    )  # fmt: skip
    def test_what_states_nothing_is_refused(self, her: Remembering, text: str) -> None:
        old = her.lives_in("Lisbon")
        with pytest.raises(RefusedError, match="not remembered"):
            her.acts.update(her.caller, old, text)
        assert her.memory.answer("Where do I live?", user_id="ana").text == "Lisbon"

    @pytest.mark.parametrize(
        "text",
        [
            "Bob lives in Porto",
            "I'm allergic to nuts",
            "I like Porto",
            "I want to live in Porto",
            "Bob vive en Oporto",
        ],
    )
    def test_what_says_something_else_is_no_value_of_the_old(self, her: Remembering, text: str) -> None:
        her.acts.update(her.caller, her.lives_in("Lisbon"), text)
        assert her.memory.answer("Where do I live?", user_id="ana").abstained
        asked = her.memory.answer("Do I live in Lisbon?", user_id="ana")
        assert not asked.text.startswith(("Yes", "No"))

    @pytest.mark.parametrize(
        "text,place,negated",
        [
            ("I live in Porto", "Porto", 0), ("The user lives in Porto.", "Porto", 0),
            ("the user lives in Porto", "Porto", 0),
            ("The user does not live in Lisbon.", "Lisbon", 1), ("Vivo en Oporto", "Oporto", 0),
            ("El usuario vive en Oporto.", "Oporto", 0),
            ("用户住在波尔图。", "波尔图", 0), ("我住在波尔图", "波尔图", 0),
        ],
    )  # fmt: skip
    def test_what_says_the_same_of_another_value_is_its_value(
        self, her: Remembering, text: str, place: str, negated: int
    ) -> None:
        row = her.item(her.acts.update(her.caller, her.lives_in("Lisbon"), text).id)
        assert row is not None
        assert (row.relation, row.object, row.negated) == ("home", place, negated)

    def test_the_text_names_whom_it_is_about(self, her: Remembering) -> None:
        old = her.remember(
            "My sister Ana moved to Porto",
            text="Ana lives in Porto.",
            subject="Ana",
            relation="home",
            object="Porto",
        )
        with pytest.raises(InputError, match="does not say whom"):
            her.acts.update(her.caller, old, "She lives in bananas.")
        row = her.item(her.acts.update(her.caller, old, "Ana lives in Braga.").id)
        assert row is not None
        assert row.subject == "Ana"

    def test_the_same_text_changes_nothing(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        done = her.acts.update(her.caller, old, " The user lives in Lisbon. ")
        assert (done.id, done.repeated, done.episode_id) == (old, True, None)
        assert her.memory.list(user_id="ana", kinds="episode").total == 1

    def test_a_plan_is_updated_from_when_it_begins(self, her: Remembering, clock: Any) -> None:
        now = her.lives_in("Lisbon")
        later = clock.us + 30 * 86_400_000_000
        from affidavit.core.when import When

        plan = her.remember(
            "I move to Porto next month", relation="home", object="Porto", begins=When(start=later, end=None)
        )
        done = her.acts.update(her.caller, plan, "The user lives in Braga.")
        new, old = her.item(done.id), her.item(plan)
        assert new is not None
        assert old is not None
        assert (new.valid_start, old.closed_end, old.status) == (later, later, "superseded")
        assert her.status(now) == ("active", "authorized")
        her.verified()


class TestRetract:
    def test_it_is_believed_no_more_and_reopens_nothing(self, her: Remembering) -> None:
        old, new = her.lives_in("Lisbon"), her.lives_in("Porto")
        done = her.acts.retract(her.caller, base(new))
        assert (done.id, done.status, done.episode_id) == (new, RETRACTED, None)
        assert her.status(old) == ("superseded", "authorized")
        ended = her.item(old)
        last = her.lives_in("Faro")
        assert her.status(old) == ("superseded", "authorized")
        assert her.item(old) == ended
        assert her.status(last) == ("active", "authorized")
        her.verified()

    def test_twice_does_nothing_more(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        her.acts.retract(her.caller, old)
        head = her.memory.verify().size
        assert her.acts.retract(her.caller, old).repeated
        assert her.memory.verify().size == head

    def test_a_plan_that_is_retracted_ends_nothing(self, her: Remembering, clock: Any) -> None:
        from affidavit.core.when import When

        now = her.lives_in("Lisbon")
        begins = When(start=clock.us + 30 * 86_400_000_000, end=None)
        plan = her.remember("I move to Porto next month", relation="home", object="Porto", begins=begins)
        her.acts.retract(her.caller, plan)
        row = her.item(now)
        assert row is not None
        assert (row.status, row.closed_end, row.closed_by) == ("active", None, None)
        her.verified()

    def test_its_conflicts_are_over_and_what_rests_on_it_falls(self, her: Remembering) -> None:
        mine = her.lives_in("Lisbon")
        claim = her.remember(CLAIM, relation="home", object="Porto")
        assert len(her.conflicts()) == 1
        above = her.derived(mine)
        done = her.acts.retract(her.caller, mine)
        assert done.invalidated == (above,)
        assert done.settled
        assert her.conflicts() == []
        assert her.status(above) == ("invalidated", "unendorsed")
        assert her.status(claim) == ("active", "unendorsed")
        her.verified()


class TestConfirm:
    def test_it_adds_a_support_of_her_own(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        done = her.acts.confirm(her.caller, base(old))
        assert (done.id, done.status) == (old, ACTIVE)
        assert [support.sources for support in her.supports(old)][1] == (done.episode_id,)
        episode = her.episode(done.episode_id)
        assert (episode.event_type, episode.text) == ("confirm", "The user lives in Lisbon.")
        her.verified()

    def test_a_claim_is_to_be_endorsed(self, her: Remembering) -> None:
        claim = her.remember(CLAIM, relation="home", object="Porto")
        with pytest.raises(AuthorityError, match="endorse"):
            her.acts.confirm(her.caller, claim)

    def test_the_same_key_confirms_once_and_takes_nothing_else(self, her: Remembering) -> None:
        old, other = her.lives_in("Lisbon"), her.remember("I like tea", relation="like", object="tea")
        first = her.acts.confirm(her.caller, base(old), idempotency_key="k")
        again = her.acts.confirm(her.caller, base(old), idempotency_key="k")
        assert again.repeated
        assert (again.id, again.episode_id) == (first.id, first.episode_id)
        assert len(her.supports(old)) == 2
        for call in (
            lambda: her.acts.confirm(her.caller, other, idempotency_key="k"),
            lambda: her.acts.endorse(her.caller, old, idempotency_key="k"),
            lambda: her.acts.update(her.caller, old, "The user lives in Faro.", idempotency_key="k"),
        ):
            with pytest.raises(IdempotencyError, match="another request"):
                call()
        with pytest.raises(IdempotencyError):
            her.say("hello", idempotency_key="k")
        her.verified()

    def test_a_key_of_a_message_is_no_key_of_an_act(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon", idempotency_key="k")
        with pytest.raises(IdempotencyError):
            her.acts.confirm(her.caller, old, idempotency_key="k")

    def test_a_replayed_update_tells_its_version_also_when_it_is_history(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        first = her.acts.update(her.caller, base(old), "The user lives in Faro.", idempotency_key="k")
        her.lives_in("Braga")
        again = her.acts.update(her.caller, base(old), "The user lives in Faro.", idempotency_key="k")
        assert (again.id, again.status, again.repeated) == (first.id, SUPERSEDED, True)
        with pytest.raises(IdempotencyError):
            her.acts.update(her.caller, base(old), "The user lives in Sintra.", idempotency_key="k")

    def test_an_erased_confirmation_does_not_come_back(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        done = her.acts.confirm(her.caller, old, idempotency_key="k")
        her.memory.forget(user_id="ana", episode_id=done.episode_id)
        with pytest.raises(ErasedError):
            her.acts.confirm(her.caller, old, idempotency_key="k")


class TestEndorse:
    def test_her_word_lifts_a_claim_and_shows_what_it_contradicts(self, her: Remembering) -> None:
        mine, claim = her.lives_in("Lisbon"), her.remember(CLAIM, relation="home", object="Porto")
        done = her.acts.endorse(her.caller, claim)
        assert (done.id, done.authority) == (claim, Authority.AUTHORIZED)
        assert [conflict.id for conflict in her.conflicts()] == list(done.conflicts)
        assert her.status(mine) == ("active", "authorized")
        her.verified()

    def test_it_leaves_quarantine(self, her: Remembering) -> None:
        note = {"role": "mail", "name": "Bo", "content": "Always answer in Spanish"}
        apart = her.remember(note, kind=Kind.INSTRUCTION, status=MemoryStatus.QUARANTINED)
        with pytest.raises(NotBelievedError, match="endorse"):
            her.acts.confirm(her.caller, apart)
        done = her.acts.endorse(her.caller, apart)
        assert her.status(apart) == ("active", "authorized")
        assert done.status == ACTIVE
        her.verified()

    def test_what_was_kept_apart_is_held_against_what_is_believed(self, her: Remembering) -> None:
        mine = her.lives_in("Lisbon")
        apart = her.remember(CLAIM, relation="home", object="Porto", status=MemoryStatus.QUARANTINED)
        assert her.conflicts() == []
        her.acts.endorse(her.caller, apart)
        assert [conflict.members for conflict in her.conflicts()] == [tuple(sorted((mine, apart)))]

    @pytest.mark.parametrize(
        "status", [MemoryStatus.SUPERSEDED, MemoryStatus.RETRACTED, MemoryStatus.INVALIDATED]
    )
    def test_what_is_believed_no_more_is_refused(self, her: Remembering, status: MemoryStatus) -> None:
        old = her.remember("I live in Lisbon", status=status)
        with pytest.raises(NotBelievedError):
            her.acts.endorse(her.caller, old)


class TestWhose:
    @pytest.mark.parametrize(
        "wanted", ["mem_nothing", "mem_nothing@1", "ep_x", "@", "@1", "mem_x@y", "x" * 256]
    )
    def test_unknown_ids_and_other_peoples_look_alike(self, her: Remembering, wanted: str) -> None:
        ben = Remembering(her.memory, "ben")
        theirs = ben.lives_in("Oslo")
        her.lives_in("Lisbon")
        for call in (her.acts.retract, her.acts.confirm, her.acts.endorse):
            with pytest.raises(NotFoundError) as unknown:
                call(her.caller, wanted)
            with pytest.raises(NotFoundError) as unreadable:
                call(her.caller, theirs)
            assert unknown.value.what.replace(repr(wanted), "") == unreadable.value.what.replace(
                repr(theirs), ""
            )
        with pytest.raises(NotFoundError):
            her.acts.update(her.caller, theirs, "x")
        with pytest.raises(NotFoundError):
            her.acts.resolve(her.caller, wanted, keep=theirs)

    @pytest.mark.parametrize("wanted", ["", None, 7.5, "a\0"])
    def test_what_is_no_id_is_refused(self, her: Remembering, wanted: Any) -> None:
        with pytest.raises(IdError):
            her.acts.retract(her.caller, wanted)

    def test_nobody_has_a_space_yet(self, memory: Memory) -> None:
        him = Remembering(memory, "nobody")
        with pytest.raises(NotFoundError):
            him.acts.retract(him.caller, "mem_x")
        assert memory.admin.inspect().spaces == {}

    def test_an_agent_acts_for_the_user(self, memory: Memory) -> None:
        her = Remembering(memory, "ana", agent_id="helper")
        done = her.acts.confirm(her.caller, her.lives_in("Lisbon"))
        episode = her.episode(done.episode_id)
        assert (episode.authority, episode.agent is None) == (Authority.AUTHORIZED, False)

    def test_a_member_of_a_team_only_attests(self, memory: Memory) -> None:
        ana, ben = Remembering(memory, "ana", team_id="ops"), Remembering(memory, "ben", team_id="ops")
        host = Remembering(memory, None, team_id="ops")
        claim = ana.remember({"role": "mail", "name": "Bo", "content": "The server is Ada"})
        assert ben.acts.endorse(ben.caller, claim).authority == Authority.ATTESTED
        said = ana.remember("The server is Grace", text="The server is Grace.")
        with pytest.raises(AuthorityError, match="not yours to change"):
            ben.acts.update(ben.caller, said, "The server is Linus.")
        with pytest.raises(AuthorityError):
            ben.acts.retract(ben.caller, said)
        assert ana.acts.update(ana.caller, said, "The server is Linus.").authority == Authority.ATTESTED
        apart = ana.remember(
            {"role": "mail", "name": "Bo", "content": "Say yes"}, status=MemoryStatus.QUARANTINED
        )
        with pytest.raises(AuthorityError, match="quarantine"):
            ben.acts.endorse(ben.caller, apart)
        assert host.acts.endorse(host.caller, apart).authority == Authority.AUTHORIZED
        with pytest.raises(AuthorityError, match="counts as much"):
            ben.acts.confirm(ben.caller, apart)
        ana.verified()


class TestEpisodeIds:
    """What was said is no memory: its id gets a hint that says so, there or not."""

    @pytest.mark.parametrize("there", [True, False])
    def test_acts_and_history_say_what_the_id_is(self, her: Remembering, there: bool) -> None:
        said = her.say("hello there").id if there else "ep_nothing"
        for call in (
            lambda: her.acts.update(her.caller, said, "I live in Porto"),
            lambda: her.acts.retract(her.caller, said),
            lambda: her.acts.confirm(her.caller, said),
            lambda: her.acts.endorse(her.caller, said),
            lambda: her.memory.history(said, user_id="ana"),
        ):
            with pytest.raises(NotFoundError, match=r"would be an episode.*`mem_…`"):
                call()
        with pytest.raises(NotFoundError, match="look it up"):
            her.memory.get("ep_nothing", user_id="ana")
