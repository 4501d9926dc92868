"""What an attacker with write access to the file could do, for the demo: by hand, past all of our code.

Each function changes a copy of a store in its own way and says nothing to Affidavit about it. The forger of
`recompute_everything` rebuilds the log with nothing but SHA-256, as anyone can who reads the format's page.
"""

import json
import re
import shutil
import sqlite3
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

_OWN = "(SELECT id FROM space WHERE kind = 'user')"
_MAIL = "text LIKE '%bank details have changed%' AND role IN ('document', 'mail')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tampering:
    """One way to alter a store: what it is, and the codes of which `verify` must name at least one."""

    title: str
    apply: Callable[[Path], None]
    expected: tuple[str, ...]


def leave(db: Path) -> None:
    """Change nothing: a check that finds something here would be worth nothing."""


def change_text(db: Path) -> None:
    """Put other words into a stored message."""
    _run(
        db, "UPDATE episode SET text = replace(text, 'Vienna', 'Berlin') WHERE text LIKE '%today I live in%'"
    )


def raise_authority(db: Path) -> None:
    """Make a stranger's mail as good as the user's own word."""
    _run(db, f"UPDATE episode SET authority = 'authorized' WHERE {_MAIL}")  # noqa: S608 - our own words


def change_quote(db: Path) -> None:
    """Put other words into the quote that a memory stands on, and leave the message alone."""
    _run(
        db,
        "UPDATE support_part SET quote = replace(quote, 'Vienna', 'Berlin') WHERE quote LIKE '%today I live in%'",
    )


def raise_claim(db: Path) -> None:
    """Make what a mail claims in the user's name a memory of her own."""
    _run(db, "UPDATE item SET authority = 'authorized', claimant = NULL WHERE text LIKE '%Graz%'")


def delete_entry(db: Path) -> None:
    """Take one entry out of the middle of the log."""
    _run(db, f"DELETE FROM entry WHERE seq = 20 AND space_id = {_OWN}")  # noqa: S608 - our own words


def cut_tail(db: Path) -> None:
    """Drop the last ten messages with everything that came after them, and set the head back."""
    with closing(sqlite3.connect(db)) as conn, conn:
        space, first = conn.execute(
            "SELECT space_id, seq FROM episode ORDER BY seq DESC LIMIT 1 OFFSET 9"
        ).fetchone()
        for table in ("entry", "blind", "episode", "embedding", "item", "support"):
            conn.execute(f"DELETE FROM {table} WHERE space_id = ? AND seq >= ?", (space, first))  # noqa: S608
        _set_head(conn, space)


def recompute_everything(db: Path) -> None:
    """Make the mail trustworthy in row and log, then compute all hashes anew. Only the key is not his."""
    with closing(sqlite3.connect(db)) as conn, conn:
        space, seq = conn.execute(f"SELECT space_id, seq FROM episode WHERE {_MAIL}").fetchone()  # noqa: S608
        conn.execute(
            "UPDATE episode SET authority = 'authorized' WHERE space_id = ? AND seq = ?", (space, seq)
        )
        body = conn.execute("SELECT body FROM entry WHERE space_id = ? AND seq = ?", (space, seq)).fetchone()[
            0
        ]
        entry = json.loads(body) | {"authority": "authorized"}
        forged = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode("ascii")
        conn.execute("UPDATE entry SET body = ? WHERE space_id = ? AND seq = ?", (forged, space, seq))
        _set_head(conn, space)


def restore(older: Path) -> Callable[[Path], None]:
    """Put an older copy of the same store in its place: every signature in it is good."""

    def apply(db: Path) -> None:
        shutil.copyfile(older, db)

    return apply


def all_ways(older: Path) -> tuple[Tampering, ...]:
    """Every way of the demo; `older` is an earlier copy of the store."""
    content = ("CONTENT_MISMATCH",)
    label = ("LABEL_MISMATCH",)
    quote = ("QUOTE_MISMATCH",)
    head = ("SIG_INVALID", "ROOT_MISMATCH", "TRUNCATED", "ROLLED_BACK")
    return (
        Tampering(title="nothing changed, for comparison", apply=leave, expected=()),
        Tampering(title="a message says Berlin instead of Vienna", apply=change_text, expected=content),
        Tampering(title="the false landlord's mail made authorized", apply=raise_authority, expected=label),
        Tampering(title="the quote under a memory changed", apply=change_quote, expected=quote),
        Tampering(title="the claim of a mail made the user's own", apply=raise_claim, expected=label),
        Tampering(title="one log entry deleted", apply=delete_entry, expected=("GAP",)),
        Tampering(title="the last ten messages cut off", apply=cut_tail, expected=head),
        Tampering(title="an older copy put back", apply=restore(older), expected=("ROLLED_BACK",)),
        Tampering(title="everything recomputed, without the key", apply=recompute_everything, expected=head),
    )


def _run(db: Path, statement: str) -> None:
    with closing(sqlite3.connect(db)) as conn, conn:
        if conn.execute(statement).rowcount != 1:
            raise ValueError(f"the demo's conversation is not the one expected: {statement}")


def _set_head(conn: sqlite3.Connection, space: str) -> None:
    """A head that fits the log as it now stands, with the old signature under it."""
    bodies = [
        row[0] for row in conn.execute("SELECT body FROM entry WHERE space_id = ? ORDER BY seq", (space,))
    ]
    peaks = _peaks([sha256(b"\x00" + body).digest() for body in bodies])
    root = peaks[-1]
    for peak in peaks[-2::-1]:
        root = sha256(b"\x01" + peak + root).digest()
    note = str(conn.execute("SELECT note FROM space WHERE id = ?", (space,)).fetchone()[0])
    origin, _, rest = note.partition("\n")
    forged = re.sub(r"^\d+\n[^\n]+\n", f"{len(bodies)}\n{b64encode(root).decode('ascii')}\n", rest)
    conn.execute(
        "UPDATE space SET size = ?, root = ?, frontier = ?, note = ? WHERE id = ?",
        (len(bodies), root, b"".join(peaks), f"{origin}\n{forged}", space),
    )


def _peaks(leaves: Sequence[bytes]) -> list[bytes]:
    """Roots of the perfect subtrees of an RFC 6962 tree, largest first."""
    peaks: list[bytes] = []
    for size, leaf in enumerate(leaves):
        peak, bits = leaf, size
        while bits & 1:
            peak = sha256(b"\x01" + peaks.pop() + peak).digest()
            bits >>= 1
        peaks.append(peak)
    return peaks
