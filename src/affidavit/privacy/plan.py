"""What one erasure takes from a space: found under the space's lock, so that nothing slips in between."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from affidavit.core.changes import Change, Erased
from affidavit.core.limits import ERASED_TARGETS
from affidavit.privacy.erasure import Erasure
from affidavit.privacy.going import Going, going_with, item_texts, quotes_of
from affidavit.store.protocol import Selection, Stored, View
from affidavit.text.lang.relations import Relation


@dataclass(slots=True)
class Plan:
    """What one erasure takes from a space, found under its lock."""

    episodes: list[Stored] = field(default_factory=list)
    going: Going = field(default_factory=Going)
    names: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def texts(self) -> Iterator[bytes]:
        """Every text that must be nowhere any more."""
        yield from _bytes_of(self.episodes)
        yield from map(raw, self.going.texts())
        yield from map(raw, self.names)


def plan_of(view: View, what: Erasure, refs: Sequence[str], relations: Mapping[str, Relation]) -> Plan:
    """What an erasure takes from a space, and what becomes of the rest. `refs`: the contributors it names."""
    space_id = view.space_id
    plan = Plan(list(what.found(view, space_id, refs)))
    plan.going = going_with(view, plan.episodes, relations)
    actors = view.actors(space_id)
    left = _left_without(view, plan.episodes) | (set(refs) & actors.keys())
    plan.names = [actors[ref] for ref in left]
    revoked = view.revoked_sources(space_id).get(what.source_id) if what.source_id else None
    targets = [
        *plan.going.targets,
        *(stored.row.id for stored in plan.episodes),
        *sorted(left),
        *([revoked] if revoked else []),
    ]
    erased = [
        Erased(targets=tuple(targets[start : start + ERASED_TARGETS]))
        for start in range(0, len(targets), ERASED_TARGETS)
    ]
    plan.changes = [*plan.going.changes, *erased]
    return plan


def texts_of_space(view: View) -> tuple[int, int, list[bytes]]:
    """How many episodes and versions a whole space has, and every text of it."""
    space_id = view.space_id
    episodes, items = list(view.select(space_id, Selection())), list(view.all_items(space_id))
    texts: list[str | bytes] = [*view.actors(space_id).values(), *view.revoked_sources(space_id)]
    for item in items:
        texts.extend(item_texts(item.row))
    for supports in view.supports(space_id, [item.row.id for item in items]).values():
        texts.extend(quotes_of(supports))
    texts.extend(conflict.subject for conflict in view.conflicts(space_id, open_only=False))
    texts.extend(view.gate_texts(space_id))
    return len(episodes), len(items), [*_bytes_of(episodes), *map(raw, texts)]


def _left_without(view: View, erased: Sequence[Stored]) -> set[str]:
    """Contributors who have no episode left once these are gone."""
    used: Counter[str] = Counter()
    for actor, agent, count in view.contributors(view.space_id):
        used[actor] += count
        if agent:
            used[agent] += count
    for _, row in erased:
        used[row.actor] -= 1
        if row.agent:
            used[row.agent] -= 1
    return {ref for ref, count in used.items() if count <= 0}


def _bytes_of(erased: Sequence[Stored]) -> Iterator[bytes]:
    """Every text of the rows that must be nowhere any more."""
    for _, row in erased:
        for value in (row.text, row.session_id, row.speaker, row.source, row.source_id, row.idempotency_key):
            if value:
                yield raw(value)
        for value in (
            row.metadata,
            row.extra,
            row.document,
            row.resources,
            row.event_type,
            row.occurred_text,
        ):
            if value and len(value) > 2:
                yield raw(value)
        yield row.terms


def raw(value: object) -> bytes:
    """The bytes of a value; what is damaged is erased like the rest."""
    return value if isinstance(value, bytes) else str(value).encode()
