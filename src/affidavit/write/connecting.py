"""What comes in through a credential: held under its ceiling (`affidavit.core.ceiling`) before all else."""

from collections.abc import Mapping, Sequence
from typing import Any

from affidavit.core.authority import Role, least_trusted
from affidavit.core.ceiling import Ceiling
from affidavit.core.limits import check_optional_id
from affidavit.errors import InputError
from affidavit.write.messages import parse_party, parse_role


def held(
    ceiling: Ceiling, messages: object, document: object, said: Mapping[str, Any]
) -> tuple[object, dict[str, Any]]:
    """The messages and the origin as the ceiling lets them through; the input is not changed. Raises `InputError`s."""
    if not isinstance(ceiling, Ceiling):
        raise InputError(f"the ceiling is a {type(ceiling).__name__}", hint="give a Ceiling")
    stated = None if said.get("role") is None else parse_role(said["role"])
    if document is not None:
        stated = stated or Role.DOCUMENT
    author = parse_party(said.get("author"), "author")
    derived = parse_party(said.get("derived_from"), "derived_from")
    key = check_optional_id(said.get("idempotency_key"), "idempotency_key")
    origin = dict(said) | {
        "role": ceiling.role(stated),
        "source": ceiling.system(check_optional_id(said.get("source"), "source")),
        "source_id": ceiling.under(check_optional_id(said.get("source_id"), "source_id"), "source_id"),
        "idempotency_key": None if key is None else ceiling.under(key, "idempotency_key"),
    }
    if document is not None:
        return messages, origin | {"derived_from": ceiling.derived_from(stated, author, derived)}
    listed = [messages] if isinstance(messages, str | Mapping) else messages
    if not isinstance(listed, Sequence) or isinstance(listed, bytes | bytearray):
        return messages, origin  # refused where messages are read
    bounded: list[object] = []
    for index, raw in enumerate(listed):
        if not isinstance(raw, str | Mapping):
            bounded.append(raw)
            continue
        message = {"content": raw} if isinstance(raw, str) else dict(raw)
        role = stated if message.get("role") is None else parse_role(message["role"])
        its_author = least_trusted(
            author, parse_party(message.get("author"), f"the author of message {index}")
        )
        its = least_trusted(
            derived, parse_party(message.get("derived_from"), f"derived_from of message {index}")
        )
        message |= {"role": ceiling.role(role), "derived_from": ceiling.derived_from(role, its_author, its)}
        bounded.append(message)
    return bounded, origin
