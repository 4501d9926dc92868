"""Write the test vectors of the ledger format: `python docs/spec/make_vectors.py`.

The vectors are committed and never change; a difference after running this means that the format was
broken. Everything is fixed: key seeds, blinds and values. The keys sign these vectors and nothing else.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from affidavit.ledger.encoding import MAX_INTEGER, EntryValue, Field, commitment, entry_bytes, pae
from affidavit.ledger.note import Checkpoint, PublicKey, sign_checkpoint
from affidavit.ledger.rotation import rotation_message
from affidavit.ledger.tree import Frontier, leaf_hash

FOLDER = Path(__file__).parent / "vectors"
SEEDS = (bytes(range(32)), bytes(range(32, 64)))
STORE = "affidavit/example"


class SeedSigner:
    """A signer whose key is the given seed."""

    def __init__(self, name: str, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicKey(name, self._key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature over `message`."""
        return self._key.sign(message)


ENTRIES: tuple[Mapping[str, EntryValue], ...] = (
    {},
    {"v": "affidavit/1", "op": "Example", "at": "2026-03-01T09:30:00.000000Z"},
    {"b": True, "a": False, "B": None, "_": 0, "a b": "", "": "empty key"},
    {"least": -MAX_INTEGER, "most": MAX_INTEGER, "minus_one": -1},
    {"quote": '"', "backslash": "\\", "slash": "/", "controls": "\b\t\n\f\r\u0000\u001f", "delete": "\u007f"},
    {"text": "Grüße, 世界, สวัสดี", "above_bmp": "🦉", "line_separator": "\u2028", "combining": "e\u0301"},
    {"list": [3, "two", True, None, [], {}], "object": {"z": 1, "a": {"y": [{}], "x": ""}}},
)
NOT_ENTRIES: tuple[tuple[str, bytes], ...] = (
    ("white space", b'{"a": 1}'),
    ("line end after it", b'{"a":1}\n'),
    ("keys out of order", b'{"b":1,"a":2}'),
    ("key given twice", b'{"a":1,"a":1}'),
    ("float", b'{"a":1.0}'),
    ("exponent", b'{"a":1e3}'),
    ("minus zero", b'{"a":-0}'),
    ("not a number", b'{"a":NaN}'),
    ("integer too large", b'{"a":9007199254740992}'),
    ("integer too small", b'{"a":-9007199254740992}'),
    ("needless escape", b'{"a":"\\u0041"}'),
    ("escaped slash", b'{"a":"\\/"}'),
    ("upper case escape", b'{"a":"\\u001F"}'),
    ("escaped lone surrogate", b'{"a":"\\ud800"}'),
    ("key that is not ASCII", '{"ä":1}'.encode()),
    ("nested key that is not ASCII", '{"a":[{"ä":1}]}'.encode()),
    ("raw control character", b'{"a":"\x01"}'),
    ("broken UTF-8", b'{"a":"\xff"}'),
    ("byte order mark", b'\xef\xbb\xbf{"a":1}'),
    ("list", b"[]"),
    ("nothing", b""),
    ("cut", b'{"a":1'),
    ("nested 33 deep", b'{"a":' + b"[" * 32 + b"]" * 32 + b"}"),
)
FIELDS: tuple[tuple[str, Sequence[Field]], ...] = (
    ("example", ()),
    ("example", ("",)),
    ("example", (None,)),
    ("example", (b"",)),
    ("example", (0,)),
    ("example", ("0",)),
    ("example", (b"0",)),
    ("example", ("ab", "c")),
    ("example", ("a", "bc")),
    ("example", (-1, 2**63 - 1, -(2**63))),
    ("example", ("Grüße 🦉", None, b"\x00\xff", 7)),
    ("exampl", ("e",)),
    (
        "item",
        (
            "fact",
            "The user lives in Lisbon.",
            "user",
            "home",
            "Lisbon",
            None,
            "asserted",
            0,
            None,
            1_772_357_400_000_000,
            None,
            None,
            None,
            "since March",
            "resolved",
            60,
            1_772_357_400_000_000,
            "checks-1",
            "frames-1",
            None,
            None,
            "en",
            "[]",
            "{}",
        ),
    ),
    ("support", ("ep_019caa0f8ad47c118f3e6b2d9a40c715", 0, 16, "I live in Lisbon")),
    ("support", ("ep_019caa0f8ad47c118f3e6b2d9a40c715", 3, 5, "🦉é", "mem_019caa0f8ad4@1", None, None, None)),
    ("closing", (1_780_315_200_000_000,)),
    ("closing", (None,)),
    ("conflict", ("user", "home")),
    ("conflict", ("Ana", None)),
    ("source", ("mail-9",)),
)


