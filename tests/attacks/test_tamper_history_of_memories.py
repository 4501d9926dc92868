"""Attack 34 on memories: whoever writes the file makes up a memory, raises one, moves a quote, undoes an ending."""

import json
import sqlite3
from dataclasses import replace
from typing import Any

import pytest

from affidavit.core.changes import StatusSet
from affidavit.core.memories import COMMITTED_ITEM_COLUMNS
from affidavit.ledger.encoding import commitment, entry_bytes, parse_entry
from affidavit.proof.verify_result import Code
from tests.attacks.test_tamper_history import rehash, relist, space_of


def entries(conn, space_id, op):
    rows = conn.execute("SELECT seq, body FROM entry WHERE space_id = ? ORDER BY seq", (space_id,)).fetchall()
    return [(seq, parse_entry(body)) for seq, body in rows if parse_entry(body)["op"] == op]


def write(conn, space_id, seq, entry):
    conn.execute(
        "UPDATE entry SET body = ? WHERE space_id = ? AND seq = ?", (entry_bytes(entry), space_id, seq)
    )


def commit_anew(conn, space_id, seq, kind, values):
    (blind,) = conn.execute(
        "SELECT blind FROM blind WHERE space_id = ? AND seq = ?", (space_id, seq)
    ).fetchone()
    body = conn.execute("SELECT body FROM entry WHERE space_id = ? AND seq = ?", (space_id, seq)).fetchone()[
        0
    ]
    write(conn, space_id, seq, parse_entry(body) | {"commit": commitment(blind, kind, values).hex()})


def item(conn, space_id, where="1", columns="seq, memory_id || '@' || version"):
    query = f"SELECT {columns} FROM item WHERE space_id = ? AND {where} ORDER BY seq LIMIT 1"
    return conn.execute(query, (space_id,)).fetchone()


@pytest.fixture
def noor(place):
    """The attacker's connection, and the space with the memories."""
    with place.attacked() as conn:
        return space_of(conn, "noor")


def test_a_claim_made_the_users_own(place, noor):
    """The label alone, in row and support: the log says something else."""
    with place.attacked() as conn:
        _, target = item(conn, noor, "claimant = 'Ben'")
        key = target.partition("@")[0]
        conn.execute("UPDATE item SET authority = 'authorized', claimant = NULL WHERE memory_id = ?", (key,))
        conn.execute("UPDATE support SET authority = 'authorized' WHERE memory_id = ?", (key,))
    assert {Code.LABEL_MISMATCH, Code.CONTENT_MISMATCH} <= place.codes()


def test_a_claim_made_the_users_own_with_its_log(place, noor):
    """Entries, commitments, tree and listing recomputed: no support has more than the episode it quotes."""
    with place.attacked() as conn:
        seq, target = item(conn, noor, "claimant = 'Ben'")
        key = target.partition("@")[0]
        conn.execute("UPDATE item SET authority = 'authorized', claimant = NULL WHERE memory_id = ?", (key,))
        conn.execute("UPDATE support SET authority = 'authorized' WHERE memory_id = ?", (key,))
        for op in ("ItemAdded", "SupportAdded", "StatusSet"):
            for number, entry in entries(conn, noor, op):
                if entry["target"] == target:
                    write(conn, noor, number, entry | {"authority": "authorized"})
        values = item(conn, noor, f"seq = {seq}", ", ".join(COMMITTED_ITEM_COLUMNS))
        commit_anew(conn, noor, seq, "item", values)
        rehash(conn, noor)
        relist(conn, noor)
    assert {Code.ORPHAN_ENTRY, Code.ROOT_MISMATCH} <= place.codes()


def test_a_memory_made_up(place, noor):
    """A consistent version with support, entries and a recomputed head, and no key to sign it."""
    with place.attacked() as conn:
        conn.row_factory = sqlite3.Row
        size = conn.execute("SELECT size FROM space WHERE id = ?", (noor,)).fetchone()[0]
        row = dict(
            conn.execute(
                "SELECT * FROM item WHERE space_id = ? AND authority = 'authorized'", (noor,)
            ).fetchone()
        )
        made = row | {
            "seq": size, "memory_id": "mem_019e0000000070000000000000000000", "version": 1, "status": "active",
            "closed_end": None, "closed_at": None, "closed_by": None, "closed_seq": None,
        }  # fmt: skip
        source = dict(
            conn.execute(
                "SELECT * FROM support_part WHERE memory_id = ? AND quote IS NOT NULL", (row["memory_id"],)
            ).fetchone()
        )
        support = {
            "space_id": noor, "memory_id": made["memory_id"], "version": 1, "support": 1, "seq": size + 1,
            "authority": "authorized", "removed": None,
        }  # fmt: skip
        part = source | {"memory_id": made["memory_id"], "version": 1, "support": 1, "part": 1}
        for table, values in (("item", made), ("support", support), ("support_part", part)):
            marks = ", ".join("?" * len(values))
            conn.execute(
                f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
            )
        target = f"{made['memory_id']}@1"
        at = entries(conn, noor, "ItemAdded")[0][1]["at"]
        common: dict[str, Any] = {"v": "affidavit/1", "at": at, "target": target, "authority": "authorized"}
        for seq, entry, kind, fields in (
            (size, {"op": "ItemAdded", "actor": row["actor"], "status": "active"}, "item",
             [made[name] for name in COMMITTED_ITEM_COLUMNS]),
            (size + 1, {"op": "SupportAdded", "sources": [part["source"]], "support": 1}, "support",
             [part["source"], part["quote_start"], part["quote_end"], part["quote"]]),
        ):  # fmt: skip
            conn.execute("INSERT INTO blind VALUES (?, ?, ?)", (noor, seq, b"b" * 32))
            body: dict[str, Any] = common | entry | {"commit": commitment(b"b" * 32, kind, fields).hex()}
            conn.execute(
                "INSERT INTO entry (space_id, seq, body) VALUES (?, ?, ?)", (noor, seq, entry_bytes(body))
            )
        conn.row_factory = None
        rehash(conn, noor)
    found = place.verify()
    assert found.level == 0
    assert {p.code for p in found.problems} <= {
        Code.SIG_INVALID,
        Code.ROOT_MISMATCH,
        Code.TRUNCATED,
        Code.LABEL_MISMATCH,
    }


