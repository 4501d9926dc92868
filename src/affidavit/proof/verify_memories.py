"""The rows of memories against the replay of a log: versions, supports, conflicts, revoked sources, quotes."""

import json
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from affidavit.core.authority import Authority
from affidavit.core.memories import COMMITTED_ITEM_COLUMNS, ITEM_COLUMNS, support_id, version_id
from affidavit.core.state import Live, LiveItem, LiveSupport
from affidavit.core.when import rfc3339
from affidavit.proof.verify_log import Log
from affidavit.proof.verify_result import Code
from affidavit.store.audit_reads import Audit
from affidavit.text.evidence.likeness import match_key
from affidavit.text.lexicon.terms import stored_terms

_ROW = ("seq", *ITEM_COLUMNS)
_committed = itemgetter(*(_ROW.index(name) for name in COMMITTED_ITEM_COLUMNS))
_AT = {name: _ROW.index(name) for name in _ROW}

Add = Callable[[Code, str, str], None]
Committed = Callable[[str, Live, str, Sequence[Any]], None]


class MemoryRows:
    """The check of one space's memories. `add` notes a problem, `committed` holds values against an entry."""

    def __init__(self, audit: Audit, log: Log, add: Add, committed: Committed) -> None:
        self._audit, self._log, self._add, self._committed = audit, log, add, committed
        self._space = log.head.space_id
        self._texts: dict[str, str] = {}

    def quoted(self) -> set[str]:
        """The episodes whose texts the quotes are held against."""
        supports = (support for item in self._log.state.items.values() for support in item.supports.values())
        return {source for support in supports for source in support.sources}

    def saw(self, episode_id: str, text: str) -> None:
        """An episode's text, which quotes may be of."""
        self._texts[episode_id] = text

    def check(self) -> None:
        """Every table of memories."""
        if self._log.start:
            # Quotes may be of episodes from before the mark, which are not read again otherwise.
            self._texts.update(self._audit.texts(self._space, sorted(self.quoted() - self._texts.keys())))
        self._items()
        self._supports()
        self._conflicts()
        self._sources()
        if not self._log.start:
            self._last_numbers()

    def _items(self) -> None:
        state, start = self._log.state, self._log.start
        left = dict(state.items)
        touched = [target for target, item in left.items() if item.past]
        for row in self._audit.items(self._space, start, touched):
            target = version_id(row[_AT["memory_id"]], row[_AT["version"]])
            item, place = left.pop(target, None), f"item/{target}"
            if item is None:
                self._add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
                continue
            if (row[_AT["authority"]], row[_AT["status"]]) != (
                item.authority,
                item.status,
            ) and item.authority:
                self._add(Code.LABEL_MISMATCH, place, "authority or status differ from the log")
            self._closing(place, row, item)
            if not item.past:
                self._born(place, row, item)
        for target, item in left.items():
            self._add(Code.ORPHAN_ENTRY, f"item/{target}", f"entry {item.seq} tells of it, and it has no row")

    def _born(self, place: str, row: tuple[Any, ...], item: LiveItem) -> None:
        if (row[0], row[_AT["actor"]]) != (item.seq, item.actor):
            self._add(Code.LABEL_MISMATCH, place, f"actor or number differ from entry {item.seq}")
        if _stamp(row[_AT["recorded_at"]]) != item.at:
            self._add(Code.LABEL_MISMATCH, place, f"it was not recorded at the time of entry {item.seq}")
        self._committed(place, item, "item", _committed(row))
        text = row[_AT["text"]]
        if (row[_AT["terms"]], row[_AT["match_key"]]) != _derived(text):
            self._add(
                Code.DERIVED_STALE, place, "the stored terms or the match key are not those of the text"
            )
        live = [s for s in item.supports.values() if s.removed is None]
        if not item.supports:
            self._add(Code.ORPHAN_ENTRY, place, "it stands on nothing")
        elif live and max(Authority(s.authority) for s in live) != item.authority:
            self._add(Code.LABEL_MISMATCH, place, "its authority is not the highest of its supports")
        elif not live and item.status == "active":
            self._add(Code.LABEL_MISMATCH, place, "it is active, and none of its supports counts")

    def _closing(self, place: str, row: tuple[Any, ...], item: LiveItem) -> None:
        end, at, by, seq = (row[_AT[name]] for name in ("closed_end", "closed_at", "closed_by", "closed_seq"))
        closing = item.closing
        if closing is None:
            if not item.past and (end, at, by, seq) != (None, None, None, None):
                self._add(Code.LABEL_MISMATCH, place, "it says that it was closed, and no entry does")
            return
        if (seq, by, _stamp(at)) != (closing.seq, item.closed_by, closing.at):
            self._add(Code.LABEL_MISMATCH, place, f"its closing differs from entry {closing.seq}")
        self._committed(place, closing, "closing", [end])

    def _supports(self) -> None:
        start, state = self._log.start, self._log.state
        left = {
            support_id(target, number): support
            for target, item in state.items.items()
            for number, support in item.supports.items()
        }
        touched = [target for target, support in left.items() if support.seq < start]
        parts = self._parts()
        for row in self._audit.supports(self._space, start, touched):
            seq, memory_id, version, number, authority, removed = row
            target = support_id(version_id(memory_id, version), number)
            support, place = left.pop(target, None), f"support/{target}"
            if support is None:
                self._add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
            elif support.seq < start:
                if removed != support.removed:
                    self._add(Code.LABEL_MISMATCH, place, "it was removed, and does not say so")
            else:
                if (seq, authority, removed) != (support.seq, support.authority, support.removed):
                    self._add(Code.LABEL_MISMATCH, place, f"it differs from entry {support.seq}")
                self._parts_of(place, support, parts.pop(target, []))
        self._orphans("support", left)
        for target in parts:
            self._add(Code.UNLOGGED_ROW, f"support_part/{target}", "no support has this part")

    def _parts(self) -> dict[str, list[tuple[Any, ...]]]:
        found: dict[str, list[tuple[Any, ...]]] = {}
        for memory_id, version, number, *part in self._audit.support_parts(self._space, self._log.start):
            found.setdefault(support_id(version_id(memory_id, version), number), []).append(tuple(part))
        return found

    def _parts_of(self, place: str, support: LiveSupport, parts: list[tuple[Any, ...]]) -> None:
        if [number for number, *_ in parts] != list(range(1, len(parts) + 1)):
            self._add(Code.CONTENT_MISMATCH, place, "its parts are not numbered 1, 2, 3 …")
        if tuple(dict.fromkeys(source for _, source, *_ in parts)) != support.sources:
            self._add(Code.LABEL_MISMATCH, place, f"it rests on other sources than entry {support.seq} says")
        live = Live(support.seq, support.commit, support.at)
        self._committed(place, live, "support", [value for _, *part in parts for value in part])
        for _, source, start, end, quote in parts:
            text = self._texts.get(source)
            if text is not None and (
                type(start) is not int or type(end) is not int or text[start:end] != quote
            ):
                self._add(Code.QUOTE_MISMATCH, place, f"its quote does not stand in {source}")

    def _conflicts(self) -> None:
        left = dict(self._log.state.conflicts)
        touched = [key for key, one in left.items() if one.past]
        for row in self._audit.conflicts(self._space, self._log.start, touched):
            seq, id_, members, subject, relation, opened_at, resolved_at, kept = row
            one, place = left.pop(id_, None), f"conflict/{id_}"
            if one is None:
                self._add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
                continue
            if one.past:
                if (_stamp(resolved_at), kept) != (one.resolved_at, one.kept):
                    self._add(Code.LABEL_MISMATCH, place, "it was settled in another way, or at another time")
                continue
            said = (one.seq, json.dumps(one.members), one.at, one.resolved_at, one.kept)
            if (seq, members, _stamp(opened_at), _stamp(resolved_at), kept) != said:
                self._add(Code.LABEL_MISMATCH, place, f"it differs from entry {one.seq}")
            self._committed(place, one, "conflict", [subject, relation])
        self._orphans("conflict", left)

    def _sources(self) -> None:
        left = dict(self._log.state.sources)
        for seq, id_, source_id in self._audit.revoked_sources(self._space, self._log.start):
            one, place = left.pop(id_, None), f"revoked_source/{id_}"
            if one is None:
                self._add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
                continue
            if seq != one.seq:
                self._add(Code.LABEL_MISMATCH, place, f"it differs from entry {one.seq}")
            self._committed(place, one, "source", [source_id])
        self._orphans("revoked_source", left)

    def _last_numbers(self) -> None:
        """Where the highest number was erased it is kept, so that it is not given again."""
        state = self._log.state
        left: dict[str, int] = {}
        highest: dict[str, int] = {}
        for target, item in state.items.items():
            memory_id, _, version = target.rpartition("@")
            highest[memory_id] = max(highest.get(memory_id, 0), int(version))
            if max(item.supports, default=0) < item.numbers:
                left[target] = item.numbers
        left |= {one: state.versions[one] for one, number in highest.items() if number < state.versions[one]}
        for target, number in self._audit.last_numbers(self._space):
            wanted, place = left.pop(target, None), f"last_number/{target}"
            if wanted is None:
                self._add(Code.UNLOGGED_ROW, place, "nothing with a higher number was erased")
            elif wanted != number:
                self._add(Code.LABEL_MISMATCH, place, f"the highest number was {wanted}")
        for target, number in left.items():
            self._add(
                Code.ORPHAN_ENTRY, f"last_number/{target}", f"number {number} was erased, and no row says so"
            )

    def _orphans(self, table: str, left: dict[str, Any]) -> None:
        for target, one in left.items():
            self._add(
                Code.ORPHAN_ENTRY, f"{table}/{target}", f"entry {one.seq} tells of it, and it has no row"
            )


def _stamp(value: object) -> str | None:
    """An instant as an entry writes it; empty where it is none."""
    try:
        return None if value is None else rfc3339(value) if type(value) is int else ""
    except ValueError:
        return ""


def _derived(text: object) -> tuple[bytes, int] | None:
    try:
        return (stored_terms(text), match_key(text)) if isinstance(text, str) else None
    except ValueError:
        return None
