"""From changes to rows: what each change does to the tables. Called by `commit`, inside its transaction."""

import json
from collections.abc import Iterable, Sequence

from affidavit.core.changes import (
    ActorAdded,
    Change,
    Embedded,
    EpisodeStored,
    Erased,
    KeyRotated,
    SpaceErased,
    SpaceListed,
    SpaceOpened,
    StoreOpened,
)
from affidavit.core.values import EPISODE_COLUMNS
from affidavit.store.sql.apply_gates import GATE_CHANGES
from affidavit.store.sql.apply_memories import MEMORY_CHANGES, erase_memories
from affidavit.store.sql.connection import Connection

_ADD_EPISODE = (
    f"INSERT INTO episode (space_id, seq, {', '.join(EPISODE_COLUMNS)})"
    f" VALUES ({', '.join('?' * (len(EPISODE_COLUMNS) + 2))})"
)
_ADD_JOB = "INSERT INTO job (space_id, kind, target, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_WHOLE_SPACE = (
    "entry", "blind", "actor", "episode", "embedding", "trace", "job",
    "item", "support", "support_part", "conflict", "revoked_source", "last_number", "rejection",
    "permit", "decision",
)  # fmt: skip

_CHANGES = {**MEMORY_CHANGES, **GATE_CHANGES}


def apply_changes(conn: Connection, space_id: str, first: int, at: int, changes: Sequence[Change]) -> None:
    """Make the rows of `changes`, whose entries start at number `first`."""
    erased: list[str] = []
    erasing = first
    for seq, change in enumerate(changes, first):
        match change:
            case EpisodeStored():
                conn.execute(_ADD_EPISODE, (space_id, seq, *change.row))
                if change.pending:
                    conn.executemany(
                        _ADD_JOB, [(space_id, kind, change.row.id, at) for kind in change.pending]
                    )
            case ActorAdded():
                conn.execute(
                    "INSERT INTO actor (space_id, ref, seq, who) VALUES (?, ?, ?, ?)",
                    (space_id, change.ref, seq, change.who),
                )
            case SpaceOpened():
                _open_space(conn, change, at)
            case Erased():
                erasing = erasing if erased else seq
                erased.extend(change.targets)
            case SpaceErased():
                _erase_space(conn, space_id, at)
                _clean_later(conn, space_id, first, at, change.episodes, whole=True)
            case SpaceListed():
                conn.execute("UPDATE space SET listed = ? WHERE id = ?", (change.size, change.space_id))
                conn.execute(
                    "DELETE FROM job WHERE space_id = ? AND kind = 'list' AND target = ?",
                    (change.space_id, change.reason),
                )
            case Embedded() | StoreOpened() | KeyRotated():
                pass
            case _:
                _CHANGES[type(change)](conn, space_id, seq, at, change)
    _embed(conn, space_id, [(seq, c) for seq, c in enumerate(changes, first) if isinstance(c, Embedded)])
    if erased:
        episodes = _erase(conn, space_id, erased)
        _clean_later(conn, space_id, erasing, at, episodes, whole=False)


def _open_space(conn: Connection, change: SpaceOpened, at: int) -> None:
    conn.execute(
        "INSERT INTO space (id, kind, name, size, root, frontier, note, listed)"
        " VALUES (?1, ?2, ?3, 0, ?4, ?4, NULL, 0)",
        (change.space_id, str(change.owner.kind), change.owner.name, b""),
    )
    conn.execute(_ADD_JOB, (change.space_id, "list", "born", at))


