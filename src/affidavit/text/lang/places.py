"""Which well-known towns lie in which countries, from `lang/places.toml`. What is not there lies nowhere."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from affidavit.text.evidence.likeness import same_form
from affidavit.text.lang.tables import package_table
from affidavit.text.view import folded

_ARTICLE: Final = re.compile(r"^the ")


def lies_within(one: str, other: str) -> bool:
    """Whether the first is a town of the second, in any of the languages.

    >>> lies_within("Rome", "Italy"), lies_within("罗马", "Italia"), lies_within("Rome", "Spain")
    (True, True, False)
    """
    towns, countries = _places()
    return (found := towns.get(_form(one))) is not None and found == countries.get(_form(other))


def is_country(name: str) -> bool:
    """Whether it is the name of a country, in any of the languages."""
    return _form(name) in _places()[1]


def _form(place: str) -> str:
    return _ARTICLE.sub("", same_form(folded(place)))


@cache
def _places() -> tuple[Mapping[str, str], Mapping[str, str]]:
    table = package_table("places")
    towns = {_form(town): code for code, country in table.items() for town in country["towns"]}
    countries = {_form(name): code for code, country in table.items() for name in country["names"]}
    return towns, countries
