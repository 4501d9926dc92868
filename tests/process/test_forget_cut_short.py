"""A `forget` that was killed after its rows went: saying it again finishes it, and says so."""

from pathlib import Path
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.errors import NotFoundError
from affidavit.privacy.clean import Cleaner

CANARY = "a canary that is long enough to be looked for"


class _KilledError(BaseException):
    """Stands for a kill."""


@pytest.mark.parametrize("what", [{"everything": True}, {"session_id": "s"}, {"source_id": "mail 7"}])
def test_saying_it_again_finishes_it(
    config: Config, monkeypatch: pytest.MonkeyPatch, what: dict[str, Any]
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
    left = [path for path in Path(config.database).parent.iterdir() if CANARY.encode() in path.read_bytes()]
    assert left == []
    receipt = memory.admin.clean()[0]
    assert receipt.episodes == 1
    assert receipt.physical_at is not None
    with pytest.raises(NotFoundError, match="memory list"):
        memory.forget(user_id="priya", **what)
    memory.close()
