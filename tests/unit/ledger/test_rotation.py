import pytest

from affidavit.ledger.encoding import pae
from affidavit.ledger.note import NoteError, PublicKey, parse_note
from affidavit.ledger.rotation import rotation_message

OLD, NEW = PublicKey("affidavit/st", bytes(32)), PublicKey("affidavit/st", bytes(31) + b"\x01")


def test_the_statement_names_store_and_both_keys():
    assert rotation_message("st", OLD, NEW) == pae("KeyRotated", ["st", OLD.to_text(), NEW.to_text()])
    assert rotation_message("st", None, NEW) == pae("KeyRotated", ["st", None, NEW.to_text()])


def test_no_two_handovers_share_a_statement():
    made = {
        rotation_message(store, old, new)
        for store in ("a", "b")
        for old in (OLD, NEW, None)
        for new in (OLD, NEW)
    }
    assert len(made) == 12


def test_a_statement_is_never_a_note():
    with pytest.raises(NoteError):
        parse_note(rotation_message("st", OLD, NEW).decode())
