"""Measured rows, and how they are printed."""

import json
import os
import platform
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured value. `bar` is what design asks for, `fits` whether it was met, `repeat` the command."""

    what: str
    value: float
    unit: str
    bar: str = ""
    fits: bool | None = None
    repeat: str = ""
    note: str = ""


def at_most(what: str, value: float, unit: str, most: float, **more: Any) -> Row:
    """A row that should not exceed `most`."""
    return Row(what=what, value=value, unit=unit, bar=f"≤ {most:g}", fits=value <= most, **more)


def at_least(what: str, value: float, unit: str, least: float, **more: Any) -> Row:
    """A row that should reach `least`."""
    return Row(what=what, value=value, unit=unit, bar=f"≥ {least:,g}", fits=value >= least, **more)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of all do not exceed."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def seconds(act: Callable[[], object]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def both(act: Callable[[], object]) -> tuple[float, float]:
    """Seconds it takes by the clock, and of processor time: the second hardly depends on who else is at work."""
    start, used = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - start, time.process_time() - used


def median(values: Iterable[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def machine() -> dict[str, Any]:
    """What a reader must know about where it ran."""
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def markdown(rows: Sequence[Row]) -> str:
    """A Markdown table."""
    lines = ["| what | measured | bar | met | repeat with |", "|---|---:|---:|---|---|"]
    for row in rows:
        met = "" if row.fits is None else ("yes" if row.fits else "**no**")
        what = f"{row.what} ({row.note})" if row.note else row.what
        repeat = f"`{row.repeat}`" if row.repeat else ""
        lines.append(f"| {what} | {number(row.value)} {row.unit} | {row.bar} | {met} | {repeat} |")
    return "\n".join(lines)


def number(value: float) -> str:
    """Three digits that count, with separators."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def report(rows: Sequence[Row], to: str | None) -> None:
    """The table on stdout; all of it as JSON in the file `to`."""
    print(markdown(rows), flush=True)
    if to:
        content = {"machine": machine(), "rows": [asdict(row) for row in rows]}
        Path(to).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def say(text: str) -> None:
    """Progress, apart from the results."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)
