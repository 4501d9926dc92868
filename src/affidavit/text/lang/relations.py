"""Relations: what a statement can say of somebody, from `lang/relations.toml`. Users may add their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from affidavit.errors import ConfigError
from affidavit.text.lang.places import lies_within
from affidavit.text.lang.tables import package_table
from affidavit.text.view import folded

_CHOICES: Final = {
    "kind": ("fact", "preference", "event", "instruction"),
    "volatility": ("permanent", "durable", "slow", "transient", "ephemeral"),
    "about": ("user", "history", "work"),
}
_FLAGS: Final = {
    "functional": "true if there is one value at a time, else false",
    "override": "true if the built-in relation of this name should be changed; leave it out otherwise",
}
_FIELDS: Final = (*_FLAGS, *_CHOICES, "opposite")
_SETTLED: Final = ("kind", "opposite")
"""What can't be changed of a built-in relation: the checks and the ways to say it rest on these."""
_LONGEST: Final = 64
_OPPOSITE: Final = "name another relation of the table, or leave opposite out"
_EXAMPLE: Final = 'for example {"editor": {"functional": True, "volatility": "slow"}}'


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation. Of a `functional` one a new value closes the old; `volatility` says how long a value lasts.

    `beside`: there may be one more value where somebody says so ("I also work at BP"). `apart`: values that hold one of
    these words close no other, and none closes them. `places`: a town closes no country it lies in, nor that the town.
    `opposite` is the relation of which this one says the contrary: both can't hold of the same object.
    """

    name: str
    kind: str
    functional: bool
    volatility: str
    about: str
    opposite: str | None = None
    beside: bool = False
    apart: tuple[str, ...] = ()
    places: bool = False

    def excludes(self, one: str, other: str) -> bool:
        """Whether two values of a functional relation can't hold at once.

        >>> RELATIONS["diet"].excludes("vegetarian", "vegan"), RELATIONS["diet"].excludes("vegan", "celiac")
        (True, False)
        """
        if self.places and (lies_within(one, other) or lies_within(other, one)):
            return False
        forms = folded(one), folded(other)
        return not any(word in form for word in self.apart for form in forms)


def with_relations(extra: Mapping[str, Mapping[str, object]]) -> Mapping[str, Relation]:
    """The table of relations with those of a user added, or built-in ones changed where they say `override`.

    Each is a mapping of any of `kind`, `functional`, `volatility`, `about` and `opposite`; what is left out stays as
    it is, or is a durable fact about the user that may have many values. Raises `ConfigError` for anything else.

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
        table[name] = _relation(name, fields)
    for relation in table.values():
        if relation.opposite is not None:
            _check_opposite(relation, table)
    return table


def family(relation: str, relations: Mapping[str, "Relation"]) -> tuple[str, ...]:
    """A relation and its opposites, the one that the others name first.

    >>> family("dislike", RELATIONS), family("home", RELATIONS)
    (('like', 'dislike'), ('home',))
    """
    known = relations.get(relation)
    base = relation if known is None or known.opposite is None else known.opposite
    return base, *(one.name for one in relations.values() if one.opposite == base)


def _relation(name: str, fields: Mapping[str, object]) -> Relation:
    if not isinstance(fields, Mapping):
        raise ConfigError(f"relation {name!r} is a {type(fields).__name__}, not a mapping", hint=_EXAMPLE)
    flags = {key: _flag(name, key, fields.get(key)) for key in _FLAGS}
    _check_clash(name, fields, override=flags["override"] is True)
    known = RELATIONS.get(name, Relation(name, "fact", False, "durable", "user"))
    texts = {key: getattr(known, key) for key in _CHOICES}
    opposite = known.opposite
    for key, value in fields.items():
        if key in _FLAGS:
            continue
        if key not in _FIELDS:
            raise ConfigError(
                f"relation {name!r} has no field {key!r}", hint=f"known are {', '.join(_FIELDS)}"
            )
        if key == "opposite":
            opposite = _named(name, value)
            continue
        if value not in _CHOICES[key]:
            hint = f"use one of {', '.join(_CHOICES[key])}"
            raise ConfigError(f"relation {name!r}: {key} {value!r} is not known", hint=hint)
        texts[key] = value
    kept = (known.beside, known.apart, known.places)
    functional = known.functional if flags["functional"] is None else flags["functional"]
    return Relation(name, texts["kind"], functional, texts["volatility"], texts["about"], opposite, *kept)


def _flag(name: str, key: str, value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ConfigError(f"relation {name!r}: {key} is {value!r}", hint=_FLAGS[key])
    return value


def _named(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"relation {name!r}: opposite {value!r} is no relation", hint=_OPPOSITE)
    return value


def _check_clash(name: str, fields: Mapping[str, object], *, override: bool) -> None:
    """Nobody changes a built-in relation by chance, nor what must not change of it."""
    if override and name not in RELATIONS:
        from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

        near = get_close_matches(str(name), RELATIONS, n=1)
        hint = f"the nearest is {near[0]!r}" if near else "leave out override to add a relation"
        raise ConfigError(f"there is no built-in relation {name!r} to override", hint=hint)
    if name in RELATIONS and not override:
        hint = "set override = true to change it, or take another name"
        raise ConfigError(f"{name!r} is a built-in relation", hint=hint)
    for key in _SETTLED if override else ():
        if key in fields:
            hint = f"leave {key} out, or add a relation of your own"
            raise ConfigError(f"the {key} of {name!r} can't be changed: it is a built-in relation", hint=hint)


def _check_opposite(relation: Relation, table: Mapping[str, Relation]) -> None:
    name, opposite = relation.name, relation.opposite
    other = table.get(opposite or "")
    if other is None:
        raise ConfigError(f"relation {name!r}: opposite {opposite!r} is no relation", hint=_OPPOSITE)
    if other is relation:
        raise ConfigError(f"relation {name!r}: opposite {name!r} is the relation itself", hint=_OPPOSITE)
    if other.opposite is not None:
        what = f"relation {name!r}: {other.name!r} is itself the opposite of {other.opposite!r}"
        raise ConfigError(what, hint=f"name {other.opposite!r}")
    if other.functional != relation.functional:
        one, many = (other, relation) if other.functional else (relation, other)
        what = f"relation {name!r}: {one.name!r} has one value at a time, and {many.name!r} has not"
        raise ConfigError(what, hint="set functional of both to the same")


@cache
def _built_in() -> dict[str, Relation]:
    table = package_table("relations")
    return {name: _read(name, **fields) for name, fields in table.items()}


def _read(name: str, apart: Sequence[str] = (), **fields: Any) -> Relation:
    return Relation(name=name, apart=tuple(map(folded, apart)), **fields)


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