def _embed(conn: Connection, space_id: str, embedded: Sequence[tuple[int, Embedded]]) -> None:
    if not embedded:
        return
    targets = [(space_id, change.target) for _, change in embedded]
    # A vector that is replaced takes its blind with it: nobody can test a guess against the old commitment.
    conn.executemany(
        # One inside the other, so that no planner can go through the space instead of looking up a key.
        "DELETE FROM blind WHERE space_id = ?1 AND seq = (SELECT seq FROM embedding WHERE space_id = ?1"
        " AND target_seq = (SELECT seq FROM episode WHERE space_id = ?1 AND id = ?2))",
        targets,
    )
    added = conn.executemany(
        "INSERT INTO embedding (space_id, target_seq, seq, target, model, dimensions, vector)"
        " SELECT space_id, seq, CAST(?3 AS BIGINT), id, CAST(?4 AS TEXT), CAST(?5 AS BIGINT), ?6 FROM episode"
        " WHERE space_id = ?1 AND id = ?2 ON CONFLICT (space_id, target_seq) DO UPDATE SET seq = excluded.seq,"
        " target = excluded.target, model = excluded.model, dimensions = excluded.dimensions, vector = excluded.vector",
        [
            (space_id, change.target, seq, change.model, change.dimensions, change.vector)
            for seq, change in embedded
        ],
    )
    if added.rowcount != len(embedded):
        raise ValueError("a vector was given for an episode that is not there")
    conn.executemany("DELETE FROM job WHERE space_id = ? AND kind = 'embed' AND target = ?", targets)


def _clean_later(conn: Connection, space_id: str, first: int, at: int, episodes: int, *, whole: bool) -> None:
    """The bytes have still to leave the files: the job stands in the same transaction, so no crash forgets it."""
    payload = json.dumps({"episodes": episodes, "whole": whole, "erased_at": at})
    conn.execute(
        "INSERT INTO job (space_id, kind, target, created_at, payload) VALUES (?, 'clean', ?, ?, ?)",
        (space_id, str(first), at, payload),
    )


def _erase(conn: Connection, space_id: str, targets: Sequence[str]) -> int:
    """Erase what an `Erased` names, with all that hangs on it; how many episodes there were."""
    every, targets = targets, erase_memories(conn, space_id, targets)
    pairs = [(space_id, target) for target in targets]
    seqs: list[tuple[str, int]] = []
    episodes = 0
    for pair in pairs:
        found = conn.execute("SELECT seq FROM episode WHERE space_id = ? AND id = ?", pair).fetchone()
        if found is None:
            found = conn.execute("SELECT seq FROM actor WHERE space_id = ? AND ref = ?", pair).fetchone()
        else:
            episodes += 1
            vector = conn.execute(
                "SELECT seq FROM embedding WHERE space_id = ? AND target_seq = ?", (space_id, found[0])
            ).fetchone()
            if vector is not None:
                seqs.append((space_id, vector[0]))
            conn.execute("DELETE FROM embedding WHERE space_id = ? AND target_seq = ?", (space_id, found[0]))
        seqs.append((space_id, found[0]))
    conn.executemany("DELETE FROM blind WHERE space_id = ? AND seq = ?", seqs)
    conn.executemany("DELETE FROM episode WHERE space_id = ? AND id = ?", pairs)
    conn.executemany("DELETE FROM actor WHERE space_id = ? AND ref = ?", pairs)
    conn.executemany(
        "DELETE FROM job WHERE space_id = ? AND kind = ? AND target = ?",
        [(space_id, kind, target) for kind in ("extract", "embed") for target in targets],
    )
    conn.executemany("DELETE FROM rejection WHERE space_id = ? AND episode_id = ?", pairs)
    conn.executemany(
        "DELETE FROM trace WHERE space_id = ? AND id = ?",
        [(space_id, trace_id) for trace_id in _traces_that_show(conn, space_id, set(every))],
    )
    return episodes


def _traces_that_show(conn: Connection, space_id: str, targets: set[str]) -> Iterable[str]:
    rows = conn.execute("SELECT id, shown FROM trace WHERE space_id = ?", (space_id,)).fetchall()
    return [trace_id for trace_id, shown in rows if not targets.isdisjoint(json.loads(shown))]


def _erase_space(conn: Connection, space_id: str, at: int) -> None:
    for table in _WHOLE_SPACE:
        conn.execute(f"DELETE FROM {table} WHERE space_id = ?", (space_id,))
    conn.execute("UPDATE space SET name = NULL WHERE id = ?", (space_id,))
    conn.execute(_ADD_JOB, (space_id, "list", "erased", at))
