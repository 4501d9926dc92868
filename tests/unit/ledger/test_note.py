import pickle
from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from affidavit.ledger.note import (
    MAX_SIGNATURES,
    MAX_SIZE,
    Checkpoint,
    NoteError,
    PublicKey,
    parse_note,
    sign_checkpoint,
    verify_note,
)


class Seeded:
    def __init__(self, name, seed):
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.public = PublicKey(name, self._key.public_key().public_bytes_raw())

    def sign(self, message):
        return self._key.sign(message)


OLD, NEW, OTHER = Seeded("affidavit/st", 1), Seeded("affidavit/st", 2), Seeded("elsewhere", 3)
HEAD = Checkpoint("affidavit/st/sp", 5, bytes(range(32)))
NOTE = sign_checkpoint(HEAD, [OLD])
BODY, _, LINES = NOTE.rpartition("\n\n")
BODY += "\n"
SIGNATURE = LINES.split(" ")[2].strip()


def reason(text, keys=(OLD.public,)):
    with pytest.raises(NoteError) as caught:
        verify_note(text, keys)
    return caught.value.reason


def test_a_note_is_spelled_out():
    expected = (
        "affidavit/st/sp\n5\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n\n\u2014 affidavit/st "
        + b64encode(OLD.public.key_hash + OLD.sign(BODY.encode())).decode()
        + "\n"
    )
    assert NOTE == expected  # noqa: SIM300


def test_extensions_follow_the_root_and_are_signed():
    head = Checkpoint("o", 0, bytes(32), ("one", "two words"))
    note = sign_checkpoint(head, [OLD])
    assert head.body().splitlines()[3:] == ["one", "two words"]
    assert verify_note(note, [OLD.public]).checkpoint == head
    assert reason(note.replace("one", "One")) == "bad_signature"


def test_verified_note_says_what_and_by_whom():
    verified = verify_note(sign_checkpoint(HEAD, [OLD, NEW]), [NEW.public, OTHER.public, OLD.public])
    assert (verified.checkpoint, verified.keys, verified.body) == (HEAD, (OLD.public, NEW.public), BODY)


def test_signatures_of_others_are_ignored_and_not_credited():
    note = sign_checkpoint(HEAD, [OTHER, OLD])
    assert verify_note(note, [OLD.public]).keys == (OLD.public,)


def test_a_note_signed_by_none_of_ours():
    assert reason(NOTE, [NEW.public, OTHER.public]) == "unknown_key"
    assert reason(NOTE, []) == "unknown_key"


def test_the_same_key_under_another_name_is_another_key():
    assert reason(NOTE, [PublicKey("affidavit/st2", OLD.public.raw)]) == "unknown_key"


def test_one_wrong_signature_in_our_name_spoils_the_note():
    body_other = Checkpoint("affidavit/st/sp", 6, bytes(32)).body().encode()
    forged = b64encode(NEW.public.key_hash + NEW.sign(body_other)).decode()
    assert reason(NOTE + f"\u2014 affidavit/st {forged}\n", [OLD.public, NEW.public]) == "bad_signature"


def test_a_signature_of_another_length_is_wrong_not_a_crash():
    short = b64encode(OLD.public.key_hash + b"abc").decode()
    assert reason(f"{BODY}\n\u2014 affidavit/st {short}\n") == "bad_signature"


