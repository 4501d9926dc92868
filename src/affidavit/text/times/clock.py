"""A time of day behind a day: "at 5pm", "a las 17:30", 下午三点. Alone it says no date, so it is read only there."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from affidavit.text.view import folded

_LONGEST: Final = 40


class Clock:
    """One language's times of day, from the `[date.clock]` part of its table.

    `before` and `after`: words for a half of the day and the hours they add; `mark`: between hour and minute; `half`:
    half past; `at`: words that may stand before.
    """

    def __init__(
        self, raw: Mapping[str, Any], number: Callable[[str], int | None], digits: str, *, spaced: bool
    ) -> None:
        self._number = number
        self._halves = {
            folded(word): add for key in ("before", "after") for word, add in raw.get(key, {}).items()
        }
        at, before, after, marks = (_any(raw.get(key, ())) for key in ("at", "before", "after", "mark"))
        half = _any(raw.get("half", ()))
        whole = r"(?![\w:])" if spaced else r"(?![\d:])"
        self._form = re.compile(
            rf"\s*+,?\s*+(?P<at>{at}(?!\w)\s*+|{at}(?=\d))?(?P<before>{before})?\s*+(?P<hour>{digits})"
            rf"(?P<mark>{marks}(?:(?P<minute>\d\d)|(?P<half>{half}))?)?\s?(?P<after>{after})?{whole}"
        )

    def read(self, text: str, start: int, end: int) -> tuple[tuple[int, int | None] | None, int]:
        """Hour and minute that stand at `start`, and where they end; None and `start` if no time of day is there."""
        found = self._form.match(text, start, min(end, start + _LONGEST))
        if found is None:
            return None, start
        hour = self._number(found["hour"].strip())
        said = found["before"] or found["after"]
        if hour is None or hour > 24 or not (said or found["at"] or found["minute"]):
            return None, start
        minute = int(found["minute"]) if found["minute"] else 30 if found["half"] else None
        if minute is not None and minute > 59:
            return None, start
        add = self._halves.get(said.strip()) if said else None
        if add is None:
            # "At 5" may be morning or evening: then the day is all that is known.
            sure = minute is not None and (hour > 12 or found["hour"][0] == "0")
            return ((hour, minute) if sure and hour < 24 else None), found.end()
        hour = hour % 12 + add if hour <= 12 else hour
        return ((hour, minute) if hour < 24 else None), found.end()


def _any(words: Any) -> str:
    """Any of some words; never matches if there are none."""
    return (
        f"(?:{'|'.join(sorted((re.escape(folded(word)) for word in words), key=len, reverse=True))})"
        if words
        else "(?!)"
    )
