"""What the readers of export files share: conversations one by one, and their damage."""

from collections.abc import Callable

from affidavit.surfaces.importers.items import (
    Imported,
    ImportItem,
    ImportProblem,
    describe,
    holds_escaped_bytes,
    stable_key,
)
from affidavit.surfaces.importers.json_array import Break, Element, read_elements
from affidavit.surfaces.importers.pieces import Stream

Convert = Callable[[dict[str, object], str], Imported]


def read_conversations(stream: Stream, convert: Convert) -> Imported:
    """Every conversation of the file through `convert(conversation, place)`, problems in between."""
    for element in read_elements(stream):
        place = f"conversation {element.index}"
        if isinstance(element, Break):
            place = f"from {place} on" if element.final else place
            yield ImportProblem(place=place, reason=element.reason)
        elif not isinstance(element.value, dict):
            reason = f"an object was expected, this is {describe(element.value)}"
            yield ImportProblem(place=place, reason=reason)
        else:
            yield from _sound(element, convert(element.value, place))


def _sound(element: Element, converted: Imported) -> Imported:
    """Refuses the items that hold bytes which are not UTF-8, and keeps keys apart in one conversation."""
    seen: set[str] = set()
    for one in converted:
        if isinstance(one, ImportProblem):
            yield one
        elif element.damaged and holds_escaped_bytes(one.message):
            yield ImportProblem(place=one.line_or_path, reason="holds bytes that are not UTF-8")
        elif one.key in seen:
            again = stable_key(one.key.partition(":")[0], one.key, one.line_or_path)
            yield ImportItem(line_or_path=one.line_or_path, message=one.message, key=again)
        else:
            seen.add(one.key)
            yield one
