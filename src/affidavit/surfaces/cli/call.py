"""How a command was called: what every verb takes, and how every verb answers."""

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from affidavit.core.addresses import is_address, is_postgresql
from affidavit.core.limits import check_optional_id
from affidavit.errors import ConfigError, IdError, InputError, NotFoundError, StoreUnreadableError
from affidavit.surfaces.cli import show

if TYPE_CHECKING:
    from affidavit.config import Config
    from affidavit.memory import Memory

WHO = "say whose memory it is: --user ID (or --team ID, --agent ID), AFFIDAVIT_USER, or `affidavit init --user ID`"


class Ids(TypedDict):
    """Whose memory it is, as the verbs of `Memory` take it."""

    user_id: str | None
    agent_id: str | None
    team_id: str | None


class StoppedError(Exception):
    """Somebody pressed Ctrl-C; the text says what is so now. The parser would end without a word."""


class Output(StrEnum):
    """What stdout holds."""

    JSON = "json"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The options that every verb takes."""

    db: str | None
    user: str | None
    agent: str | None
    team: str | None
    output: Output | None
    debug: bool
    llm: str | None = None
    """The language model, where a command takes one."""

    @property
    def is_json(self) -> bool:
        """Whether stdout holds JSON: as said, else wherever it is no terminal."""
        return not sys.stdout.isatty() if self.output is None else self.output is Output.JSON

    def config(self) -> "Config":
        """The settings in force, with the store that `--db` names and the model that `--llm` does."""
        from affidavit.config import Config

        config = Config.load(db=self.db, llm=self.llm)
        if is_address(config.database) and not is_postgresql(config.database):
            raise ConfigError(
                f"the store {config.place!r} is neither a file nor a database",
                hint="give the path of a file, or an address postgresql://…",
            )
        return config

    def ids(self, config: "Config") -> Ids:
        """Whose memory it is: what the call says, else the user of the settings. Raises `IdError` for nobody."""
        check_ids({"--user": self.user, "--agent": self.agent, "--team": self.team})
        if (self.user, self.agent, self.team) != (None, None, None):
            return {"user_id": self.user, "agent_id": self.agent, "team_id": self.team}
        if config.user is None:
            raise IdError("nobody is named", hint=WHO)
        return {"user_id": config.user, "agent_id": None, "team_id": None}

    @contextmanager
    def memory(self, config: "Config", *, make: bool = False) -> "Iterator[Memory]":
        """The open store. Without `make` there must be one: a wrong path is not an empty memory."""
        if not make:
            must_exist(config)
        from affidavit.memory import Memory

        with Memory(config=config) as memory:
            yield memory

    def give(self, result: Mapping[str, Any], text: Callable[[], Iterable[str]]) -> None:
        """The result on stdout: one JSON object, or lines for people."""
        if self.is_json:
            lines: Iterable[str] = [as_json(result)]
        else:
            lines = text()
        for line in lines:
            for piece in [line] if self.is_json else show.fitted(line):
                sys.stdout.write(f"{piece}\n")
        sys.stdout.flush()

    def say(self, text: str) -> None:
        """Something for people, on stderr."""
        say(text)

    def confirm(
        self,
        question: str,
        *,
        without: str = "--yes goes on without asking",
        unchanged: str = "nothing was changed",
    ) -> None:
        """Go on only if a person at a terminal says so.

        Raises `InputError` where there is none, who says no, or ends the input; then `unchanged` is what is so.
        """
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise InputError("nobody is here to be asked", hint=without)
        try:
            said = typer.confirm(question, err=True)
        except typer.Abort as abort:
            say("")
            if isinstance(abort.__context__, KeyboardInterrupt):
                raise KeyboardInterrupt(unchanged) from None
            raise InputError("the question was not answered", hint=unchanged) from None
        if not said:
            raise InputError("it was not confirmed", hint=unchanged)


def exists(config: "Config") -> bool:
    """Whether there is a store, in whatever state. Raises `StorePlaceError` where none can be, or be reached."""
    if is_address(config.database):
        from affidavit.rooms import is_begun

        return is_begun(config.database)
    from affidavit.store.place import find_store

    return find_store(config.database) is not None


def must_exist(config: "Config") -> None:
    """Raise `NotFoundError` where no store is, `StorePlaceError` where none can be, or be reached.

    `StoreUnreadableError` where an emptied file is.

    Opening either would begin a new store there, and that one would verify.
    """
    there = exists(config)
    if is_address(config.database):
        if not there:
            raise NotFoundError(
                f"there is no store in {config.place}",
                hint="`affidavit init` or `affidavit add` makes one; --db ADDRESS names another",
            )
        return
    path = Path(config.database)
    if not there:
        if path.is_symlink():
            raise NotFoundError(
                f"there is no store at {os.path.realpath(path)}, to which {path} is a link",
                hint="make or mount what it leads to; --db PATH names another",
            )
        raise NotFoundError(
            f"there is no store at {path}",
            hint="`affidavit init` or `affidavit add` makes one; --db PATH names another",
        )
    if not any(part.exists() and part.stat().st_size for part in (path, Path(f"{path}-wal"))):
        raise StoreUnreadableError(f"{path} is an empty file", hint="put a backup in its place, or remove it")


def check_ids(ids: Mapping[str, str | None]) -> None:
    """Raise `IdError` for an id that can't be one, naming its option."""
    for option, value in ids.items():
        check_optional_id(value, option)


