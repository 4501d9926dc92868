"""`affidavit init`: make the store and its key, and say what was chosen."""

from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, exists, verb
from affidavit.surfaces.cli.state import embedder_state

_EXAMPLE = """\
affidavit init --user priya
affidavit init --db project.db"""


@verb(app, "init", example=_EXAMPLE)
def init(call: Call) -> None:
    """Make the store and its signing key.

    With --user, that user becomes the default. Nothing needs it: the first `add` makes both as well.
    """
    config = call.config()
    was_there = exists(config)
    saved = None
    with call.memory(config, make=True) as memory:
        store_id, key_folder = memory._rooms.store.store_id, memory._rooms.keys.folder
    if call.user is not None:
        from affidavit.config import FILE_NAME, save_user_setting

        save_user_setting(config.home, "user", call.user)
        saved = str(config.home / FILE_NAME)
    result = {
        "store": config.place,
        "made": not was_there,
        "store_id": store_id,
        "key_folder": str(key_folder),
        "keys_apart": config.key_dir_is_apart(),
        "embedder": embedder_state(config),
        "user": call.user or config.user,
        "user_saved_in": saved,
    }
    call.give(result, lambda: _lines(result))


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"store: {show.line(result['store'])} ({'made now' if result['made'] else 'it was there already'})"
    yield f"key:   {show.line(result['key_folder'])}"
    if result["keys_apart"]:
        yield "       apart from the store: whoever can write the store still can't sign for it"
    else:
        yield "       inside the store's folder: whoever copies that folder can sign; set AFFIDAVIT_KEY_DIR"
    found = result["embedder"]
    yield f"search: {'by words and by meaning' if found['name'] else 'by words'} ({show.line(found['why'])})"
    if result["user_saved_in"]:
        yield f"user:  {show.name(result['user'])}, kept in {show.line(result['user_saved_in'])}"
    elif result["user"]:
        yield f"user:  {show.name(result['user'])}, from the settings"
    else:
        yield "user:  none by default; give --user ID with each command, or `affidavit init --user ID`"
    yield 'next:  affidavit add "something worth remembering"'
