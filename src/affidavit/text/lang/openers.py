"""Words with which a speaker begins himself: "Update", "Sorry", "hi there", "about me"."""

from affidavit.text.lang.tables import tables

_NAMED = 2
"""Words that name whom a greeting is for."""


def is_opener(said: str) -> bool:
    """Whether folded words are nothing but such a beginning, or a greeting by name.

    >>> is_opener("sorry"), is_opener("hi bob"), is_opener("bob")
    (True, True, False)
    """
    said = said.strip(" \t*_#-.,!'")
    for table in tables():
        greeting = table.greeting.match(said)
        if greeting is not None and len(said[greeting.end() :].split()) <= _NAMED:
            return True
        ways = (table.labels.match(said), table.lead.match(f"{said} "), table.answer.match(said))
        if any(found is not None and not said[found.end() :].strip(" ,") for found in ways):
            return True
    return False
