"""What a choice of a model does to memories, rule by rule, through the real commit."""

from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.choices import Asked, Choice, Choices, Op, Operation, choices
from affidavit.core.memories import Kind, MemoryStatus
from affidavit.core.outcome import Outcome
from affidavit.core.reconcile import reconcile
from affidavit.core.when import rfc3339
from tests.support_lives import AUTHORITIES, Life, on, when
from tests.support_memories import admitted


class Choosing(Life):
    """A life in which a model is asked."""

    def tell(self, text: str, day: float = 1, *, by: str = "user", **more: Any) -> Any:
        """A statement without a relation."""
        said = more.pop("said", text)
        episode = self.say({"role": by, "content": said}, occurred_at=rfc3339(on(day)))
        return admitted((episode, more.pop("quote", None)), text=text, authority=AUTHORITIES[by], **more)

    def known(self, text: str, day: float = 1, **more: Any) -> str:
        """A statement that was taken in without a model; its version."""
        outcome = self.take(self.tell(text, day, **more))
        return [*outcome.added, *outcome.updated][0]

    def choose(self, text: str, *made: tuple[str, str], day: float = 2, **more: Any) -> Outcome:
        """A statement of which this was chosen."""
        new = self.tell(text, day, **more)
        picked = Choices({new: tuple(Choice(Op(op), version) for op, version in made)})
        outcomes: list[Outcome] = []

        def prepared(view: Any) -> Any:
            outcomes.append(reconcile([new], view, self.relations, choices=picked))
            return outcomes[-1].changes

        self.store.commit(self.space_id, prepared)
        return outcomes[-1]

    def live(self) -> set[str]:
        """What is believed."""
        return {row.text for row in self.items() if row.status == MemoryStatus.ACTIVE}


@pytest.fixture
def life(memory: Memory) -> Choosing:
    return Choosing(memory)


LOVES, HATES = "The user loves Chinese food.", "The user hates Chinese food."


@pytest.mark.parametrize("op", ["UPDATE", "DELETE"])
def test_what_turns_it_becomes_the_next_version(life: Choosing, op: str) -> None:
    before, other = life.known(LOVES), life.known("The user loves tea.")
    outcome = life.choose(HATES, (op, before))
    (after,) = outcome.updated
    assert after.partition("@")[0] == before.partition("@")[0]
    assert outcome.retracted == [before]
    row = life.item(before)
    assert row is not None
    assert (row.status, row.closed_by, row.closed_end) == ("superseded", after, on(2))
    assert life.status(other) == ("active", "authorized")
    assert outcome.overruled == []
    life.verified()


def test_love_hate_and_love_again(life: Choosing) -> None:
    first = life.known(LOVES)
    (second,) = life.choose(HATES, ("UPDATE", first)).updated
    (third,) = life.choose(LOVES, ("UPDATE", second), day=3).updated
    assert {one.partition("@")[0] for one in (first, second, third)} == {first.partition("@")[0]}
    assert life.live() == {LOVES}
    life.verified()


def test_known_already_is_a_support_and_only_if_it_is(life: Choosing) -> None:
    known = life.known("The user prefers the window seat.")
    assert life.choose("User prefers window seats", ("NOOP", known)).supported == [known]
    assert len(life.supports(known)) == 2
    outcome = life.choose("The user prefers the aisle seat.", ("NOOP", known), day=3)
    assert [one.code for one in outcome.overruled] == ["says_something_else"]
    assert len(outcome.added) == 1


@pytest.mark.parametrize("op", ["UPDATE", "DELETE", "NOOP"])
def test_what_says_nothing_of_it_touches_nothing(life: Choosing, op: str) -> None:
    allergy = life.known("The user is allergic to peanuts.")
    for text in (
        "The user likes tea.",
        "The user is allergic to shellfish.",
        "The user is not allergic to cats.",
    ):
        outcome = life.choose(text, (op, allergy))
        assert len(outcome.overruled) == 1
        assert len(outcome.added) == 1
        assert life.status(allergy) == ("active", "authorized")
    assert life.conflicts() == []


def test_lower_authority_stands_beside_with_a_conflict(life: Choosing) -> None:
    loves = life.known(LOVES)
    outcome = life.choose(HATES, ("DELETE", loves), by="tool", claimant="Ben")
    assert life.status(loves) == ("active", "authorized")
    assert len(outcome.added) == 1
    (conflict,) = life.conflicts()
    assert set(conflict.members) == {loves, outcome.added[0]}


def test_the_same_said_higher_raises_nothing_by_choice(life: Choosing) -> None:
    claim = life.known("The user prefers the window seat.", by="tool", claimant="Ben")
    outcome = life.choose("User prefers window seats", ("NOOP", claim))
    assert [one.code for one in outcome.overruled] == ["says_something_else"]
    assert life.status(claim) == ("active", "unendorsed")


def test_nobody_ends_what_is_of_another(life: Choosing) -> None:
    ana = life.known("Atlas uses MySQL.", subject="Ana")
    outcome = life.choose("Atlas no longer uses MySQL.", ("DELETE", ana))
    assert [one.code for one in outcome.overruled] == ["another_subject"]
    assert len(life.live()) == 2


@pytest.mark.parametrize("quote", [None, "I hate Chinese food"])
def test_what_the_text_leaves_out_of_its_sentence_counts(life: Choosing, quote: str | None) -> None:
    loves = life.known(LOVES)
    said = "I hate Chinese food on Mondays"
    outcome = life.choose(HATES, ("DELETE", loves), said=said, quote=quote)
    assert (len(outcome.added), len(outcome.conflicts)) == (1, 1)
    assert life.status(loves) == ("active", "authorized")
    outcome = life.choose(
        "The user does not like Chinese food.",
        ("DELETE", loves),
        said="When I'm ill I do not like Chinese food",
        quote="I do not like Chinese food",
        day=3,
    )
    assert [one.code for one in outcome.overruled] == ["does_not_end"]


