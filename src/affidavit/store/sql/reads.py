"""The reads, on one connection inside one transaction."""

from collections.abc import Iterator, Sequence
from typing import Any

from affidavit.core.authority import SpaceKind
from affidavit.core.values import EPISODE_COLUMNS, EpisodeRow, Head, Owner
from affidavit.store.protocol import Job, Selection, Stored, VectorRow
from affidavit.store.sql.connection import ACROSS, Connection
from affidavit.store.sql.gate_reads import SqlGateReads
from affidavit.store.sql.memory_reads import SqlMemoryReads

_HEAD = "SELECT id, kind, name, size, root, frontier, note FROM space"
_EPISODE = f"SELECT seq, {', '.join(EPISODE_COLUMNS)} FROM episode WHERE space_id = ?"
_INDEX_COLUMNS = ", ".join(EPISODE_COLUMNS[: EPISODE_COLUMNS.index("terms") + 1]).replace(
    "speaker", "coalesce(speaker, CASE role WHEN 'user' THEN CAST(? AS TEXT) END)"
)
_BATCH = 500


def head_of(row: Sequence[Any]) -> Head:
    """The head in a row of `space`."""
    space_id, kind, *rest = row
    return Head(space_id, SpaceKind(kind), *rest)


def _stored(row: Sequence[Any]) -> Stored:
    return Stored(row[0], EpisodeRow._make(row[1:]))