def _shown(fields: Sequence[Field]) -> list[Any]:
    """Fields as JSON: text and null as they are, the others as objects (JSON has no bytes)."""
    return [_shown_field(field) for field in fields]


def _shown_field(field: Field) -> Any:
    if isinstance(field, int):
        return {"int": str(field)}
    return {"hex": field.hex()} if isinstance(field, bytes) else field


def entries() -> dict[str, Any]:
    """Entries and their bytes; byte strings that are none."""
    made = [{"entry": dict(entry), "bytes": entry_bytes(entry).hex()} for entry in ENTRIES]
    refused = [{"why": why, "bytes": data.hex()} for why, data in NOT_ENTRIES]
    return {"entries": made, "refused": refused}


def encodings() -> list[dict[str, Any]]:
    """Kinds and fields with their encoding and their commitment under a blind."""
    return [
        {
            "kind": kind,
            "fields": _shown(fields),
            "pae": pae(kind, fields).hex(),
            "blind": bytes([number] * 32).hex(),
            "commitment": commitment(bytes([number] * 32), kind, fields).hex(),
        }
        for number, (kind, fields) in enumerate(FIELDS)
    ]


def trees() -> list[dict[str, Any]]:
    """Trees of 0 to 20 leaves: leaf number n is the entry {"n":n}."""
    frontier, rows = Frontier.empty(), []
    for size in range(21):
        leaf = entry_bytes({"n": size})
        peaks = [peak.hex() for peak in frontier.peaks]
        rows.append({"size": size, "root": frontier.root().hex(), "peaks": peaks, "next_leaf": leaf.hex()})
        frontier = frontier.append(leaf_hash(leaf))
    return rows


def notes() -> list[dict[str, Any]]:
    """Signed heads of some of the trees."""
    signers = [SeedSigner(STORE, seed) for seed in SEEDS]
    roots = {row["size"]: bytes.fromhex(row["root"]) for row in trees()}
    plan = ((0, "sp_example", 1), (1, "sp_example", 1), (20, "directory", 1), (13, "directory", 2))
    rows: list[dict[str, Any]] = []
    for size, space, count in plan:
        checkpoint = Checkpoint(f"{STORE}/{space}", size, roots[size])
        used = signers[:count]
        rows.append(
            {
                "origin": checkpoint.origin,
                "size": size,
                "root": b64encode(checkpoint.root).decode("ascii"),
                "seeds": [seed.hex() for seed in SEEDS[:count]],
                "keys": [signer.public.to_text() for signer in used],
                "note": sign_checkpoint(checkpoint, used),
            }
        )
    return rows


def rotations() -> list[dict[str, Any]]:
    """Handovers from the first key to the second: with the old key at hand, and with it lost."""
    old, new = (SeedSigner(STORE, seed) for seed in SEEDS)
    rows = []
    for lost in (False, True):
        message = rotation_message("example", old.public, new.public)
        rows.append(
            {
                "store_id": "example",
                "old": old.public.to_text(),
                "new": new.public.to_text(),
                "message": message.hex(),
                "by_old": None if lost else old.sign(message).hex(),
                "by_new": new.sign(message).hex(),
            }
        )
    return rows


def all_vectors() -> dict[str, Any]:
    """Every vector file's content, by file name."""
    return {
        "entries.json": entries(),
        "commitments.json": encodings(),
        "trees.json": trees(),
        "notes.json": notes(),
        "rotations.json": rotations(),
    }


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in all_vectors().items():
        (FOLDER / name).write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