def exactly_one(what: Mapping[str, object], *, none: str, hint: str) -> None:
    """Raise `InputError` unless one thing is given of those that this command takes, by their spelling."""
    given = [name for name, value in what.items() if value is not None and value is not False]
    if len(given) != 1:
        raise InputError(f"{' and '.join(given)} at once" if given else none, hint=hint)


def as_json(value: Mapping[str, Any]) -> str:
    """One line of JSON, characters as they are."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def say(text: str) -> None:
    """Something for people, on stderr."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


_COMMON: tuple[tuple[str, Any, Any], ...] = (
    ("db", None, Annotated[str | None, typer.Option("--db", metavar="PATH", help="The store: a file, or postgresql://….")]),
    ("user", None, Annotated[str | None, typer.Option("--user", metavar="ID", help="Whose memory it is.")]),
    ("agent", None, Annotated[
        str | None, typer.Option("--agent", metavar="ID", help="The agent that acts; alone: its own memory.")]),
    ("team", None, Annotated[
        str | None, typer.Option("--team", metavar="ID", help="The team whose memory it is.")]),
    ("output", None, Annotated[
        Output | None,
        typer.Option("-o", "--output", metavar="json|text",
                     help="What stdout holds; without it text on a terminal, else json.")]),
    ("debug", False, Annotated[
        bool, typer.Option("--debug", help="Show where in the program an error was raised.")]),
)  # fmt: skip


def _function(name: str, doc: str | None, run: Callable[..., Any], own: Iterable[inspect.Parameter]) -> Any:
    """A function for the parser: it reads off the signature which options there are."""

    def command(**given: Any) -> Any:
        try:
            return run(**given)
        except KeyboardInterrupt as stop:
            raise StoppedError(str(stop)) from None

    own = list(own)
    for parameter in own:
        for said in getattr(parameter.annotation, "__metadata__", ()):
            said.readable = (
                False  # whoever opens a file says why it can't be read; the parser only that it can't
            )
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter("ctx", keyword, annotation=typer.Context),
        *(parameter.replace(kind=keyword) for parameter in own),
        *(
            inspect.Parameter(option, keyword, default=default, annotation=said)
            for option, default, said in _COMMON
        ),
    ]
    command.__name__, command.__doc__ = name, doc
    vars(command)["__signature__"] = inspect.Signature(parameters)
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def _take(ctx: typer.Context, given: dict[str, Any]) -> dict[str, Any]:
    """What every command takes, out of what was given; what stands nearer to the command's end counts."""
    said = {option: given.pop(option) for option, _, _ in _COMMON}
    before: Mapping[str, Any] = ctx.obj or {}
    return {
        option: before.get(option, default) if said[option] == default else said[option]
        for option, default, _ in _COMMON
    }


def takes_common(**more: Any) -> Any:
    """A callback for the first page or a group: what every command takes may stand before the command, too."""

    def run(ctx: typer.Context, **given: Any) -> None:
        ctx.obj = _take(ctx, given)

    own = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in more.items()
    ]
    return _function("before_the_command", None, run, own)


_LLM = inspect.Parameter("llm", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[
    str | None,
    typer.Option("--llm", metavar="NAME", help="The language model, such as ollama:qwen3; none: none."),
])  # fmt: skip


def verb(
    app: typer.Typer, name: str, *, example: str, model: bool = False
) -> Callable[[Callable[..., int | None]], Callable[..., int | None]]:
    """Register a function as a command. It gets a `Call` first, then its own options; it returns the exit code.

    `model`: a language model may take part, and `--llm` names one.
    """

    def register(function: Callable[..., int | None]) -> Callable[..., int | None]:
        def run(ctx: typer.Context, **given: Any) -> int | None:
            common = _take(ctx, given)
            if model:
                common["llm"] = given.pop("llm")
            return function(Call(**common), **given)

        own = [*list(inspect.signature(function).parameters.values())[1:], *([_LLM] if model else [])]
        examples = "\n".join(f"  {one}" for one in example.splitlines())
        command = _function(function.__name__, function.__doc__, run, own)
        app.command(name, epilog=f"\b\nExample:\n{examples}")(command)
        return function

    return register
