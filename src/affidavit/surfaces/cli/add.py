"""`affidavit add`: keep a message or a document."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affidavit.core.system_errors import told
from affidavit.errors import FileFormatError, InputError, MessageError
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, check_ids, exactly_one, verb

if TYPE_CHECKING:
    from affidavit.core.values import Episode
    from affidavit.core.when import When
    from affidavit.read.results import Hit, Item
    from affidavit.write.results import AddResult

_REMEMBERED = {
    "added": ("remembered", "would remember"),
    "updated": ("new version", "would be a new version"),
    "supported": ("said again", "would be said again"),
    "retracted": ("holds no more", "would hold no more"),
    "closed": ("closed", "would close"),
}
_FRACTION = re.compile(r"(?<=:\d\d)\.\d+")
_EXAMPLE = """\
affidavit add "My sister Ana moved to Porto" --user priya --at 2026-03-10 --session tuesday
affidavit add - --role tool --source shell < output.txt
affidavit add --document handbook.md --source handbook"""


@verb(app, "add", example=_EXAMPLE, model=True)
def add(
    call: Call,
    *,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What was said; - reads it from stdin.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="PATH", help="A file that holds the message.")
    ] = None,
    document: Annotated[
        Path | None,
        typer.Option(
            "--document", metavar="PATH", help="A document (text, Markdown, HTML, PDF): kept in chunks."
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="DATE", help="When it happened; without it: now.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="The conversation it belongs to.")
    ] = None,
    role: Annotated[
        str,
        typer.Option("--role", metavar="ROLE", help="user, assistant, system, tool, document or mail."),
    ] = "user",
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Who said it, by name.")] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="NAME", help="Where it came from: an app, inbox, tool.")
    ] = None,
    source_id: Annotated[
        str | None,
        typer.Option("--source-id", metavar="ID", help="Groups what came together and is erased together."),
    ] = None,
    author: Annotated[
        str | None,
        typer.Option("--author", metavar="PARTY", help="user, system or third_party; can only lower trust."),
    ] = None,
    derived_from: Annotated[
        str | None,
        typer.Option("--derived-from", metavar="PARTY", help="Who influenced it; can only lower trust."),
    ] = None,
    event_type: Annotated[
        str | None, typer.Option("--event-type", metavar="NAME", help="What kind of event it was.")
    ] = None,
    metadata: Annotated[
        str | None, typer.Option("--metadata", metavar="JSON", help="An object to keep with it.")
    ] = None,
    resource: Annotated[
        list[str] | None,
        typer.Option("--resource", metavar="NAME", help="What it is about or touched; may be repeated."),
    ] = None,
    no_infer: Annotated[
        bool, typer.Option("--no-infer", help="Keep it as evidence only: nothing is derived from it.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Show what would be kept, remembered, refused and closed; write nothing."
        ),
    ] = False,
    idempotency_key: Annotated[
        str | None,
        typer.Option("--idempotency-key", metavar="KEY", help="The same key again adds nothing twice."),
    ] = None,
) -> None:
    """Keep a message or a document as evidence.

    It is kept with its source, its time and a commitment to it; a document in chunks along its structure.
    Secrets are masked before anything is stored.
    """
    what = {"TEXT": text, "--file": file, "--document": document}
    exactly_one(what, none="there is nothing to add", hint="give TEXT (- reads stdin), --file or --document")
    check_ids({"--session": session, "--source-id": source_id, "--idempotency-key": idempotency_key})
    config = call.config()
    ids = call.ids(config)
    message: Any = None if document is not None else _message(text, file, role, name)
    with call.memory(config, make=not dry_run) as memory:
        result = memory.add(
            message,
            document=document,
            session_id=session,
            role=role if document is None else "document",
            author=author,
            derived_from=derived_from,
            occurred_at=at,
            event_type=event_type,
            source=source,
            source_id=source_id,
            resources=resource or (),
            metadata=json_option(metadata, "--metadata"),
            infer=not no_infer,
            dry_run=dry_run,
            idempotency_key=idempotency_key,
            **ids,
        )
    call.give(result.to_dict(), lambda: _lines(result))
    for problem in result.problems:
        call.say(f"note: {show.line(problem)}")


def json_option(text: str | None, option: str) -> Any:
    """An option's JSON value. Raises `InputError` where it is none."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(
            f"{option} is not JSON: {error}", hint="quote it for the shell, like '{\"a\": 1}'"
        ) from None
    except RecursionError:
        raise InputError(f"{option} is nested too deeply", hint="flatten it") from None


