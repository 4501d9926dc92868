"""Receipts of erasures: whether a trusted key signed what one says."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from affidavit.errors import FileFormatError
from affidavit.surfaces.cli.call import Call

if TYPE_CHECKING:
    from affidavit.config import Config
    from affidavit.proof.statements import Stated

_KIND = "receipt erasure"


def check_receipt(call: Call, config: "Config", receipt: Mapping[str, Any]) -> dict[str, Any]:
    """Each space's part of a receipt: what its signed lines say, or why they can't be believed.

    Raises `FileFormatError` for a file that is no receipt.
    """
    spaces = receipt.get("spaces")
    if not isinstance(spaces, list) or not all(isinstance(part, dict) for part in spaces):
        raise FileFormatError("this is no receipt", hint="give what `affidavit forget --receipt FILE` wrote")
    with call.memory(config) as memory:
        store_id = memory._rooms.store.store_id
        keys = memory._rooms.keys.public_keys()
    parts = [_part(part, receipt, store_id, keys) for part in spaces]
    return {"ok": bool(parts) and all(part["ok"] for part in parts), "spaces": parts}


def _part(part: Mapping[str, Any], receipt: Mapping[str, Any], store_id: str, keys: Any) -> dict[str, Any]:
    from affidavit.proof.statements import check_statement

    told = {"space_id": part.get("space_id")}
    note = part.get("note")
    if not isinstance(note, str):
        return told | {"ok": False, "why": "it is not signed"}
    stated = check_statement(note, keys)
    if isinstance(stated, str):
        return told | {"ok": False, "why": stated}
    why = _contradiction(part, receipt, stated, store_id)
    if why is not None:
        return told | {"ok": False, "why": why}
    return told | {
        "ok": True,
        "size": stated.size,
        "root": stated.root,
        "lines": list(stated.lines),
        "key": stated.key,
    }


def _contradiction(
    part: Mapping[str, Any], receipt: Mapping[str, Any], stated: "Stated", store_id: str
) -> str | None:
    """What the file says beside the signed lines, where it is something else."""
    if stated.lines[:1] != (_KIND,):
        return "what is signed is no receipt"
    if not stated.origin.endswith(f"/{store_id}/{part.get('space_id')}"):
        return "what is signed is about another space or store"
    said = dict(line.partition(" ")[::2] for line in stated.lines[1:])
    written = {
        "episodes": str(part.get("episodes")),
        "scope": "space" if part.get("whole") else "episodes",
        "erased_at": receipt.get("erased_at"),
        "physical_at": receipt.get("physical_at") or "pending",
        "size": str(part.get("size")),
        "root": part.get("root"),
    }
    signed = said | {"size": str(stated.size), "root": stated.root}
    wrong = [name for name, value in written.items() if signed.get(name) != value]
    return f"the file says another {', '.join(wrong)} than what is signed" if wrong else None