def test_a_key_that_shares_name_and_hash_does_not_stand_in(monkeypatch):
    # Colliding key hashes can be made on purpose; only the key that signed is credited.
    monkeypatch.setattr(PublicKey, "key_hash", property(lambda self: b"same"))
    note = sign_checkpoint(HEAD, [OLD])
    assert verify_note(note, [NEW.public, OLD.public]).keys == (OLD.public,)
    assert reason(note, [NEW.public]) == "bad_signature"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\n\n",
        BODY,
        BODY + "\n",
        NOTE[:-1],
        NOTE + "\n",
        "\n" + NOTE,
        NOTE.replace("\n", "\r\n"),
        NOTE + "tail\n",
        NOTE.replace("\u2014", "-"),
        NOTE.replace("\u2014 ", "\u2014  "),
        NOTE.replace("\u2014 affidavit/st ", "\u2014 "),
        NOTE.replace("\u2014 affidavit/st ", "\u2014  "),
        NOTE.replace("\u2014 affidavit/st", "\u2014 affi+davit"),
        NOTE.replace("\u2014 affidavit/st", "\u2014 affi\u00a0davit"),
        NOTE.replace("\n5\n", "\n05\n"),
        NOTE.replace("\n5\n", "\n+5\n"),
        NOTE.replace("\n5\n", "\n-5\n"),
        NOTE.replace("\n5\n", "\n5 \n"),
        NOTE.replace("\n5\n", "\n\u0665\n"),
        NOTE.replace("\n5\n", "\n\n"),
        NOTE.replace("\n5\n", f"\n{MAX_SIZE + 1}\n"),
        NOTE.replace("\n5\n", f"\n{'9' * 9999}\n"),
        NOTE.replace("Hh8=", "Hh8"),
        NOTE.replace("Hh8=", "Hh9="),
        NOTE.replace("Hh8=", "Hh8=="),
        NOTE.replace("Hh8=", "Hg=="),
        NOTE.replace("AAEC", "AAEé"),
        NOTE.replace("affidavit/st/sp\n", "\n"),
        NOTE.replace("affidavit/st/sp", "affidavit\tst"),
        NOTE.replace("affidavit/st/sp", "affidavit\0st"),
        NOTE.replace("affidavit/st/sp", "affidavit\ud800st"),
        NOTE.replace(SIGNATURE, SIGNATURE[:4]),
        NOTE.replace(SIGNATURE, SIGNATURE + "AAAA="),
        NOTE.replace(SIGNATURE, "!" + SIGNATURE[1:]),
        "affidavit/st/sp\n5\n\n" + LINES,
        BODY + "\n" + LINES * (MAX_SIGNATURES + 1),
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_texts_that_are_not_notes(text):
    assert reason(text) == "malformed"
    with pytest.raises(NoteError):
        parse_note(text)


def test_parse_note_believes_nothing_and_keeps_the_parts():
    note = parse_note(NOTE.replace("\n5\n", "\n6\n"))
    assert note.checkpoint.size == 6
    assert note.signatures == (("affidavit/st", OLD.public.key_hash, OLD.sign(BODY.encode())),)
    assert note.body == note.checkpoint.body()


@pytest.mark.parametrize(
    "values",
    [
        ("", 0, bytes(32)),
        ("a\nb", 0, bytes(32)),
        ("a\x00", 0, bytes(32)),
        ("a", -1, bytes(32)),
        ("a", MAX_SIZE + 1, bytes(32)),
        ("a", 0, bytes(31)),
        ("a", 0, bytes(32), ("",)),
        ("a", 0, bytes(32), ("b\n",)),
    ],
)
def test_a_checkpoint_that_could_not_be_read_back_is_not_made(values):
    with pytest.raises(NoteError):
        Checkpoint(*values)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\n", "a\u2003b", "a\x00", "\ud800"])
def test_names_that_no_key_can_have(name):
    with pytest.raises(NoteError):
        PublicKey(name, bytes(32))


def test_a_key_reads_back_from_its_text():
    assert PublicKey.parse(OLD.public.to_text()) == OLD.public


TEXT = OLD.public.to_text()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        TEXT[:-1],
        TEXT + "\n",
        " " + TEXT,
        "x" + TEXT,
        TEXT.replace("+", "++", 1),
        TEXT.replace(OLD.public.key_hash.hex(), "00000000"),
        "a+00000000+" + b64encode(b"\x02" + bytes(32)).decode(),
        "a+00000000+" + b64encode(b"\x01" + bytes(31)).decode(),
        "a+00000000+AQ=",
    ],
)
def test_texts_that_are_not_keys(text):
    with pytest.raises(NoteError) as caught:
        PublicKey.parse(text)
    assert caught.value.reason == "malformed"


def test_a_key_that_is_no_point_verifies_nothing():
    assert PublicKey("a", b"\xff" * 32).verify(b"m", bytes(64)) is False


def test_nobody_or_twice_the_same_can_not_sign():
    for signers in ([], [OLD, OLD]):
        with pytest.raises(ValueError, match="different keys"):
            sign_checkpoint(HEAD, signers)


def test_a_signer_that_answers_nonsense_is_noticed():
    class Broken(Seeded):
        def sign(self, message):
            return b"short"

    with pytest.raises(ValueError, match="64 bytes"):
        sign_checkpoint(HEAD, [Broken("a", 1)])


def test_errors_survive_pickling():
    error = pickle.loads(pickle.dumps(NoteError("what", "unknown_key")))
    assert (str(error), error.reason) == ("what", "unknown_key")
