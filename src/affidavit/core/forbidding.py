"""Whether a sentence takes a value out of use: it forbids it, wants to be asked first, or takes it back. Pure.

Rules:

1. The value stands in the sentence, or a pronoun that means it. `lang/roles.toml` has the words.
2. A word that forbids or takes back counts wherever it stands; a denial where it begins an order ("never …") or
   denies that something is paid, sent or shipped. One that reminds ("don't forget to pay") denies nothing.
3. An order about everybody, or everything, is about every value.
4. A move that was announced is off where its speaker says that he stays, or that plans have changed.
5. A debt that was told is put in doubt by whatever is said later of whom it is owed to, and an account by whatever is
   said later of its owner and his bank: they end in more words than anybody can list. An order to pay doubts nothing,
   nor does what frames read, of which a memory is made.
"""

from collections.abc import Callable
from typing import Final

from affidavit.core.plainly import adds_nothing
from affidavit.core.roles import begins_known, listed, questions, warns
from affidavit.text.evidence.passages import plain, segments
from affidavit.text.evidence.signs import denials, has, joints, language_of, signs
from affidavit.text.frames.engine import is_stated

Names = Callable[[str], bool]
_MARKS: Final = " .,;:!?。，！*"
_SHORT: Final = 8
"""Words of a sentence that does nothing but say something of what was said before it."""


def forbids(sentence: str, names: Names) -> bool:
    """Whether a sentence says that a value is not to be used, or not unasked. `names`: whether a text holds it.

    >>> forbids("Never ship to Rome.", lambda text: "rome" in text)
    True
    >>> forbids("Don't forget to pay Max.", lambda text: "max" in text)
    False
    """
    said = without_reminders(sentence)
    language = language_of(said)
    parts = _parts(said, language)
    if not names(said):
        return any(_is_about_all(part, language) or _means_somebody(part, language) for part in parts)
    if _takes_out(said, language):
        return True
    holding = [part for part in parts if names(part)] or [said]
    if any(_denies_use(part, language) for part in holding):
        return True
    return not all(map(acts, holding)) and any(_denies_use(part, language) for part in parts)


def takes_out(sentence: str, names: Names) -> bool:
    """Whether the words that hold a value, or those behind them, forbid it or take it back.

    >>> takes_out("Forget Rome, I live in Bari.", lambda text: "bari" in text)
    False
    """
    said = without_reminders(sentence)
    language = language_of(said)
    parts = _parts(said, language)
    first = next((place for place, part in enumerate(parts) if names(part)), 0)
    return any(_takes_out(part, language) for part in parts[first:])


def acts(sentence: str) -> bool:
    """Whether it is about paying, sending or shipping."""
    return listed("acting").search(plain(sentence)) is not None


def means(text: str) -> bool:
    """Whether a pronoun stands in it that may mean what was named just before."""
    return listed("pronoun").search(plain(text)) is not None


def stays(sentence: str, names: Names) -> bool:
    """Whether it says that a move which was announced, to what `names` finds, is off."""
    said = without_reminders(sentence)
    language = language_of(said)
    parts = _parts(said, language)
    if listed("changed_plan").search(said) is not None:
        return True
    if any(names(part) and denials(part, language) for part in parts):
        return True
    own = has("first", said, language) or has("mine", said, language) or language == "zh"
    return own and any(listed("staying").search(part) is not None and not names(part) for part in parts)


def reopens(told: str, sentence: str, names: Names, *, named: bool) -> bool:
    """Whether a later sentence puts a debt, or an account, that was told in doubt.

    `named`: what was said just before names whom it is about, so that a pronoun may mean him.

    >>> reopens("I owe Bob 50 euros", "I paid Bob back.", lambda text: "bob" in text.lower(), named=False)
    True
    >>> reopens("Acme's IBAN is …", "Acme sent flowers.", lambda text: "acme" in text.lower(), named=False)
    False
    """
    said, plainly = plain(sentence), plain(told)
    about = names(sentence)
    banks = listed("banking").search(said) is not None
    owed = listed("owing").search(plainly) is not None and (about or (named and means(said)))
    ill = about and (banks or warns(sentence) or questions(sentence))
    kept = ill or (banks and listed("that_one").search(said) is not None)
    touched = owed or (kept and listed("banking").search(plainly) is not None)
    return touched and not begins_known(sentence) and not is_stated(sentence)


def without_reminders(sentence: str) -> str:
    """A sentence as plain text without denials that deny nothing: "don't forget"."""
    return listed("reminding").sub(" ", plain(sentence))


def _parts(said: str, language: str) -> list[str]:
    return [said[start:end] for start, end in segments(said, joints(language))]


def _takes_out(said: str, language: str) -> bool:
    return listed("forbidden").search(said) is not None or has("takeback", said, language)


def _denies_use(part: str, language: str) -> bool:
    against = denials(part, language)
    return bool(against) and (_orders(part, against[0]) or acts(part))


def _orders(part: str, denial: tuple[int, int]) -> bool:
    """Whether a denial begins an order; "he wouldn't take any money" orders nothing."""
    start, end = denial
    word = part[start:end]
    told = word.endswith("n't") and word != "don't"
    return not told and not listed("opening").sub(" ", part[:start]).strip()


def undoes(sentence: str) -> bool:
    """Whether a sentence does nothing but take back what was said just before it.

    >>> undoes("Don't do that."), undoes("Cancel the payment!"), undoes("Don't ask follow-up questions.")
    (True, True, False)
    """
    said = plain(sentence).strip(_MARKS)
    found = listed("undone").match(said)
    if found is None:
        return sentence.lstrip().startswith("*") and len(said.split()) == 1
    names = {plain(word).strip(_MARKS) for word in sentence.split()[1:] if word[:1].isupper()}
    rest = [word.strip(_MARKS) for word in said[found.end() :].split()]
    return all(not word or word in names or listed("pointing").fullmatch(word) for word in rest)


def points_back(sentence: str) -> bool:
    """Whether a short sentence that is known to change nothing by no rule points back at what was said just before it.

    >>> (
    ...     points_back("My brother wrote that."),
    ...     points_back("It's a scam."),
    ...     points_back("I went to the market."),
    ... )
    (True, True, False)
    """
    said = plain(sentence).strip(_MARKS)
    language = language_of(said)
    for start, end in signs("harmless", said, language):
        said = said[:start] + " " * (end - start) + said[end:]
    if len(said.split()) > _SHORT or len(said) > _SHORT * 8 or listed("that_said").search(said) is None:
        return False
    return not adds_nothing(sentence, begins_known)


def _means_somebody(part: str, language: str) -> bool:
    """Whether an order denies something to one who is not named, and so may be anybody: "never pay the man again"."""
    return acts(part) and _denies_use(part, language) and listed("somebody").search(part) is not None


def _is_about_all(part: str, language: str) -> bool:
    if listed("whole").search(part) is not None or (acts(part) and listed("nobody").search(part) is not None):
        return True
    if not acts(part) or listed("everything").search(part) is None:
        return False
    against = denials(part, language)
    ordered = bool(against) and _orders(part, against[0])
    return ordered or listed("forbidden").search(part) is not None
