"""`affidavit sources`: what came together under one source id, and taking back all that rests on it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import sources as group
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.write.sources import Revocation, SourceInfo


@verb(group, "list", example="affidavit sources list --user priya")
def list_(call: Call) -> None:
    """List the sources, with how much came of each and how far that may be relied on."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        found = memory.sources.list(**ids)
    call.give({"sources": [one.to_dict() for one in found]}, lambda: _sources(found))


@verb(group, "revoke", example="affidavit sources revoke forum-dump --user priya")
def revoke(
    call: Call,
    *,
    source_id: Annotated[
        str, typer.Argument(metavar="ID", help="The source id, as `sources list` shows it.")
    ],
) -> None:
    """Let nothing count any more that came from a source, now or later. The episodes stay, in quarantine."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        done = memory.sources.revoke(source_id, **ids)
    call.give(done.to_dict(), lambda: _revoked(done))


def _sources(found: "tuple[SourceInfo, ...]") -> Iterator[str]:
    if not found:
        yield "nothing came with a source id"
    for one in found:
        names = ", ".join(show.name(name) for name in one.names)
        state = "revoked" if one.revoked else str(one.authority or "empty")
        kept = f"{show.count(one.episodes, 'episode')}, {show.count(one.memories, 'memory', 'memories')}"
        yield f"{show.name(one.source_id)}  {names}  {state} · {kept}"


def _revoked(done: "Revocation") -> Iterator[str]:
    again = " (it was so before)" if done.repeated else ""
    yield f"revoked {show.name(done.source_id)}: {show.count(done.episodes, 'episode')}{again}"
    for name in ("invalidated", "weakened", "reopened"):
        for one in getattr(done, name):
            yield f"  {name}: {one}"
