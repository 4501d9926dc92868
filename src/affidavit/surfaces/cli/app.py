"""The whole command tree: importing the modules registers their commands."""

from types import ModuleType

from affidavit.surfaces.cli import (
    add,
    admin,
    ask,
    demo,
    doctor,
    forget,
    imports,
    init,
    items,
    keys,
    search,
    verify,
)
from affidavit.surfaces.cli.apps import app

__all__ = ["COMMANDS", "app"]

COMMANDS: tuple[ModuleType, ...] = (
    init, add, imports, search, ask, verify, forget, doctor, demo, items, admin, keys,
)  # fmt: skip
"""The modules that hold commands."""

_FIRST_PAGE = ("init", "add", "import", "search", "ask", "verify", "forget", "doctor", "demo")
app.registered_commands.sort(key=lambda command: _FIRST_PAGE.index(str(command.name)))
