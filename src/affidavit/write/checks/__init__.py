"""Checks: what an extractor proposes becomes a memory only if its evidence says it. Pure.

`check` holds if the candidates are written by an attacker: it never raises on them, one bad candidate never costs the
others, and whatever passes has quotes that stand where they say, no more authority than the least of its parts, no
value that nobody said, nothing that we said ourselves, and no permission.

The checks, in order, each in a module of its own: quote, statement, values, certainty, echo, permission, authority,
quarantine.
"""

from collections.abc import Callable, Sequence
from typing import Final

from affidavit.core.candidates import Admitted, Candidate, Check, Rejection
from affidavit.write.checks.authority import admitted, check_authority
from affidavit.write.checks.certainty import check_certainty, check_echo
from affidavit.write.checks.context import Checked, Context
from affidavit.write.checks.draft import Draft, Refusal, shaped
from affidavit.write.checks.evidence import Told
from affidavit.write.checks.permission import check_permission
from affidavit.write.checks.quote import check_quote
from affidavit.write.checks.statement import check_request, check_statement, dated_kind
from affidavit.write.checks.values import check_values

__all__ = ["MOST_CANDIDATES", "Checked", "Context", "check"]

MOST_CANDIDATES: Final = 1_000
"""Candidates that are looked at in one call; what comes after them is refused."""


def check(candidates: Sequence[Candidate], context: Context) -> Checked:
    """Check candidates against the episodes they quote. Never raises on a candidate.

    Everything admitted may be stored as it is: its text, quotes, authority, subject and status are the checks' own,
    not the candidate's.
    """
    told = {id_: Told(stored, context) for id_, stored in context.episodes.items()}
    passed: list[Admitted] = []
    refused: list[Rejection] = []
    for number, candidate in enumerate(candidates):
        if number >= MOST_CANDIDATES:
            many = Refusal(Check.QUOTE, "too_many", f"give at most {MOST_CANDIDATES} candidates at a time")
            refused.append(many.about(candidate))
            continue
        found = _checked(candidate, context, told)
        if isinstance(found, Refusal):
            refused.append(found.about(candidate))
        else:
            passed.append(found)
    return Checked(tuple(passed), tuple(refused))


def _checked(candidate: Candidate, context: Context, told: dict[str, Told]) -> Admitted | Refusal:
    draft = shaped(candidate, context)
    if isinstance(draft, Refusal):
        return draft
    steps: tuple[Callable[[Draft], Refusal | None], ...] = (
        lambda draft: check_quote(draft, told),
        check_statement,
        check_values,
        check_certainty,
        check_echo,
        check_permission,
        lambda draft: check_authority(draft, context),
        check_request,
    )
    for step in steps:
        refusal = step(draft)
        if refusal is not None:
            return refusal
    if draft.verbatim:
        dated_kind(draft)
    return admitted(draft, context, list(told.values()))
