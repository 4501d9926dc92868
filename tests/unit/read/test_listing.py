"""Pages of `list`."""

from affidavit import Memory


def test_pages_walk_through_everything_both_ways(memory: Memory) -> None:
    memory.add(
        [{"role": "user", "content": f"message {n}"} for n in range(25)], user_id="ana", session_id="s"
    )
    for newest in (False, True):
        seen: list[str] = []
        after: int | None = None
        while True:
            page = memory.list(user_id="ana", session_id=" s ", limit=10, after=after, newest=newest)
            assert page.total == 25
            seen += [item.text for item in page]
            after = page.next
            if after is None:
                break
        expected = [f"message {n}" for n in range(25)]
        assert seen == (expected[::-1] if newest else expected)
