"""The reads of memories, on one connection inside one transaction."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from affidavit.core.authority import Authority
from affidavit.core.backing import SupportTime
from affidavit.core.memories import ITEM_COLUMNS, Conflict, ItemRow, Part, Support, version_id
from affidavit.store.memory_reads import Quoting, RejectionChoice, RejectionRow, StoredItem
from affidavit.store.protocol import Selection
from affidavit.store.sql.connection import Connection

_SELECT_ITEM = f"SELECT seq, {', '.join(ITEM_COLUMNS)} FROM"
_ITEM = f"{_SELECT_ITEM} item WHERE space_id = ?"
_ITEM_OF_WANTED = f"{_SELECT_ITEM} wanted CROSS JOIN item USING (memory_id, version) WHERE space_id = ?"
# Left to itself SQLite reads the whole space, in the order that is asked for.
_BY_RELATION = _ITEM.replace(" FROM item ", " FROM item INDEXED BY item_relation ")
_BATCH = 300
# `INDEXED BY support_source`: without statistics the planner would go through the whole space.
# The order of `affidavit.core.standing.Bounds`.
_BOUNDS = (
    "kind, status, recorded_at, relation, occurred_start, occurred_end, valid_start,"
    " CASE WHEN valid_end IS NULL THEN closed_end WHEN closed_end IS NULL THEN valid_end"
    " WHEN closed_end < valid_end THEN closed_end ELSE valid_end END, closed_by, negated"
)
_OF_SUPPORT = (
    "SELECT s.memory_id, s.version, s.support, s.seq, s.authority, s.removed, p.source, e.seq,"
    " coalesce(e.occurred_start, e.recorded_at) FROM"
)
_ITS_PARTS = (
    " JOIN support_part p ON p.space_id = s.space_id AND p.memory_id = s.memory_id AND p.version = s.version"
    " AND p.support = s.support LEFT JOIN episode e ON e.space_id = s.space_id AND e.id = p.source"
    " WHERE s.space_id = ?"
)
_TIMES = f"{_OF_SUPPORT} support s{_ITS_PARTS}"
_TIMES_OF_WANTED = f"{_OF_SUPPORT} wanted CROSS JOIN support s USING (memory_id, version){_ITS_PARTS}"
_IN_ORDER = " ORDER BY s.memory_id, s.version, s.support, p.part"


def _stored(row: Sequence[Any]) -> StoredItem:
    return StoredItem(row[0], ItemRow._make(row[1:]))


def _key(version: str) -> tuple[str, int]:
    memory_id, _, number = version.rpartition("@")
    return memory_id, int(number) if number.isascii() and number.isdigit() else 0


def _support_time(row: Sequence[Any]) -> SupportTime:
    return SupportTime(version_id(row[0], row[1]), *row[2:])


def _of_kinds(kinds: Sequence[str]) -> tuple[str, list[Any]]:
    return (f" AND kind IN ({','.join('?' * len(kinds))})", list(kinds)) if kinds else ("", [])


def _keys_of(versions: Sequence[str]) -> Iterator[list[tuple[str, int]]]:
    """Versions as keys of rows, each once, as many at a time as a statement may name."""
    keys = list(dict.fromkeys(map(_key, versions)))
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]


def _wanted(keys: Sequence[Any]) -> str:
    """Keys as a table that is gone through first: each of its rows is then looked up."""
    return f"WITH wanted (memory_id, version) AS (VALUES {','.join(['(?, ?)'] * len(keys))})"


_REFUSED = "episode_id, span_start, span_end, check_name, code, hint, at, model"


def _refused(space_id: str, choice: RejectionChoice) -> tuple[str, list[Any]]:
    """From where rejections are read, and which of them."""
    given = {
        "e.session_id": choice.session_id,
        "r.episode_id": choice.episode_id,
        "r.check_name": choice.check,
        "r.code": choice.code,
    }
    chosen = {column: value for column, value in given.items() if value is not None}
    where = "".join(f" AND {column} = ?" for column in chosen)
    joined = " FROM rejection r JOIN episode e ON e.space_id = r.space_id AND e.id = r.episode_id"
    return f"{joined} WHERE r.space_id = ?{where}", [space_id, *chosen.values()]


class SqlMemoryReads:
    """`affidavit.store.memory_reads.MemoryReads` over one connection."""

    conn: Connection

    def items(self, space_id: str, ids: Sequence[str]) -> dict[str, StoredItem]:
        """See `affidavit.store.memory_reads.MemoryReads.items`."""
        found = {}
        for keys in _keys_of(ids):
            chosen = f"{_wanted(keys)} {_ITEM_OF_WANTED}"
            for row in self.conn.execute(chosen, (*chain.from_iterable(keys), space_id)):
                stored = _stored(row)
                found[stored.row.id] = stored
        return {one: found[one] for one in ids if one in found}

    def items_at(self, space_id: str, seqs: Sequence[int]) -> dict[int, StoredItem]:
        """See `affidavit.store.memory_reads.MemoryReads.items_at`."""
        return {stored.seq: stored for stored in self._items_among(space_id, "seq", seqs)}

    def versions(self, space_id: str, memory_id: str) -> list[StoredItem]:
        """See `affidavit.store.memory_reads.MemoryReads.versions`."""
        rows = self.conn.execute(f"{_ITEM} AND memory_id = ? ORDER BY version", (space_id, memory_id))
        return [_stored(row) for row in rows]

    def related(self, space_id: str, subject: str, relations: Sequence[str]) -> list[StoredItem]:
        """See `affidavit.store.memory_reads.MemoryReads.related`."""
        marks = ",".join("?" * len(relations))
        rows = self.conn.execute(
            f"{_BY_RELATION} AND subject = ? AND relation IN ({marks}) ORDER BY seq",
            (space_id, subject, *relations),
        )
        return [_stored(row) for row in rows]

    def objects(self, space_id: str, subject: str, relations: Sequence[str]) -> list[tuple[str, str | None]]:
        """See `affidavit.store.memory_reads.MemoryReads.objects`."""
        marks = ",".join("?" * len(relations))
        return self.conn.execute(
            "SELECT memory_id || '@' || version, object FROM item"
            f" WHERE space_id = ? AND subject = ? AND relation IN ({marks}) ORDER BY seq",
            (space_id, subject, *relations),
        ).fetchall()

    def matching(self, space_id: str, match_keys: Sequence[int]) -> list[StoredItem]:
        """See `affidavit.store.memory_reads.MemoryReads.matching`."""
        return sorted(self._items_among(space_id, "match_key", match_keys), key=lambda stored: stored.seq)

    def _items_among(self, space_id: str, column: str, values: Sequence[int]) -> Iterator[StoredItem]:
        for start in range(0, len(values), _BATCH):
            part = values[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            yield from map(
                _stored, self.conn.execute(f"{_ITEM} AND {column} IN ({marks})", (space_id, *part))
            )

    def all_items(self, space_id: str, *, after: int = -1) -> Iterator[StoredItem]:
        """See `affidavit.store.memory_reads.MemoryReads.all_items`."""
        return map(_stored, self.conn.execute(f"{_ITEM} AND seq > ? ORDER BY seq", (space_id, after)))

    def select_items(self, space_id: str, page: Selection, kinds: Sequence[str] = ()) -> Iterator[StoredItem]:
        """See `affidavit.store.memory_reads.MemoryReads.select_items`."""
        where, values = _of_kinds(kinds)
        if page.after is not None:
            where, values = f"{where} AND seq > ?", [*values, page.after]
        if page.before is not None:
            where, values = f"{where} AND seq < ?", [*values, page.before]
        order = "DESC" if page.newest else "ASC"
        limit = "" if page.limit is None else f" LIMIT {int(page.limit)}"
        rows = self.conn.execute(f"{_ITEM}{where} ORDER BY seq {order}{limit}", (space_id, *values))
        return map(_stored, rows)

    def count_items(self, space_id: str, kinds: Sequence[str] = ()) -> int:
        """See `affidavit.store.memory_reads.MemoryReads.count_items`."""
        where, values = _of_kinds(kinds)
        row = self.conn.execute(f"SELECT count(*) FROM item WHERE space_id = ?{where}", (space_id, *values))
        return int(row.fetchone()[0])

    def item_index_rows(
        self, space_id: str, after: int, user_name: str | None = None
    ) -> Iterator[tuple[Any, ...]]:
        """See `affidavit.store.memory_reads.MemoryReads.item_index_rows`."""
        rows = self.conn.execute(
            "SELECT seq, memory_id, NULL, coalesce(claimant, CAST(? AS TEXT)), kind, authority, status,"
            " coalesce(occurred_start, valid_start), coalesce(occurred_end, valid_start + 1), recorded_at, terms,"
            f" version, {_BOUNDS} FROM item WHERE space_id = ? AND seq > ? ORDER BY seq",
            (user_name, space_id, after),
        )
        return iter(rows)

    def item_column(self, space_id: str, name: str) -> list[Any]:
        """See `affidavit.store.memory_reads.MemoryReads.item_column`."""
        if name not in ITEM_COLUMNS:
            raise ValueError(f"{name} is not a column")
        rows = self.conn.execute(f"SELECT {name} FROM item WHERE space_id = ? ORDER BY seq", (space_id,))
        return [row[0] for row in rows]

    def support_times(self, space_id: str, versions: Sequence[str] | None = None) -> Iterator[SupportTime]:
        """See `affidavit.store.memory_reads.MemoryReads.support_times`."""
        if versions is None:
            yield from map(_support_time, self.conn.execute(f"{_TIMES}{_IN_ORDER}", (space_id,)))
            return
        for keys in _keys_of(versions):
            chosen = f"{_wanted(keys)} {_TIMES_OF_WANTED}{_IN_ORDER}"
            yield from map(_support_time, self.conn.execute(chosen, (*chain.from_iterable(keys), space_id)))

    def quoting(self, space_id: str, episodes: Sequence[str]) -> list[Quoting]:
        """See `affidavit.store.memory_reads.MemoryReads.quoting`."""
        found: set[Quoting] = set()
        for start in range(0, len(episodes), _BATCH):
            part = episodes[start : start + _BATCH]
            rows = self.conn.execute(
                "SELECT source, memory_id, version, quote_start, quote_end"
                " FROM support_part INDEXED BY support_source"
                f" WHERE space_id = ? AND source IN ({','.join('?' * len(part))})"
                " AND (SELECT removed FROM support s WHERE s.space_id = support_part.space_id"
                " AND s.memory_id = support_part.memory_id AND s.version = support_part.version"
                " AND s.support = support_part.support) IS NULL",
                (space_id, *part),
            )
            found |= {Quoting(row[0], version_id(row[1], row[2]), row[3], row[4]) for row in rows}
        return sorted(found, key=lambda one: (one.version, one.episode_id, one.start))

    def supports(self, space_id: str, versions: Sequence[str]) -> dict[str, tuple[Support, ...]]:
        """See `affidavit.store.memory_reads.MemoryReads.supports`."""
        found: dict[str, tuple[Support, ...]] = dict.fromkeys(dict.fromkeys(versions), ())
        for keys in _keys_of(versions):
            parts: dict[tuple[str, int, int], list[Part]] = {}
            values = (*chain.from_iterable(keys), space_id)
            for row in self.conn.execute(
                f"{_wanted(keys)} SELECT memory_id, version, support, source, quote_start, quote_end, quote"
                " FROM wanted CROSS JOIN support_part USING (memory_id, version) WHERE space_id = ?"
                " ORDER BY memory_id, version, support, part",
                values,
            ):
                parts.setdefault(row[:3], []).append(Part._make(row[3:]))
            for memory_id, version, number, authority, seq, removed in self.conn.execute(
                f"{_wanted(keys)} SELECT memory_id, version, support, authority, seq, removed"
                " FROM wanted CROSS JOIN support USING (memory_id, version) WHERE space_id = ?"
                " ORDER BY memory_id, version, support",
                values,
            ):
                own = tuple(parts.get((memory_id, version, number), ()))
                held = Support(number, Authority(authority), own, seq, removed)
                found[version_id(memory_id, version)] += (held,)
        return found

    def last_number(self, space_id: str, target: str) -> int:
        """See `affidavit.store.memory_reads.MemoryReads.last_number`."""
        kept = "SELECT number FROM last_number WHERE space_id = ?1 AND target = ?2"
        living = "SELECT max(version) FROM item WHERE space_id = ?1 AND memory_id = ?2"
        values: tuple[str | int, ...] = (space_id, target)
        if "@" in target:
            living = (
                "SELECT max(support) FROM support WHERE space_id = ?1 AND memory_id = ?3 AND version = ?4"
            )
            values += _key(target)
        query = f"SELECT max(number) FROM ({kept} UNION ALL {living}) AS numbers"
        return self.conn.execute(query, values).fetchone()[0] or 0

    def resting(self, space_id: str, sources: Sequence[str]) -> list[str]:
        """See `affidavit.store.memory_reads.MemoryReads.resting`."""
        found: dict[str, None] = {}
        for start in range(0, len(sources), _BATCH):
            part = sources[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            rows = self.conn.execute(
                # Left to itself SQLite reads the whole space in the order of its key, for every batch.
                "SELECT DISTINCT memory_id, version FROM support_part INDEXED BY support_source"
                f" WHERE space_id = ? AND source IN ({marks})",
                (space_id, *part),
            )
            found |= dict.fromkeys(version_id(*row) for row in sorted(rows))
        return list(found)

    def closed_by(self, space_id: str, versions: Sequence[str]) -> Mapping[str, str]:
        """See `affidavit.store.memory_reads.MemoryReads.closed_by`."""
        found: dict[str, str] = {}
        for start in range(0, len(versions), _BATCH):
            part = versions[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            rows = self.conn.execute(
                "SELECT memory_id, version, closed_by FROM item INDEXED BY item_closed"
                f" WHERE space_id = ? AND closed_by IN ({marks})",
                (space_id, *part),
            )
            found |= {version_id(memory_id, version): by for memory_id, version, by in rows}
        return found

    def conflicts(self, space_id: str, *, open_only: bool = True) -> list[Conflict]:
        """See `affidavit.store.memory_reads.MemoryReads.conflicts`."""
        still = " AND resolved_at IS NULL" if open_only else ""
        rows = self.conn.execute(
            "SELECT id, members, subject, relation, opened_at, resolved_at, kept FROM conflict"
            f" WHERE space_id = ?{still} ORDER BY seq",
            (space_id,),
        )
        return [Conflict(id_, tuple(json.loads(members)), *rest) for id_, members, *rest in rows]

    def revoked_sources(self, space_id: str) -> Mapping[str, str]:
        """See `affidavit.store.memory_reads.MemoryReads.revoked_sources`."""
        return dict(
            self.conn.execute("SELECT source_id, id FROM revoked_source WHERE space_id = ?", (space_id,))
        )

    def rejections(self, space_id: str, episode_id: str | None = None) -> list[RejectionRow]:
        """See `affidavit.store.memory_reads.MemoryReads.rejections`."""
        of_one = "" if episode_id is None else " AND episode_id = ?"
        rows = self.conn.execute(
            f"SELECT {_REFUSED} FROM rejection"
            f" WHERE space_id = ?{of_one} ORDER BY at, episode_id, span_start, span_end, code",
            (space_id,) if episode_id is None else (space_id, episode_id),
        )
        return [RejectionRow._make(row) for row in rows]

    def select_rejections(
        self, space_id: str, choice: RejectionChoice, *, skip: int, limit: int, newest: bool
    ) -> list[RejectionRow]:
        """See `affidavit.store.memory_reads.MemoryReads.select_rejections`."""
        where, values = _refused(space_id, choice)
        way = " DESC" if newest else ""
        rows = self.conn.execute(
            f"SELECT {_REFUSED}{where} ORDER BY seq{way}, span_start, span_end, code"
            f" LIMIT {int(limit)} OFFSET {int(skip)}",
            values,
        )
        return [RejectionRow._make(row) for row in rows]

    def count_rejections(self, space_id: str, choice: RejectionChoice) -> int:
        """See `affidavit.store.memory_reads.MemoryReads.count_rejections`."""
        where, values = _refused(space_id, choice)
        return int(self.conn.execute(f"SELECT count(*){where}", values).fetchone()[0])