def _message(text: str | None, file: Path | None, role: str, name: str | None) -> Any:
    if file is not None:
        said = _read(file)
    elif text == "-":
        said = _decoded(_at_most(sys.stdin.buffer.read), "stdin")
    else:
        said = text or ""
        if any("\ud800" <= character <= "\udfff" for character in said):
            raise MessageError("the text holds bytes that are not UTF-8", hint="give it as UTF-8")
    return said if name is None else {"role": role, "content": said, "name": name}


def _read(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return _decoded(_at_most(stream.read), str(file))
    except OSError as error:
        raise told(error, FileFormatError, f"{file} can't be read") from None


def _at_most(read: Any) -> bytes:
    """Not more than is needed to see that it is too much: the recorder refuses it with the limit's name."""
    from affidavit.core.limits import MESSAGE_BYTES

    return bytes(read(MESSAGE_BYTES + 4))


def _decoded(raw: bytes, where: str) -> str:
    from affidavit.core.limits import MESSAGE_BYTES, check_size

    check_size(
        len(raw), MESSAGE_BYTES, "a message", "give long texts with --document, which keeps them in chunks"
    )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(f"{where} is not UTF-8 text", hint="convert it to UTF-8 first") from None


def _lines(result: "AddResult") -> Iterator[str]:
    done = "would keep" if result.dry_run else "kept"
    for episode in result.episodes:
        yield f"{done} {episode.id}  {label(episode)}"
    for episode in result.repeated:
        yield f"was there already {episode.id}  {label(episode)}"
    for name, words in _REMEMBERED.items():
        for one in getattr(result, name):
            if name == "closed" and one in result.retracted:
                continue
            told = words[result.dry_run]
            yield f"{told} {one.id}@{one.version}  {one.kind} · {one.authority} · {one.status}"
            yield from show.block(one.text)
    if result.dry_run and result.conflicts:
        yield f"would be in conflict: {show.count(len(result.conflicts), 'pair')}"
    for conflict in () if result.dry_run else result.conflicts:
        yield f"in conflict: {conflict} (affidavit conflicts list)"
    not_remembered = "would not be remembered" if result.dry_run else "not remembered"
    for refused in result.rejected:
        yield f"{not_remembered} ({refused.check}: {refused.code}): {show.line(refused.hint)}"
    for choice in result.overruled:
        yield f"a model's choice was refused ({choice.code}): {show.line(choice.hint)}"
    if result.masked:
        yield f"masked before storing: {show.count(result.masked, 'secret')}"


def moment(when: "When") -> str:
    """A time for people, to the second; times without an offset are UTC."""
    text = _FRACTION.sub("", when.local_text())
    return f"{text} UTC" if when.offset is None and when.is_known and ":" in text else text


def heading(item: "Hit | Item") -> str:
    """What an item is, in words of ours: of an episode its `label`, of a memory its kind and how it stands."""
    memory = item.memory
    if memory is None:
        assert item.episode is not None
        return label(item.episode)
    parts = [
        str(memory.kind),
        str(memory.authority),
        str(memory.holds),
        moment(memory.occurred or memory.valid),
    ]
    if memory.claimant:
        parts.insert(1, f"of {show.name(memory.claimant)}")
    if memory.stale:
        parts.append("possibly stale")
    if memory.why is not None:
        parts.append(str(memory.why))
    return " · ".join(show.line(part) for part in parts)


def label(episode: "Episode") -> str:
    """Who said it, when, and how far it may be relied on: in words of ours, foreign names in quotes."""
    said = episode.source
    parts = [moment(episode.occurred), str(said.role), str(episode.authority)]
    if said.speaker:
        parts.insert(1, show.name(said.speaker))
    if said.name:
        parts.append(f"from {show.name(said.name)}")
    if episode.session_id:
        parts.append(f"session {show.name(episode.session_id)}")
    if episode.status != "active":
        parts.append(str(episode.status))
    return " · ".join(show.line(part) for part in parts)
