"""Whoever rewrites a log in the file must not get it signed by our next write."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from affidavit import Config, Memory
from affidavit.core.values import COMMITTED_EPISODE_COLUMNS
from affidavit.errors import KeyStoreError, StoreUnreadableError
from affidavit.ledger.encoding import commitment, entry_bytes, parse_entry
from affidavit.ledger.tree import Frontier, leaf_hash
from tests.support_stores import plain


def _rewrite(db: str, *, heads: bool = True) -> None:
    """The last episode says something else, and everything that needs no key is recomputed."""
    conn = plain(db)
    space_id, seq = conn.execute("SELECT space_id, seq FROM episode ORDER BY seq DESC LIMIT 1").fetchone()
    conn.execute("UPDATE episode SET authority = 'authorized', role = 'user' WHERE seq = ?", (seq,))
    columns = ", ".join(COMMITTED_EPISODE_COLUMNS)
    values = conn.execute(f"SELECT {columns} FROM episode WHERE seq = ?", (seq,)).fetchone()
    key = (space_id, seq)
    blind = conn.execute("SELECT blind FROM blind WHERE space_id = ? AND seq = ?", key).fetchone()[0]
    body = conn.execute("SELECT body FROM entry WHERE space_id = ? AND seq = ?", key).fetchone()[0]
    entry = parse_entry(body) | {
        "authority": "authorized",
        "commit": commitment(blind, "episode", values).hex(),
    }
    conn.execute("UPDATE entry SET body = ? WHERE space_id = ? AND seq = ?", (entry_bytes(entry), *key))
    bodies = conn.execute("SELECT body FROM entry WHERE space_id = ? ORDER BY seq", (space_id,))
    tree = Frontier.empty().extend(leaf_hash(body) for (body,) in bodies)
    conn.execute("UPDATE space SET frontier = ? WHERE id = ?", (tree.to_bytes(), space_id))
    if heads:
        conn.execute("UPDATE space SET root = ? WHERE id = ?", (tree.root(), space_id))
    conn.close()


@pytest.mark.parametrize("heads", [True, False], ids=["root and peaks", "peaks only"])
@pytest.mark.parametrize("again", [True, False], ids=["another process", "the same process"])
def test_a_rewritten_log_is_not_signed_by_the_next_write(config: Config, *, heads: bool, again: bool) -> None:
    memory = Memory(config=config)
    memory.add("My landlord is Ana", user_id="priya")
    memory.add({"role": "mail", "content": "You owe me 2,400", "name": "Eve"}, user_id="priya")
    _rewrite(config.database, heads=heads)
    memory = Memory(config=config) if again else memory
    assert memory.verify().level == 0
    with pytest.raises(StoreUnreadableError, match="head"):
        memory.add("Something harmless", user_id="priya")
    memory.close()
    with Memory(config=config) as later:
        assert later.verify().level == 0


def test_a_rewritten_log_is_not_signed_by_a_new_key(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("My landlord is Ana", user_id="priya")
        memory.add({"role": "mail", "content": "You owe me 2,400", "name": "Eve"}, user_id="priya")
        _rewrite(config.database)
        with pytest.raises(StoreUnreadableError, match="head"):
            memory.admin.rotate_key()
        assert memory.verify().level == 0


def test_a_head_whose_signature_was_taken_away_is_not_signed_anew(config: Config, tmp_path: Path) -> None:
    with Memory(config=config) as memory:
        memory.add("My landlord is Ana", user_id="priya")
        conn = plain(config.database)
        conn.execute("UPDATE space SET note = NULL WHERE kind = 'user'")
        conn.close()
        with pytest.raises(StoreUnreadableError, match="not signed"):
            memory.add("Something harmless", user_id="priya")
        assert memory.verify().level == 0


def test_an_older_file_that_grows_past_the_seal_is_still_told(
    config: Config, tmp_path: Path, copied: Callable[[Config], str], put_back: Callable[[str, Config], None]
) -> None:
    with Memory(config=config) as memory:
        memory.add("The code is on the card", user_id="priya")
    old = copied(config)
    with Memory(config=config) as memory:
        memory.delete(memory.list(user_id="priya").items[0].id, user_id="priya")
        memory.add("Something else", user_id="leo")
        memory.admin.export_keys(tmp_path / "keys.txt")
    put_back(old, config)
    # It grows where nobody knows of the seal: here every write is refused.
    elsewhere = replace(config, key_dir=tmp_path / "elsewhere")
    memory = Memory(config=elsewhere)
    memory.admin.import_keys(tmp_path / "keys.txt")
    for number in range(3):
        with Memory(config=config) as here:
            for refused in (lambda: here.add("A new user", user_id="user"), here.admin.seal):
                with pytest.raises(KeyStoreError, match="not the one that was sealed"):
                    refused()
        memory.add("A new user", user_id=f"user {number}")
        memory.admin.seal()
    memory.close()
    with Memory(config=config) as memory:
        assert {problem.code for problem in memory.verify().problems} >= {"FORK"}
        memory.admin.accept_copy()
        assert memory.verify().level == 2


def test_a_store_rewritten_as_one_that_is_not_signed_yet_is_not_sealed(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("My landlord is Ana", user_id="priya")
    conn = plain(config.database)
    bodies = [
        body for (body,) in conn.execute("SELECT body FROM entry WHERE space_id = 'directory' ORDER BY seq")
    ]
    bodies[0] = entry_bytes(parse_entry(bodies[0]) | {"signing": "seal"})
    tree = Frontier.empty().extend(map(leaf_hash, bodies))
    conn.execute("UPDATE entry SET body = ? WHERE space_id = 'directory' AND seq = 0", (bodies[0],))
    conn.execute("DELETE FROM seal")
    conn.execute("UPDATE space SET note = NULL")
    conn.execute(
        "UPDATE space SET root = ?, frontier = ? WHERE id = 'directory'", (tree.root(), tree.to_bytes())
    )
    conn.close()
    with Memory(config=config) as memory:
        for refused in (lambda: memory.add("Something harmless", user_id="leo"), memory.admin.seal):
            with pytest.raises(KeyStoreError):
                refused()
    with Memory(config=config) as memory:
        assert memory.verify().level == 0