class SqlReads(SqlMemoryReads, SqlGateReads):
    """`affidavit.store.protocol.Reads` over one connection."""

    def __init__(self, conn: Connection) -> None:
        self.conn = conn

    def head(self, space_id: str) -> Head | None:
        """See `affidavit.store.protocol.Reads.head`."""
        row = self.conn.execute(f"{_HEAD} WHERE id = ?", (space_id,)).fetchone()
        return head_of(row) if row else None

    def find_space(self, owner: Owner) -> Head | None:
        """See `affidavit.store.protocol.Reads.find_space`."""
        row = self.conn.execute(
            f"{_HEAD} WHERE kind = ? AND name = ?", (str(owner.kind), owner.name)
        ).fetchone()
        return head_of(row) if row else None

    def heads(self, *, unlisted: bool = False) -> list[Head]:
        """All spaces but the directory; `unlisted`: those changed since the directory last listed them."""
        more = " AND size != listed" if unlisted else ""
        return [
            head_of(row) for row in self.conn.execute(f"{_HEAD} WHERE kind != 'directory'{more} ORDER BY id")
        ]

    def actor(self, space_id: str, who: str) -> str | None:
        """See `affidavit.store.protocol.Reads.actor`."""
        row = self.conn.execute(
            "SELECT ref FROM actor WHERE space_id = ? AND who = ?", (space_id, who)
        ).fetchone()
        return row[0] if row else None

    def spaces_with_actor(self, who: str) -> list[tuple[str, str]]:
        """Every (space, ref) in which this contributor is named."""
        return self.conn.execute(
            f"{ACROSS}SELECT space_id, ref FROM actor WHERE who = ? ORDER BY space_id", (who,)
        ).fetchall()

    def actors(self, space_id: str) -> dict[str, str]:
        """See `affidavit.store.protocol.Reads.actors`."""
        return dict(self.conn.execute("SELECT ref, who FROM actor WHERE space_id = ?", (space_id,)))

    def contributors(self, space_id: str) -> list[tuple[str, str | None, int]]:
        """How many episodes each (actor, agent) has."""
        return self.conn.execute(
            "SELECT actor, agent, count(*) FROM episode WHERE space_id = ? GROUP BY actor, agent", (space_id,)
        ).fetchall()

    def episodes(self, space_id: str, ids: Sequence[str]) -> dict[str, Stored]:
        """See `affidavit.store.protocol.Reads.episodes`."""
        return {stored.row.id: stored for stored in self._among(space_id, "id", ids)}

    def episodes_at(self, space_id: str, seqs: Sequence[int]) -> dict[int, Stored]:
        """See `affidavit.store.protocol.Reads.episodes_at`."""
        return {stored.seq: stored for stored in self._among(space_id, "seq", seqs)}

    def find_keys(self, space_id: str, keys: Sequence[str]) -> dict[str, Stored]:
        """See `affidavit.store.protocol.Reads.find_keys`."""
        found = self._among(space_id, "idempotency_key", keys)
        return {stored.row.idempotency_key: stored for stored in found if stored.row.idempotency_key}

    def _among(self, space_id: str, column: str, values: Sequence[str | int]) -> Iterator[Stored]:
        for start in range(0, len(values), _BATCH):
            part = values[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            yield from map(
                _stored, self.conn.execute(f"{_EPISODE} AND {column} IN ({marks})", (space_id, *part))
            )

    def select(self, space_id: str, selection: Selection) -> Iterator[Stored]:
        """See `affidavit.store.protocol.Reads.select`."""
        where, values = _where(selection)
        order = "DESC" if selection.newest else "ASC"
        limit = "" if selection.limit is None else f" LIMIT {int(selection.limit)}"
        rows = self.conn.execute(f"{_EPISODE}{where} ORDER BY seq {order}{limit}", (space_id, *values))
        return map(_stored, rows)

    def count(self, space_id: str, selection: Selection) -> int:
        """See `affidavit.store.protocol.Reads.count`."""
        where, values = _where(selection)
        row = self.conn.execute(
            f"SELECT count(*) FROM episode WHERE space_id = ?{where}", (space_id, *values)
        )
        return int(row.fetchone()[0])

    def index_rows(
        self, space_id: str, after: int, user_name: str | None = None
    ) -> Iterator[tuple[Any, ...]]:
        """What the space index holds of each episode after this entry: seq, then the columns up to `terms`.

        A user's message without a name is spoken by `user_name`.
        """
        rows = self.conn.execute(
            f"SELECT seq, {_INDEX_COLUMNS} FROM episode WHERE space_id = ? AND seq > ? ORDER BY seq",
            (user_name, space_id, after),
        )
        return iter(rows)

    def column(self, space_id: str, name: str) -> list[Any]:
        """One column of every episode, in log order."""
        if name not in EPISODE_COLUMNS:
            raise ValueError(f"{name} is not a column")
        rows = self.conn.execute(f"SELECT {name} FROM episode WHERE space_id = ? ORDER BY seq", (space_id,))
        return [row[0] for row in rows]

    def vectors(
        self, space_id: str, *, after: int = -1, seqs: Sequence[int] | None = None
    ) -> Iterator[VectorRow]:
        """See `affidavit.store.protocol.Reads.vectors`."""
        select = "SELECT target_seq, seq, target, model, dimensions, vector FROM embedding WHERE space_id = ?"
        if seqs is None:
            new = "ORDER BY target_seq" if after < 0 else f"AND seq > {int(after)} ORDER BY seq"
            yield from map(VectorRow._make, self.conn.execute(f"{select} {new}", (space_id,)))
            return
        for start in range(0, len(seqs), _BATCH):
            part = seqs[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            rows = self.conn.execute(f"{select} AND target_seq IN ({marks})", (space_id, *part))
            yield from map(VectorRow._make, rows)

    def entries(self, space_id: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """The log's entries from `start` up to, not including, `stop`."""
        end = "" if stop is None else f" AND seq < {int(stop)}"
        rows = self.conn.execute(
            f"SELECT seq, body FROM entry WHERE space_id = ? AND seq >= ?{end} ORDER BY seq",
            (space_id, start),
        )
        yield from rows

    def entries_at(self, space_id: str, seqs: Sequence[int]) -> dict[int, bytes]:
        """See `affidavit.store.protocol.Reads.entries_at`."""
        found: dict[int, bytes] = {}
        for start in range(0, len(seqs), _BATCH):
            part = seqs[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            query = f"SELECT seq, body FROM entry WHERE space_id = ? AND seq IN ({marks})"
            found.update(self.conn.execute(query, (space_id, *part)))
        return found

    def jobs(
        self, *, space_id: str | None = None, kind: str | None = None, limit: int | None = None
    ) -> list[Job]:
        """See `affidavit.store.protocol.Reads.jobs`."""
        tests = {"space_id = ?": space_id, "kind = ?": kind}
        given = {test: value for test, value in tests.items() if value is not None}
        where = f" WHERE {' AND '.join(given)}" if given else ""
        most = "" if limit is None else f" LIMIT {int(limit)}"
        rows = self.conn.execute(
            f"{'' if space_id else ACROSS}SELECT space_id, kind, target, created_at, payload FROM job{where}"
            f" ORDER BY space_id, kind, target{most}",
            list(given.values()),
        )
        return [Job._make(row) for row in rows]

    def meta(self) -> dict[str, str]:
        """See `affidavit.store.protocol.Reads.meta`."""
        return dict(self.conn.execute("SELECT key, value FROM meta"))

    def seals(self) -> list[tuple[int, str]]:
        """See `affidavit.store.protocol.Reads.seals`."""
        return self.conn.execute("SELECT seq, note FROM seal ORDER BY seq").fetchall()


def _where(selection: Selection) -> tuple[str, list[str | int]]:
    tests = {
        "session_id = ?": selection.session_id,
        "source_id = ?": selection.source_id,
        "actor = ?": selection.actor,
        "seq > ?": selection.after,
        "seq < ?": selection.before,
    }
    given = {test: value for test, value in tests.items() if value is not None}
    return "".join(f" AND {test}" for test in given), list(given.values())
