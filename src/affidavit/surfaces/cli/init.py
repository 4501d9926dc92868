"""`affidavit init`: make the store and its key, and say what was chosen."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affidavit.errors import ConfigError
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, exists, verb
from affidavit.surfaces.cli.state import embedder_state

if TYPE_CHECKING:
    from affidavit.config import Config

_EXAMPLE = """\
affidavit init --user priya
affidavit init --db project.db
affidavit init --llm ollama:qwen3"""


@verb(app, "init", example=_EXAMPLE)
def init(
    call: Call,
    *,
    llm: Annotated[
        str | None,
        typer.Option(
            "--llm",
            metavar="NAME",
            help="From now on use this language model, such as ollama:qwen3; auto: the one it would choose; none.",
        ),
    ] = None,
) -> None:
    """Make the store and its signing key; look which models there are.

    With --user, that user becomes the default; with --llm, that language model. Nothing needs either: the first
    `add` makes store and key as well, and without a model none is asked.
    """
    config = call.config()
    models = _models(config, llm)
    was_there = exists(config)
    with call.memory(config, make=True) as memory:
        store_id, key_folder = memory._rooms.store.store_id, memory._rooms.keys.folder
    _save(config, {"user": call.user, "llm": models["saved"]})
    result = {
        "store": config.place,
        "made": not was_there,
        "store_id": store_id,
        "key_folder": str(key_folder),
        "keys_apart": config.key_dir_is_apart(),
        "embedder": embedder_state(config),
        "models": models,
        "user": call.user or config.user,
        "user_saved_in": None if call.user is None else _file(config),
    }
    call.give(result, lambda: _lines(result))


def _models(config: "Config", asked: str | None) -> dict[str, Any]:
    """What there is, what would be chosen and why, and what is to be used from now on. Raises `ConfigError`."""
    from affidavit.providers.nearby import choose, look_around

    found = look_around()
    chosen, why = choose(found)
    if asked == "auto" and chosen is None:
        raise ConfigError(why, hint="start a server, or set a key; docs/models.md lists which")
    saved = chosen if asked == "auto" else asked
    if saved is not None:
        _check(config, saved)
    return {
        "found": [
            {"provider": one.provider, "where": one.where, "models": list(one.models), "needs": one.needs}
            for one in found
        ],
        "would_choose": chosen,
        "why": why,
        "in_use": (None if saved == "none" else saved) if saved else config.llm,
        "saved": saved,
    }


def _check(config: "Config", name: str) -> None:
    """Raise `ConfigError` for a name that means nothing, or that no address is known for, before anything is made."""
    from affidavit.config import Config
    from affidavit.providers.finding import language_model

    if Config.load(llm=name).llm is not None:
        language_model(name, url=config.llm_url)


def _save(config: "Config", settings: Mapping[str, str | None]) -> None:
    from affidavit.config import save_user_setting

    for name, value in settings.items():
        if value is not None:
            save_user_setting(config.home, name, value)


def _file(config: "Config") -> str:
    from affidavit.config import FILE_NAME

    return str(config.home / FILE_NAME)


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"store: {show.line(result['store'])} ({'made now' if result['made'] else 'it was there already'})"
    yield f"key:   {show.line(result['key_folder'])}"
    if result["keys_apart"]:
        yield "       apart from the store: whoever can write the store still can't sign for it"
    else:
        yield "       inside the store's folder: whoever copies that folder can sign; set AFFIDAVIT_KEY_DIR"
    found = result["embedder"]
    yield f"search: {'by words and by meaning' if found['name'] else 'by words'} ({show.line(found['why'])})"
    yield from _model_lines(result["models"])
    if result["user_saved_in"]:
        yield f"user:  {show.name(result['user'])}, kept in {show.line(result['user_saved_in'])}"
    elif result["user"]:
        yield f"user:  {show.name(result['user'])}, from the settings"
    else:
        yield "user:  none by default; give --user ID with each command, or `affidavit init --user ID`"
    yield 'next:  affidavit add "something worth remembering"'


def _model_lines(models: Mapping[str, Any]) -> Iterator[str]:
    if models["saved"]:
        yield f"model: {show.line(models['saved'])}, from now on (`affidavit doctor` asks it once)"
    elif models["in_use"]:
        yield f"model: {show.line(models['in_use'])}, from the settings"
    else:
        yield "model: none; nothing is asked of one"
    for one in models["found"]:
        named = ", ".join(show.line(name) for name in one["models"][:5]) or "no models"
        missing = f"; needs pip install 'affidavit[{one['needs']}]'" if one["needs"] else ""
        yield f"       found {one['provider']} ({show.line(one['where'])}): {named}{missing}"
    if models["would_choose"] and not models["in_use"]:
        yield f"       to use one: affidavit init --llm {show.line(models['would_choose'])} ({models['why']})"