def test_what_says_more_takes_the_place_and_ends_nothing(life: Choosing) -> None:
    short = life.known("The user's dog is Max.")
    outcome = life.choose("The user's dog is Max, a beagle.", ("UPDATE", short))
    assert len(outcome.updated) == 1
    assert outcome.retracted == []
    assert life.live() == {"The user's dog is Max, a beagle."}


def test_what_says_more_is_no_deletion(life: Choosing) -> None:
    short = life.known("The user's dog is Max.")
    outcome = life.choose("The user's dog is Max, a beagle.", ("DELETE", short))
    assert [one.code for one in outcome.overruled] == ["does_not_end"]
    assert len(life.live()) == 2


def test_an_older_word_ends_no_later_one(life: Choosing) -> None:
    loves = life.known(LOVES, 5)
    outcome = life.choose(HATES, ("UPDATE", loves), day=3)
    assert [one.code for one in outcome.overruled] == ["not_current"]
    assert life.status(loves) == ("active", "authorized")


def test_what_was_said_again_since_is_not_ended(life: Choosing) -> None:
    loves = life.known(LOVES, 1)
    life.take(life.tell(LOVES, 6))
    outcome = life.choose(HATES, ("UPDATE", loves), day=3)
    assert [one.code for one in outcome.overruled] == ["said_since"]
    assert life.status(loves) == ("active", "authorized")


def test_an_event_of_another_day_is_another(life: Choosing) -> None:
    visit = life.known("The user visits Rome.", kind=Kind.EVENT, occurred=when(30))
    outcome = life.choose(
        "The user does not visit Rome.", ("DELETE", visit), kind=Kind.EVENT, occurred=when(60)
    )
    assert [one.code for one in outcome.overruled] == ["another_subject"]
    outcome = life.choose("User visits Rome", ("NOOP", visit), kind=Kind.EVENT, occurred=when(60), day=3)
    assert len(outcome.added) == 1
    days = {row.occurred_start for row in life.items() if row.status == "active"}
    assert days == {on(30), on(60)}


def test_what_structure_decides_is_not_chosen(life: Choosing) -> None:
    likes = life.known("The user likes tea.", relation="like", object="tea")
    outcome = life.choose("The user likes tea.", ("DELETE", likes), relation="like", object="tea")
    assert outcome.supported == [likes]
    assert [one.code for one in outcome.overruled] == ["decided"]


def test_a_version_that_went_meanwhile_is_not_touched(life: Choosing) -> None:
    loves = life.known(LOVES)
    (hates,) = life.choose(HATES, ("UPDATE", loves)).updated
    outcome = life.choose("The user does not like Chinese food.", ("UPDATE", loves), day=3)
    assert [one.code for one in outcome.overruled] == ["does_not_replace"], (
        "it is judged on what is there now"
    )
    assert life.status(hates) == ("active", "authorized")
    gone = life.choose("The user loves Chinese food!", ("UPDATE", "mem_none@1"), day=4)
    assert [one.code for one in gone.overruled] == ["not_current"]


def test_what_was_ended_by_choice_is_believed_again_when_that_word_is_revoked(life: Choosing) -> None:
    loves = life.known(LOVES)
    episode = life.say({"role": "user", "content": HATES}, source_id="chat", occurred_at=rfc3339(on(2)))
    new = admitted(episode, text=HATES)
    picked = Choices({new: (Choice(Op.UPDATE, loves),)})
    life.store.commit(
        life.space_id, lambda view: reconcile([new], view, life.relations, choices=picked).changes
    )
    assert life.live() == {HATES}
    life.sources.revoke(life.caller, "chat")
    assert life.live() == {LOVES}
    life.verified()


def test_operations_are_refused_by_themselves(life: Choosing) -> None:
    loves = life.known(LOVES)
    new = life.tell(HATES, 2)
    asked = Asked({"c1": new}, {"m1": loves}, {"c1": {"m1"}})

    def codes(*operations: tuple[str, str, str]) -> tuple[list[str], list[Op]]:
        picked = choices([Operation(*one) for one in operations], asked)
        return [one.code for one in picked.refused], [choice.op for choice in picked.of(new)]

    assert codes(("UPDATE", "c1", "12"), ("UPDATE", "c1", "m1")) == (["unknown_alias"], [Op.UPDATE])
    assert codes(("UPDATE", "c9", "m1")) == (["unknown_alias"], [])
    assert codes(("ERASE", "c1", "m1")) == (["unknown_operation"], [])
    assert codes(("UPDATE", "c1", "m1"), ("UPDATE", "c1", "m1")) == ([], [Op.UPDATE])
    assert codes(("NOOP", "c1", "m1"), ("DELETE", "c1", "m1")) == (["contradictory"] * 2, [])
    assert codes(("DELETE", "", "m1"), ("ADD", "c1", "")) == ([], [Op.DELETE]), "DELETE with ADD is UPDATE"
    assert codes() == ([], [])


def test_one_statement_closes_one_memory(life: Choosing) -> None:
    one = life.known(LOVES)
    two = life.known("The user likes Chinese food.")
    outcome = life.choose(HATES, ("UPDATE", one), ("DELETE", two))
    assert len(outcome.updated) == 1
    assert len(outcome.conflicts) == 1
    assert len(life.live()) == 2
    life.verified()
