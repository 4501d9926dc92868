"""A candidate on its way through the checks. Whatever an extractor handed over is put in shape first, or refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from affidavit.core.authority import SpaceKind, is_own_name
from affidavit.core.candidates import Candidate, Check, Rejection
from affidavit.core.memories import USER, Kind, Part
from affidavit.core.when import When
from affidavit.text.clean import clean
from affidavit.text.evidence.quotes import strip_hidden
from affidavit.text.frames.statement import Certainty
from affidavit.write.checks.context import Context
from affidavit.write.checks.evidence import Quote

LONGEST_TEXT: Final = 1_000
LONGEST_QUOTE: Final = 1_000
_LONGEST_VALUE: Final = 300
_MOST_PARTS: Final = 8
_KINDS: Final = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.EVENT, Kind.INSTRUCTION})
_SURE: Final = {str(certainty): certainty for certainty in Certainty}


class Refusal(NamedTuple):
    """Why a candidate is refused, and what would have been accepted."""

    check: Check
    code: str
    hint: str
    episode_id: str | None = None
    start: int | None = None
    end: int | None = None

    def about(self, candidate: Candidate) -> Rejection:
        """The refusal as it is shown."""
        return Rejection(
            check=self.check,
            code=self.code,
            episode_id=self.episode_id,
            start=self.start,
            end=self.end,
            hint=self.hint,
            candidate=candidate if isinstance(candidate, Candidate) else None,
        )


def refuse(check: Check, code: str, hint: str, at: Quote | None = None) -> Refusal:
    """A refusal that says where the quote stands."""
    if at is None:
        return Refusal(check, code, hint)
    return Refusal(check, code, hint, at.told.row.id, at.start, at.end)


@dataclass(slots=True)
class Draft:
    """A candidate as far as it was checked.

    `quotes`: where its quotes stand. `verbatim`: it is kept as its quotes, since its own text does not agree with
    them. `confirmed`: the frames read the same in the quote. `quarantined`: kept apart. `relations`: those there are.
    """

    said: Candidate
    relations: tuple[str, ...]
    quotes: list[Quote] = field(default_factory=list)
    verbatim: bool = False
    confirmed: bool = False
    quarantined: bool = False

    @property
    def evidence(self) -> str:
        """All that is quoted."""
        return "\n".join(quote.text for quote in self.quotes)

    @property
    def weakest(self) -> Quote:
        """The quote that may be relied on the least."""
        return min(self.quotes, key=lambda quote: quote.authority.rank)

    def drop_triple(self) -> None:
        """Keep the text alone."""
        self.said = replace(
            self.said,
            relation=None,
            object=None,
            qualifier=None,
            negated=False,
            ended=False,
            correction=False,
            beside=False,
            tense="now",
            begins=None,
        )

    def keep_quote(self) -> None:
        """Keep what was quoted instead of what was made of it."""
        self.verbatim = True
        self.drop_triple()


def shaped(candidate: object, context: Context) -> Draft | Refusal:
    """The candidate with every field of its type and of bounded size, or why that can't be."""
    if not isinstance(candidate, Candidate):
        return _malformed("a candidate is not one")
    text, parts = _line(candidate.text, LONGEST_TEXT), _parts(candidate.parts)
    if not text:
        return _malformed(f"its text is not 1 to {LONGEST_TEXT} characters")
    if isinstance(parts, Refusal):
        return parts
    kind = next((kind for kind in _KINDS if kind == candidate.kind), None)
    if kind is None:
        return _malformed("its kind is not fact, preference, event or instruction")
    certainty = _SURE.get(candidate.certainty) if isinstance(candidate.certainty, str) else None
    if certainty is None:
        return _malformed("its certainty is not asserted, hedged or hypothetical")
    relation = candidate.relation if isinstance(candidate.relation, str) else None
    known = context.relations.get(relation) if relation else None
    value = _line(candidate.object, _LONGEST_VALUE)
    draft = Draft(
        Candidate(
            text=text,
            kind=kind if known is None else Kind(known.kind),
            parts=parts,
            subject=_subject(candidate.subject, context),
            relation=relation,
            object=value,
            qualifier=_line(candidate.qualifier, _LONGEST_VALUE),
            certainty=certainty,
            negated=candidate.negated is True,
            ended=candidate.ended is True,
            correction=candidate.correction is True,
            beside=candidate.beside is True,
            tense=candidate.tense if candidate.tense in ("now", "past", "future") else "now",
            begins=candidate.begins if isinstance(candidate.begins, When) else None,
            occurred=candidate.occurred if isinstance(candidate.occurred, When) else None,
            extractor=_line(candidate.extractor, _LONGEST_VALUE) or "",
            model=_line(candidate.model, _LONGEST_VALUE),
            prompt=_line(candidate.prompt, _LONGEST_VALUE),
            language=_line(candidate.language, _LONGEST_VALUE),
        ),
        tuple(context.relations),
    )
    # "I got fired" names no value: it is about every one.
    whole = draft.said.negated and draft.said.ended
    if known is None or (value is None and not whole):
        draft.drop_triple()
    return draft


def _subject(value: object, context: Context) -> str:
    """Who it is about; the user's own names are the user."""
    subject = _line(value, _LONGEST_VALUE) or USER
    names = (context.owner.name, *context.own_names) if context.owner.kind is SpaceKind.USER else ()
    return USER if is_own_name(subject, names) else subject


def _malformed(what: str) -> Refusal:
    return Refusal(Check.QUOTE, "malformed", f"{what}; give a text, a kind and a quote of an episode")


def _line(value: object, longest: int) -> str | None:
    """A text without what can't be stored or seen, on one line; None if nothing or too much is left."""
    if not isinstance(value, str) or len(value) > 8 * longest:
        return None
    text = " ".join(strip_hidden(clean(value)[0]).split())
    return text if 0 < len(text) <= longest else None


def _parts(parts: object) -> tuple[Part, ...] | Refusal:
    if (
        not isinstance(parts, Sequence)
        or isinstance(parts, str | bytes)
        or not 1 <= len(parts) <= _MOST_PARTS
    ):
        return _malformed(f"it has not 1 to {_MOST_PARTS} quotes")
    kept: list[Part] = []
    for part in parts:
        if not isinstance(part, Part) or not isinstance(part.source, str) or not isinstance(part.quote, str):
            return _malformed("a quote of it has no words or no episode")
        if len(part.quote) > LONGEST_QUOTE:
            hint = f"quote at most {LONGEST_QUOTE} characters: the sentence that says it"
            return Refusal(Check.QUOTE, "quote_too_long", hint)
        kept.append(Part(part.source, _place(part.start), _place(part.end), clean(part.quote)[0]))
    return tuple(kept)


def _place(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None
