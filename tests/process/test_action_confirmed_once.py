"""Of many processes that use one confirmation exactly one is allowed."""

from collections.abc import Callable
from typing import Any

from affidavit import Config, Memory


def test_eight_processes_with_one_confirmation(config: Config, start: Callable[..., Any]) -> None:
    args, tools = {"to": "Ben"}, {"pay": {"to": "recipient"}}
    with Memory(config=config, tools=tools) as memory:
        asked = memory.check_action("pay", args, user_id="ana")
    workers = [
        start(mode="act", user="ana", tool="pay", args=args, tools=tools, confirmation=asked.confirmation)
        for _ in range(8)
    ]
    for worker in workers:
        worker.expect("ready")
    for worker in workers:
        worker.go()
    told = [worker.expect("decided") for worker in workers]
    for worker in workers:
        worker.rest()
        assert worker.process.wait() == 0, worker.errors()
    assert sorted(one["outcome"] for one in told) == ["allow"] + ["ask"] * 7
    assert sorted("confirmation_used" in one["codes"] for one in told) == [False] + [True] * 7
    with Memory(config=config) as memory:
        assert memory.admin.inspect().rows["decision"] == 9
        assert not memory.verify().problems
