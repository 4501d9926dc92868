"""Places: which store lies where, as the key folder knows it."""

import pytest

from affidavit import Config, Memory
from affidavit.errors import KeyStoreError
from affidavit.proof.places import Places

A, B = "st_a", "st_b"


@pytest.fixture
def key_dir(tmp_path):
    for store in (A, B):
        (tmp_path / "keys" / store).mkdir(parents=True, mode=0o700)
    return tmp_path / "keys"


@pytest.fixture
def here(tmp_path):
    return str(tmp_path / "memory.db")


def test_a_place_nobody_knows_is_anybodys(key_dir, here):
    assert Places(key_dir).other_store(here, A) is None
    assert Places(key_dir).other_store(here, "st_stranger") is None


def test_a_known_place_is_its_stores(key_dir, here):
    Places(key_dir).keep(here, A)
    assert Places(key_dir).other_store(here, A) is None
    assert Places(key_dir).other_store(here, "st_stranger") == A


def test_a_stranger_takes_no_place(key_dir, here):
    Places(key_dir).keep(here, "st_stranger")
    assert not (key_dir / "places").exists()


def test_a_store_begun_anew_takes_the_place_and_the_old_one_has_none(key_dir, here):
    Places(key_dir).keep(here, A)
    assert Places(key_dir).other_store(here, B) is None
    Places(key_dir).keep(here, B)
    assert Places(key_dir).other_store(here, A) == B
    Places(key_dir).keep(here, A)
    assert Places(key_dir).other_store(here, A) == B, "sealing it there changes nothing"


def test_a_store_that_lies_elsewhere_takes_no_other_place(key_dir, here, tmp_path):
    there = str(tmp_path / "other.db")
    Places(key_dir).keep(here, A)
    Places(key_dir).keep(there, B)
    assert Places(key_dir).other_store(here, B) == A
    assert Places(key_dir).other_store(there, A) == B


def test_a_moved_store_leaves_its_old_place_to_a_new_one(key_dir, here, tmp_path):
    there = str(tmp_path / "other.db")
    Places(key_dir).keep(here, A)
    Places(key_dir).keep(there, A)
    assert Places(key_dir).other_store(there, A) is None
    Places(key_dir).keep(here, B)
    assert Places(key_dir).other_store(here, B) is None
    assert Places(key_dir).other_store(there, A) is None


def test_the_owner_may_say_otherwise(key_dir, here):
    Places(key_dir).keep(here, A)
    Places(key_dir).keep(here, B)
    Places(key_dir).give(here, A)
    assert Places(key_dir).other_store(here, A) is None
    assert Places(key_dir).other_store(here, B) == A


def test_a_link_is_the_same_place(key_dir, here, tmp_path):
    Places(key_dir).keep(here, A)
    (tmp_path / "memory.db").touch()
    (tmp_path / "link.db").symlink_to(here)
    assert Places(key_dir).other_store(str(tmp_path / "link.db"), "st_stranger") == A


def test_nothing_is_written_to_a_store_in_anothers_place(tmp_path):
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    opened = {path: Config.load(db=str(path), key_dir=tmp_path / "all keys") for path in (here, there)}
    for path, config in opened.items():
        with Memory(config=config) as memory:
            memory.add(f"one in {path.name}", user_id="ana")
    here.unlink()
    there.replace(here)
    with Memory(config=opened[here]) as memory:
        with pytest.raises(KeyStoreError, match=r"is where store .* belongs.*nothing was written"):
            memory.add("two", user_id="ana")
        memory.admin.accept_copy()
        memory.add("two", user_id="ana")
        assert memory.verify().problems == ()
