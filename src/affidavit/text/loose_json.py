"""JSON as language models write it: behind reasoning, in prose or in fences. Pure."""

import json
import re
from typing import Any, Final

_REASONING: Final = "think|thinking|thought|reasoning|reflection|scratchpad"
_THOUGHT: Final = re.compile(rf"<({_REASONING})\s*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_LEFT_OPEN: Final = re.compile(rf"\A.*</?(?:{_REASONING})\s*>", re.IGNORECASE | re.DOTALL)
_TRAILING: Final = re.compile(r",(\s*[\]}])")


def object_in(text: str) -> dict[str, Any] | None:
    """The first JSON object that a reply holds outside its reasoning; None if there is none.

    >>> object_in('<think>{"ids": [9]}</think>Sure: ```json {"ids": [1, 2,]} ```')
    {'ids': [1, 2]}
    """
    said = _LEFT_OPEN.sub("", _THOUGHT.sub("", text))
    for candidate in (said, _TRAILING.sub(r"\1", said)):
        start = candidate.find("{")
        while start >= 0:
            try:
                found, _ = json.JSONDecoder(strict=False).raw_decode(candidate, start)
            except (ValueError, RecursionError):
                start = candidate.find("{", start + 1)
                continue
            if isinstance(found, dict):
                return found
            start = candidate.find("{", start + 1)
    return None
