"""Jobs stand in no log: whoever can write the file may forge one, and must get no signed statement for it."""

import json

import pytest

from affidavit import Config, Memory
from affidavit.errors import StoreUnreadableError
from tests.support_stores import plain

_LIE = json.dumps({"episodes": 99_999, "whole": True, "erased_at": 1})


def _forge(config: Config, target: object, payload: object) -> None:
    conn = plain(config.database)
    conn.execute(
        "INSERT INTO job SELECT id, 'clean', ?, 0, ? FROM space WHERE kind = 'user'"
        " ON CONFLICT (space_id, kind, target) DO UPDATE SET created_at = 0, payload = excluded.payload",
        (target, payload),
    )
    conn.close()


@pytest.mark.parametrize(
    "payload", [_LIE, "{}", "nope", None, "[1]", '{"episodes":1,"whole":1,"erased_at":""}']
)
@pytest.mark.parametrize("target", ["0", "2", "-1", "99", "9" * 30, "9" * 5000, "x", "٣", b"\xff"])
def test_a_forged_job_gets_no_receipt(config: Config, target: object, payload: object) -> None:
    with Memory(config=config) as memory:
        memory.add("It is all still here", user_id="priya")
        _forge(config, target, payload)
        assert memory.admin.clean() == []
        assert memory.admin.inspect().waiting.get("clean") is None


def test_a_receipt_says_what_the_log_says(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add(["one", "two", "three"], user_id="priya", session_id="s")
        memory.add("stays", user_id="priya")
        receipt = memory.forget(user_id="priya", session_id="s")
        first = receipt.spaces[0].size - 1
        _forge(config, str(first), _LIE)
        again = memory.admin.clean()[0]
        assert (again.episodes, again.erased_at, again.spaces[0].whole) == (3, receipt.erased_at, False)
        whole = memory.forget(user_id="priya", everything=True)
        _forge(config, str(whole.spaces[0].size - 1), json.dumps({"episodes": 0}))
        again = memory.admin.clean()[0]
        assert (again.episodes, again.erased_at, again.spaces[0].whole) == (1, whole.erased_at, True)


def test_a_receipt_does_not_sign_a_head_that_was_put_in(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add(["one", "two"], user_id="priya", session_id="s")
        receipt = memory.forget(user_id="priya", session_id="s")
        _forge(config, str(receipt.spaces[0].size - 1), None)
        conn = plain(config.database)
        conn.execute("UPDATE space SET root = zeroblob(32) WHERE kind = 'user'")
        conn.close()
        with pytest.raises(StoreUnreadableError, match="no receipt"):
            memory.admin.clean()
