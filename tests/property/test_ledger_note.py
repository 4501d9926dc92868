import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ledger.note import Checkpoint, NoteError, PublicKey, parse_note, sign_checkpoint, verify_note


class Seeded:
    def __init__(self, name, seed):
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicKey(name, self._key.public_key().public_bytes_raw())

    def sign(self, message):
        return self._key.sign(message)


LINES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
NAMES = LINES.map(lambda text: "".join(text.split()).replace("+", "")).filter(bool)
HEADS = st.builds(
    Checkpoint,
    LINES,
    st.integers(0, 2**63 - 1),
    st.binary(min_size=32, max_size=32),
    st.lists(LINES, max_size=2).map(tuple),
)
SIGNERS = st.builds(Seeded, NAMES, st.binary(min_size=32, max_size=32))


@given(HEADS, st.lists(SIGNERS, min_size=1, max_size=3, unique_by=lambda signer: signer.public))
def test_what_was_signed_is_read_and_believed(head, signers):
    text = sign_checkpoint(head, signers)
    keys = tuple(signer.public for signer in signers)
    note = parse_note(text)
    assert (note.checkpoint, note.body) == (head, head.body())
    assert [(name, key_hash) for name, key_hash, _ in note.signatures] == [
        (key.name, key.key_hash) for key in keys
    ]
    verified = verify_note(text, keys)
    assert (verified.checkpoint, verified.keys) == (head, keys)
    for key in keys:
        assert PublicKey.parse(key.to_text()) == key
        assert verify_note(text, [key]).keys == (key,)


@given(HEADS, SIGNERS, st.data())
def test_a_note_with_any_byte_changed_never_verifies(head, signer, data):
    written = sign_checkpoint(head, [signer]).encode()
    at = data.draw(st.integers(0, len(written) - 1))
    how = data.draw(st.sampled_from(["change", "drop", "insert"]))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != written[at]))
    middle = {"change": bytes([byte]), "drop": b"", "insert": bytes([byte, written[at]])}[how]
    changed = (written[:at] + middle + written[at + 1 :]).decode("utf-8", "surrogateescape")
    with pytest.raises(NoteError):
        verify_note(changed, [signer.public])


FRAGMENTS = st.sampled_from(
    [
        "\n",
        "\n\n",
        "\u2014 ",
        " ",
        "+",
        "=",
        "0",
        "AAAA",
        "a",
        "\r",
        "\ud800",
        "\u2028",
        "A" * 43 + "=",
        "\x85",
    ]
)


@given(st.text() | st.lists(FRAGMENTS, max_size=14).map("".join))
def test_any_text_is_a_note_or_is_refused_as_malformed(text):
    try:
        note = parse_note(text)
    except NoteError as error:
        refused = error.reason
    else:
        assert text.startswith(note.body)
        assert note.checkpoint.body() == note.body
        return
    assert refused == "malformed"


@given(st.text() | st.lists(FRAGMENTS, max_size=10).map("".join))
def test_any_text_is_a_key_or_is_refused(text):
    try:
        key = PublicKey.parse(text)
    except NoteError:
        return
    assert key.to_text() == text


@given(st.binary(max_size=80), st.binary(max_size=80), SIGNERS)
def test_a_key_accepts_no_invented_signature(message, signature, signer):
    assert signer.public.verify(message, signature) is False
    assert signer.public.verify(message, signer.sign(message)) is True
