"""What is installed and chosen here, for `init` and `doctor`."""

from typing import TYPE_CHECKING

from affidavit.errors import AffidavitError

if TYPE_CHECKING:
    from affidavit.config import Config

_INSTALL = "pip install 'affidavit[embed]' adds meaning"


def embedder_state(config: "Config") -> dict[str, str | bool | None]:
    """The embedder that this configuration uses (`name`, None for none), and why; `ok` False: it can't work."""
    if config.embedder == "none":
        return {"name": None, "ok": True, "why": f"embedder is none ({config.origins['embedder']})"}
    if ":" in config.embedder:
        return {
            "name": config.embedder,
            "ok": True,
            "why": f"embedder is {config.embedder} ({config.origins['embedder']})",
        }
    from affidavit.providers.embedder import find_embedder

    try:
        found = find_embedder()
    except AffidavitError as error:
        return {"name": None, "ok": False, "why": str(error)}
    if found is not None:
        return {"name": found.name, "ok": True, "why": f"{found.name} is installed"}
    if config.embedder != "auto":
        return {
            "name": None,
            "ok": False,
            "why": f"embedder is {config.embedder}, which is not installed; {_INSTALL}",
        }
    return {"name": None, "ok": True, "why": f"no embedder is installed; {_INSTALL}"}
