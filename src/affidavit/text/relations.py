"""Relations: what a statement can say of somebody, from `lang/relations.toml`. Users may add their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from affidavit.errors import ConfigError
from affidavit.text.places import lies_within
from affidavit.text.tables import package_table
from affidavit.text.view import folded

_CHOICES: Final = {
    "kind": ("fact", "preference", "event", "instruction"),
    "volatility": ("permanent", "durable", "slow", "transient", "ephemeral"),
    "about": ("user", "history", "work"),
}
_LONGEST: Final = 64
_EXAMPLE: Final = 'for example {"editor": {"functional": True, "volatility": "slow"}}'


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation. Of a `functional` one a new value closes the old; `volatility` says how long a value lasts.

    `beside`: there may be one more value where somebody says so ("I also work at BP"). `rivals`: only values that hold
    one of these words close each other; none: all do. `places`: a town does not close its country, nor that the town.
    """

    name: str
    kind: str
    functional: bool
    volatility: str
    about: str
    beside: bool = False
    rivals: tuple[str, ...] = ()
    places: bool = False

    def excludes(self, one: str, other: str) -> bool:
        """Whether two values of a functional relation can't hold at once.

        >>> RELATIONS["diet"].excludes("vegetarian", "vegan"), RELATIONS["diet"].excludes("vegan", "celiac")
        (True, False)
        """
        if self.places and (lies_within(one, other) or lies_within(other, one)):
            return False
        return not self.rivals or (self._is_rival(one) and self._is_rival(other))

    def _is_rival(self, value: str) -> bool:
        form = folded(value)
        return any(word in form for word in self.rivals)


def with_relations(extra: Mapping[str, Mapping[str, object]]) -> Mapping[str, Relation]:
    """The table of relations with those of a user added, or changed where the name is known.

    Each is a mapping of any of `kind`, `functional`, `volatility` and `about`; what is left out stays as it is, or is
    a durable fact about the user that may have many values. Raises `ConfigError` for anything else.

    >>> with_relations({"works_for": {"functional": True, "about": "work"}})["works_for"].functional
    True
    """
    table = dict(RELATIONS)
    if not isinstance(extra, Mapping):
        raise ConfigError(f"relations are a {type(extra).__name__}, not a mapping", hint=_EXAMPLE)
    for name, fields in extra.items():
        if not (isinstance(name, str) and name.isidentifier() and len(name) <= _LONGEST):
            hint = "use letters, digits and underscores, at most 64 of them"
            raise ConfigError(f"{name!r} can't be the name of a relation", hint=hint)
        known = table.get(name, Relation(name, "fact", False, "durable", "user"))
        table[name] = _relation(known, fields)
    return table


def _relation(known: Relation, fields: Mapping[str, object]) -> Relation:
    name = known.name
    if not isinstance(fields, Mapping):
        raise ConfigError(f"relation {name!r} is a {type(fields).__name__}, not a mapping", hint=_EXAMPLE)
    functional = fields.get("functional", known.functional)
    if not isinstance(functional, bool):
        hint = "true if there is one value at a time, else false"
        raise ConfigError(f"relation {name!r}: functional is {functional!r}", hint=hint)
    texts = {key: getattr(known, key) for key in _CHOICES}
    for key, value in fields.items():
        if key == "functional":
            continue
        if key not in _CHOICES:
            hint = f"known are functional, {', '.join(_CHOICES)}"
            raise ConfigError(f"relation {name!r} has no field {key!r}", hint=hint)
        if value not in _CHOICES[key]:
            hint = f"use one of {', '.join(_CHOICES[key])}"
            raise ConfigError(f"relation {name!r}: {key} {value!r} is not known", hint=hint)
        texts[key] = value
    kept = (known.beside, known.rivals, known.places)
    return Relation(name, texts["kind"], functional, texts["volatility"], texts["about"], *kept)


@cache
def _built_in() -> dict[str, Relation]:
    table = package_table("relations")
    return {name: _read(name, **fields) for name, fields in table.items()}


def _read(name: str, rivals: Sequence[str] = (), **fields: Any) -> Relation:
    return Relation(name=name, rivals=tuple(map(folded, rivals)), **fields)


class _Relations(Mapping[str, Relation]):
    """The built-in relations, read when they are first asked for: importing this module reads no file."""

    def __getitem__(self, name: str) -> Relation:
        return _built_in()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_built_in())

    def __len__(self) -> int:
        return len(_built_in())


RELATIONS: Final[Mapping[str, Relation]] = _Relations()
"""The built-in relations by name."""