def test_a_quote_put_elsewhere(place, noor):
    with place.attacked() as conn:
        conn.execute(
            "UPDATE support_part SET quote_start = quote_start + 1, quote_end = quote_end + 1 WHERE quote = 'like tea'"
        )
    assert place.codes() == {Code.CONTENT_MISMATCH, Code.QUOTE_MISMATCH}


def test_a_quote_put_elsewhere_with_its_commitment(place, noor):
    with place.attacked() as conn:
        conn.execute(
            "UPDATE support_part SET quote_start = quote_start - 1, quote_end = quote_end - 1 WHERE quote = 'like tea'"
        )
        query = (
            "SELECT s.seq, p.source, p.quote_start, p.quote_end, p.quote FROM support s JOIN support_part p"
            " USING (space_id, memory_id, version, support) WHERE p.quote = 'like tea'"
        )
        seq, *values = conn.execute(query).fetchone()
        commit_anew(conn, noor, seq, "support", values)
        rehash(conn, noor)
        relist(conn, noor)
    assert {Code.QUOTE_MISMATCH, Code.ROOT_MISMATCH} <= place.codes()


def test_an_ending_undone(place, noor):
    with place.attacked() as conn:
        conn.execute(
            "UPDATE item SET (status, closed_end, closed_at, closed_by, closed_seq)"
            " = ('active', NULL, NULL, NULL, NULL) WHERE closed_end IS NOT NULL"
        )
    assert Code.LABEL_MISMATCH in place.codes()


def test_a_support_given_to_another_version(place, noor):
    with place.attacked() as conn:
        (_, one), (_, other) = (item(conn, noor, f"object = '{name}'") for name in ("tea", "Lisbon"))
        a, b = one.partition("@")[0], other.partition("@")[0]
        for table in ("support", "support_part"):
            conn.execute(
                f"UPDATE {table} SET memory_id = 'x' WHERE memory_id = ? AND support = 1 AND version = 1",
                (a,),
            )
            conn.execute(
                f"UPDATE {table} SET memory_id = ? WHERE memory_id = ? AND support = 1 AND version = 1",
                (a, b),
            )
            conn.execute(f"UPDATE {table} SET memory_id = ? WHERE memory_id = 'x'", (b,))
    assert {Code.LABEL_MISMATCH, Code.CONTENT_MISMATCH} <= place.codes()


@pytest.mark.parametrize(
    "op", ["StatusSet", "SupportRemoved", "ItemClosed", "ConflictOpened", "SourceRevoked"]
)
def test_an_entry_replaced_by_another(place, noor, op):
    """The log tells of something harmless instead, and is hashed anew."""
    with place.attacked() as conn:
        (seq, _), *_ = entries(conn, noor, op)
        (_, stored), *_ = entries(conn, noor, "ActorAdded")
        write(conn, noor, seq, stored | {"target": "ac_019e0000000070000000000000000000"})
        rehash(conn, noor)
        relist(conn, noor)
    assert Code.ROOT_MISMATCH in place.codes()


def test_a_conflict_about_others(place, noor):
    with place.attacked() as conn:
        (_, one), (_, other) = (item(conn, noor, f"object = '{name}'") for name in ("tea", "Lisbon"))
        conn.execute("UPDATE conflict SET members = ?", (json.dumps([one, other]),))
    assert place.codes() == {Code.LABEL_MISMATCH}


def test_an_older_row_of_a_version_restored(place, noor):
    """What it said before it was retracted, byte for byte: the log has gone on."""
    with place.attacked() as conn:
        _, target = item(conn, noor, "object = 'tea'")
    before = StatusSet(target=target, authority="authorized", status="active", reason="resolved")
    after = replace(before, status="retracted", reason="retracted")
    with place.open() as memory:
        memory._rooms.store.commit(noor, [after])
    with place.attacked() as conn:
        conn.execute(
            "UPDATE item SET status = ? WHERE memory_id || '@' || version = ?", (before.status, target)
        )
    assert place.codes() == {Code.LABEL_MISMATCH}
