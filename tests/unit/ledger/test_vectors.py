"""The committed vectors against our code, and against a second implementation written from the spec's words.

The second one shares nothing with ours but the library's Ed25519: it builds JSON text by hand, HMAC from
its definition, trees by slicing, notes by splitting lines.
"""

import hashlib
import json
from base64 import b64decode
from pathlib import Path
from runpy import run_path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from affidavit.ledger.encoding import EntryError, commitment, entry_bytes, pae, parse_entry
from affidavit.ledger.note import PublicKey, verify_note
from affidavit.ledger.rotation import rotation_message
from affidavit.ledger.tree import Frontier, leaf_hash, root_of

SPEC = Path(__file__).parents[3] / "docs" / "spec"


def load(name):
    return json.loads((SPEC / "vectors" / name).read_text(encoding="utf-8"))


ENTRIES, ENCODINGS, TREES = load("entries.json"), load("commitments.json"), load("trees.json")
NOTES, ROTATIONS = load("notes.json"), load("rotations.json")


def test_the_script_still_makes_the_committed_vectors():
    made = run_path(str(SPEC / "make_vectors.py"))["all_vectors"]()
    assert {name: json.loads(json.dumps(content)) for name, content in made.items()} == {
        path.name: load(path.name) for path in (SPEC / "vectors").glob("*.json")
    }


# --- the second implementation, section by section of the spec ---


def sha(data):
    return hashlib.sha256(data).digest()


def second_text(value):
    short = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
    return '"' + "".join(short.get(ord(c), c if ord(c) >= 32 else f"\\u{ord(c):04x}") for c in value) + '"'


def second_json(value):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return second_text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(second_json, value)) + "]"
    members = [second_text(key) + ":" + second_json(value[key]) for key in sorted(value)]
    return "{" + ",".join(members) + "}"


def second_pae(kind, fields):
    out = b""
    for value in ["affidavit/1", kind, *fields]:
        if value is None:
            tag, content = b"n", b""
        elif isinstance(value, str):
            tag, content = b"s", value.encode()
        elif isinstance(value, bytes):
            tag, content = b"b", value
        else:
            tag, content = b"i", str(value).encode()
        out += tag + bytes([len(content) >> shift & 255 for shift in range(56, -1, -8)]) + content
    return out


def second_hmac(key, message):
    padded = key + bytes(64 - len(key))
    inner = sha(bytes(b ^ 0x36 for b in padded) + message)
    return sha(bytes(b ^ 0x5C for b in padded) + inner)


def second_root(leaves):
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return sha(b"\0" + leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha(b"\1" + second_root(leaves[:split]) + second_root(leaves[split:]))


def second_peaks(leaves):
    peaks, at = [], 0
    for power in reversed(range(8)):
        if len(leaves) >> power & 1:
            peaks.append(second_root(leaves[at : at + 2**power]))
            at += 2**power
    return peaks


def second_note(note, key_texts):
    """Origin, size and root of a note that all of these keys signed."""
    lines = note.split("\n")
    blank = max(number for number, line in enumerate(lines[:-1]) if not line)
    body = ("\n".join(lines[:blank]) + "\n").encode()
    assert lines[-1] == ""
    signed = {}
    for line in lines[blank + 1 : -1]:
        dash, name, encoded = line.split(" ")
        assert dash == "\u2014"
        signed[name, b64decode(encoded)[:4]] = b64decode(encoded)[4:]
    for text in key_texts:
        name, hashed, encoded = text.split("+", 2)
        key = b64decode(encoded)
        assert key[0] == 1
        assert sha(name.encode() + b"\n" + key)[:4].hex() == hashed
        Ed25519PublicKey.from_public_bytes(key[1:]).verify(signed[name, bytes.fromhex(hashed)], body)
    return lines[0], int(lines[1]), lines[2]


# --- both against the vectors ---


@pytest.mark.parametrize("row", ENTRIES["entries"], ids=lambda row: row["bytes"][:24])
def test_entries_have_these_bytes_and_no_others(row):
    data = bytes.fromhex(row["bytes"])
    assert entry_bytes(row["entry"]) == data
    assert parse_entry(data) == row["entry"]
    assert second_json(row["entry"]).encode() == data


@pytest.mark.parametrize("row", ENTRIES["refused"], ids=lambda row: row["why"])
def test_other_bytes_are_no_entry(row):
    with pytest.raises(EntryError):
        parse_entry(bytes.fromhex(row["bytes"]))


@pytest.mark.parametrize("row", ENCODINGS, ids=lambda row: row["pae"][-16:])
def test_encodings_and_commitments(row):
    fields = [
        value
        if value is None or isinstance(value, str)
        else int(value["int"])
        if "int" in value
        else bytes.fromhex(value["hex"])
        for value in row["fields"]
    ]
    blind = bytes.fromhex(row["blind"])
    assert pae(row["kind"], fields).hex() == second_pae(row["kind"], fields).hex() == row["pae"]
    assert commitment(blind, row["kind"], fields).hex() == row["commitment"]
    assert second_hmac(blind, second_pae(row["kind"], fields)).hex() == row["commitment"]


def test_encodings_all_differ():
    assert len({row["pae"] for row in ENCODINGS}) == len(ENCODINGS)


@pytest.mark.parametrize("row", TREES, ids=lambda row: row["size"])
def test_trees_have_these_roots_and_peaks(row):
    leaves = [bytes.fromhex(TREES[number]["next_leaf"]) for number in range(row["size"])]
    hashes = [leaf_hash(leaf) for leaf in leaves]
    frontier = Frontier.empty().extend(hashes)
    assert frontier.root().hex() == root_of(hashes).hex() == second_root(leaves).hex() == row["root"]
    assert [peak.hex() for peak in frontier.peaks] == row["peaks"]
    assert [peak.hex() for peak in second_peaks(leaves)] == row["peaks"]


@pytest.mark.parametrize("row", NOTES, ids=lambda row: f"{row['size']}-{len(row['keys'])}")
def test_notes_are_believed_for_these_keys(row):
    keys = [PublicKey.parse(text) for text in row["keys"]]
    for key, seed in zip(keys, row["seeds"], strict=True):
        private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
        assert key.raw == private.public_key().public_bytes_raw()
    verified = verify_note(row["note"], keys)
    assert (verified.checkpoint.origin, verified.checkpoint.size) == (row["origin"], row["size"])
    assert verified.checkpoint.root == b64decode(row["root"])
    assert verified.keys == tuple(keys)
    assert second_note(row["note"], row["keys"]) == (row["origin"], row["size"], row["root"])


@pytest.mark.parametrize("row", ROTATIONS, ids=lambda row: "lost" if row["by_old"] is None else "kept")
def test_both_keys_signed_these_handovers(row):
    message = bytes.fromhex(row["message"])
    old, new = PublicKey.parse(row["old"]), PublicKey.parse(row["new"])
    assert rotation_message(row["store_id"], old, new) == message
    assert second_pae("KeyRotated", [row["store_id"], row["old"], row["new"]]) == message
    assert new.verify(message, bytes.fromhex(row["by_new"]))
    assert row["by_old"] is None or old.verify(message, bytes.fromhex(row["by_old"]))
