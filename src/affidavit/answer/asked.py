"""What the action gate is asked: a tool with arguments, memories, a caller, perhaps a confirmation. Checked here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from affidavit.core.access import Caller
from affidavit.core.arguments import ArgumentKind, Leaf, Tool, gives_protected, protected_leaves
from affidavit.core.decision import request_hash
from affidavit.core.limits import (
    ACTION_VALUES,
    ARGUMENTS_BYTES,
    RESULTS,
    check_id,
    check_nesting,
    check_optional_id,
    check_size,
    shown,
)
from affidavit.core.values import json_text
from affidavit.errors import InputError, LimitError
from affidavit.text.questions.sought import Sought, addressees, seek

_ADDRESSED: Final = {ArgumentKind.RECIPIENT, ArgumentKind.ADDRESS}


class Value(NamedTuple):
    """One value to trace: the argument it stands in, what that holds, and the text of it."""

    argument: str
    kind: ArgumentKind
    text: str

    @property
    def key(self) -> str:
        """What is looked for: the same text is another thing as a sum."""
        return f"{'sum' if self.kind is ArgumentKind.AMOUNT else 'text'}:{self.text}"

    def sought(self) -> Sought:
        """How it is looked for."""
        return seek(self.text, money=self.kind is ArgumentKind.AMOUNT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question to the gate. `protects`: its tool has arguments that are protected; `leaves`: their values.

    `is_bare`: it gives no value to trace, be it that it gives nothing or only what is empty.
    """

    caller: Caller
    tool: str | None
    registered: bool
    protects: bool
    is_bare: bool
    arguments: Mapping[str, Any]
    leaves: tuple[Leaf, ...]
    memory_ids: tuple[str, ...] | None
    values: tuple[Value, ...]
    confirmation: str | None

    @classmethod
    def of(
        cls,
        caller: Caller,
        tools: Mapping[str, Tool],
        *,
        tool: object = None,
        args: object = None,
        memory_ids: object = None,
        confirmation: object = None,
    ) -> "Asked":
        """The checked question. Raises `InputError`s."""
        name = check_optional_id(tool, "tool")
        given = _arguments(args)
        ids = _ids(memory_ids)
        if name is None and (given or ids is None):
            raise InputError(
                "it is not said what is to be done", hint="give tool and args, or the memory_ids it rests on"
            )
        registered = None if name is None else tools.get(name)
        leaves = protected_leaves(given, registered)
        values = [value for leaf in leaves for value in _values(leaf)]
        if len(values) > ACTION_VALUES:
            raise LimitError(
                f"the arguments hold {len(values)} protected values",
                hint=f"at most {ACTION_VALUES} are taken",
            )
        return cls(
            caller=caller,
            tool=name,
            registered=registered is not None,
            protects=registered is not None and any(registered.arguments.values()),
            is_bare=not values and (not given or gives_protected(given, registered)),
            arguments=given,
            leaves=tuple(leaves),
            memory_ids=ids,
            values=tuple(dict.fromkeys(values)),
            confirmation=None if confirmation is None else check_id(confirmation, "confirmation"),
        )

    def hash(self, key: bytes) -> bytes:
        """The keyed hash of it, but for the confirmation."""
        return request_hash(key, self.caller, self.tool, self.arguments, self.memory_ids)

    def sought(self) -> dict[str, Sought]:
        """What is to be looked for, each once."""
        return {value.key: value.sought() for value in self.values}


def _arguments(arguments: object) -> Mapping[str, Any]:
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise InputError(
            f"args is a {type(arguments).__name__}, not a mapping", hint="give the arguments by name"
        )
    given = dict(arguments)
    check_nesting(given, "args")
    size = len(json_text(given).encode("utf-8", "surrogatepass"))
    check_size(size, ARGUMENTS_BYTES, "args", "leave large contents out, or name them by id")
    return given


def _ids(memory_ids: object) -> tuple[str, ...] | None:
    if memory_ids is None:
        return None
    if isinstance(memory_ids, str) or not isinstance(memory_ids, Sequence):
        raise InputError(f"memory_ids is {shown(memory_ids)}, not a list", hint="give a list of ids")
    if len(memory_ids) > RESULTS:
        raise LimitError(f"{len(memory_ids)} memory_ids", hint=f"at most {RESULTS:,} are taken")
    return tuple(check_id(one, "a memory id") for one in memory_ids)


def _values(leaf: Leaf) -> list[Value]:
    text = str(leaf.value)
    texts = addressees(text) if leaf.kind in _ADDRESSED else [text]
    return [Value(leaf.path, leaf.kind, one) for one in texts]
