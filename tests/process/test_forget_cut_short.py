"""A `forget` that was killed after its rows went: saying it again finishes it, and says so."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.errors import NotFoundError
from affidavit.privacy.clean import Cleaner
from tests.support_stores import assert_physical, kept_bytes

CANARY = "a canary that is long enough to be looked for"


class _KilledError(BaseException):
    """Stands for a kill."""


@pytest.mark.parametrize("what", [{"everything": True}, {"session_id": "s"}, {"source_id": "mail 7"}])
def test_saying_it_again_finishes_it(
    config: Config, monkeypatch: pytest.MonkeyPatch, what: dict[str, Any], tmp_path: Path
) -> None:
    memory = Memory(config=config)
    memory.add(CANARY, user_id="priya", session_id="s", source_id="mail 7")
    memory.add("of somebody else", user_id="leo")

    def killed(*_: object) -> bool:
        raise _KilledError

    with monkeypatch.context() as patch:
        patch.setattr(Cleaner, "clean", killed)
        with pytest.raises(_KilledError):
            memory.forget(user_id="priya", **what)
    with pytest.raises(NotFoundError, match=r"had not been finished.*gone now.*admin clean"):
        memory.forget(user_id="priya", **what)
    left = [name for name, data in kept_bytes(config.database, tmp_path / "store") if CANARY.encode() in data]
    assert left == []
    receipt = memory.admin.clean()[0]
    assert receipt.episodes == 1
    assert_physical(memory, receipt)
    with pytest.raises(NotFoundError, match="memory list"):
        memory.forget(user_id="priya", **what)
    memory.close()


def _marks(config: Config) -> str:
    return "".join(path.read_text() for path in config.key_dir.glob("*/erased-*.txt"))


@pytest.mark.skipif(os.name != "posix", reason="a process kills itself like this on POSIX only")
@pytest.mark.parametrize("next_step", ["the same again", "another erasure", "clean", "reset"])
def test_the_marks_of_a_whole_space_go_after_a_kill(
    config: Config, start: Callable[..., Any], next_step: str
) -> None:
    with Memory(config=config) as memory:
        memory.add("of somebody else", user_id="leo", idempotency_key="leo's")
        memory.delete(memory.list(user_id="leo").items[0].id, user_id="leo")
        memory.add("more of somebody else", user_id="leo", session_id="s")
    kept = _marks(config)
    worker = start(mode="die erasing")
    worker.expect("ready")
    worker.go()
    worker.expect("dying")
    assert worker.next() is None
    assert worker.process.wait() == -9
    assert len(_marks(config)) > len(kept), "the kill came too late"
    with Memory(config=config) as memory:
        if next_step == "the same again":
            with pytest.raises(NotFoundError):
                memory.forget(user_id="ana", everything=True)
        elif next_step == "another erasure":
            memory.forget(user_id="leo", session_id="s")
        elif next_step == "reset":
            memory.reset()
            kept = ""
        else:
            assert len(memory.admin.clean()) == 1
        assert _marks(config) == kept
        assert memory.verify().ok
