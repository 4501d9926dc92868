"""The whole command tree: importing the modules registers their commands."""

from types import ModuleType

from affidavit.surfaces.cli import (
    action,
    acts,
    add,
    admin,
    ask,
    demo,
    doctor,
    forget,
    history,
    imports,
    init,
    items,
    keys,
    recall,
    rejections,
    search,
    sources,
    verify,
)
from affidavit.surfaces.cli.apps import app

__all__ = ["COMMANDS", "app"]

COMMANDS: tuple[ModuleType, ...] = (
    init, add, imports, search, recall, ask, history, action, verify, forget, doctor, demo, items, rejections, acts,
    sources, admin, keys,
)  # fmt: skip
"""The modules that hold commands."""

_FIRST_PAGE = (
    "init", "add", "import", "search", "recall", "ask", "history", "why", "check-action", "verify", "forget",
    "doctor", "demo", "rejections",
)  # fmt: skip
app.registered_commands.sort(key=lambda command: _FIRST_PAGE.index(str(command.name)))
