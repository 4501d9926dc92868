"""Looks up what was said since the words that an answer rests on; `affidavit.answer.doubts` judges it."""

from typing import Final

from affidavit.answer.compose import Draft, cite_line
from affidavit.answer.doubts import answered, doubting, last_of, since, with_doubt
from affidavit.answer.findings import Finding, Says
from affidavit.answer.opening import Opening
from affidavit.answer.results import Step
from affidavit.core.standing import Holds
from affidavit.core.values import Episode
from affidavit.text.evidence.endings import ending_words
from affidavit.text.questions.question_words import Wanted, speech

_SINCE: Final = 20
"""How many episodes are looked at for what speaks against an answer."""


def doubted(opening: Opening, draft: Draft, finding: Finding | None) -> tuple[Draft, Step | None]:
    """The draft with what was said since and speaks against it, and the step if there is any."""
    asking, says = opening.asking, finding.says if finding is not None else Says.VALUES
    if asking.before is not None or says in {Says.CONFLICT, Says.NO, Says.QUOTE}:
        return draft, None
    things = [item.object or item.text for item in finding.items] if finding else []
    if finding is None:
        things = [asking.about, asking.qualifier, " ".join(asking.owned.things), *draft.values]
    if asking.wanted is Wanted.NUMBER:
        things.append(asking.object)
    last = last_of(opening.opened.episodes[one.episode_id] for one in draft.citations)
    behind = opening.behind(last)
    of_any_time = finding if asking.ever or asking.past else None
    over = of_any_time is not None and any(one.holds is Holds.HISTORY for one in of_any_time.items)
    said = answered(draft, things, last, behind, over=over)
    words = " ".join([*things, *(word.text for word in opening.about.must), ending_words(asking.relation)])
    episodes = list({one.id: one for one in (*behind, *_with(opening, words))}.values())
    lines = since(said, opening.talk([said.last, *episodes], over=True), episodes)
    against = doubting(asking, said, opening.about.must, lines)
    if against is None:
        return draft, None
    before = len(opening.opened)
    opening.open_episodes([against.episode.id])
    step = Step(rung="since", opened=len(opening.opened) - before, sufficed=False)
    return with_doubt(draft, cite_line(against), speech(asking.language)), step


def _with(opening: Opening, words: str) -> list[Episode]:
    """The episodes that hold most of these words."""
    space_id = opening.view.space_id
    stored = opening.reads.episodes_at(space_id, opening.looking.episodes_with(words, _SINCE))
    return [Episode.from_row(space_id, *each) for each in stored.values()]
