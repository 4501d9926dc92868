"""What one question opens in one space: hits, memories with their quotes, episodes, their neighbours. Bounded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from affidavit.answer.about import About
from affidavit.answer.facts import says_no_value
from affidavit.answer.talk import Line, Stretch, Talk
from affidavit.core.authority import Role
from affidavit.core.memories import Kind
from affidavit.core.standing import LIVES, Holds, Why
from affidavit.core.values import Episode
from affidavit.read.hits import Found
from affidavit.read.looking import Looking
from affidavit.read.memories import MemoryItem, View, memory_items
from affidavit.store.handing import handed
from affidavit.store.protocol import Reads, Selection
from affidavit.text.frames.giving import is_given_out
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.covering import Weights, content_words

_HITS: Final = 10
"""How many hits are opened."""
_NEXT: Final = 3
"""How many episodes right behind one are looked at."""
_Stretches: TypeAlias = dict[str, list[Stretch]]
_OVER: Final = {Why.LAPSED, Why.ENDED}


@dataclass(slots=True)
class Opened:
    """What was opened on the way, in order: nothing else can be cited."""

    memories: dict[str, MemoryItem] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.memories) + len(self.episodes)


class Opening:
    """A question and a space, and what was opened there for it."""

    def __init__(self, reads: Reads, looking: Looking, view: View, asking: Asking, about: About) -> None:
        self.reads = reads
        self.looking = looking
        self.view = view
        self.asking = asking
        self.about = about
        self.opened = Opened()
        self._hits: list[Found] | None = None

    def found(self) -> list[Found]:
        """The best hits; looked for once."""
        if self._hits is None:
            self._hits = self.looking.found(_HITS)
        return self._hits

    def weights(self) -> Weights:
        """How much each word of the question weighs here."""
        index = self.looking.loaded.index
        exact = self.asking.language == "es"
        words = content_words(self.asking.content, without=self.about.own, exact=exact)
        return Weights(words, index.holders, index.size - index.memories)

    def talk(self, episodes: Sequence[Episode], *, over: bool = False) -> Talk:
        """The question as sentences of these episodes are measured against it.

        `over`: words that something has ended count, though what they end held before.
        """
        closed, stale = self._judged(episodes, over=over)
        return Talk(
            asking=self.asking,
            about=self.about,
            weights=self.weights(),
            closed=closed,
            stale=stale,
            fresh_from=self._fresh_from(),
        )

    def _fresh_from(self) -> int | None:
        """Since when something about the asked relation must have been said to be fresh; None: no matter."""
        relation = self.view.relations.get(self.asking.relation or "")
        if relation is None or relation.kind == Kind.EVENT:
            return None
        life = LIVES[relation.volatility]
        return None if life is None else self.view.at - life

    def _judged(self, episodes: Sequence[Episode], *, over: bool) -> tuple[_Stretches, _Stretches]:
        """What of these episodes memories say does not hold at the time asked about, and what may be out of date."""
        ids = [one.id for one in episodes]
        pairs = self.reads.quoting(self.view.space_id, ids)
        versions = list(dict.fromkeys(pair[1] for pair in pairs))
        stored = self.reads.items(self.view.space_id, versions).values()
        closed: _Stretches = {}
        stale: _Stretches = {}
        for item in memory_items(self.reads, self.view, stored).values():
            past = item.kind is Kind.EVENT and item.holds is Holds.HISTORY and item.why in _OVER
            past = past or (over and item.negated and item.holds is Holds.HISTORY)
            ended = item.holds is not Holds.CURRENT and not past
            gone = ended or says_no_value(self.asking, item, self.view.relations)
            for quote in item.evidence if gone or item.stale else ():
                into = closed if gone else stale
                into.setdefault(quote.episode_id, []).append(Stretch(quote.start, quote.end))
        return closed, stale

    def open(self, items: Iterable[MemoryItem]) -> None:
        """Open memories, with the episodes that they quote."""
        for item in items:
            self.opened.memories.setdefault(item.version_id, item)
            self.open_episodes(quote.episode_id for quote in item.evidence)

    def open_episodes(self, ids: Iterable[str]) -> list[Episode]:
        """Open episodes; those that are there, in this order."""
        wanted = list(dict.fromkeys(ids))
        missing = [one for one in wanted if one not in self.opened.episodes]
        for id_, (seq, row) in self.reads.episodes(self.view.space_id, missing).items():
            self.opened.episodes[id_] = Episode.from_row(self.view.space_id, seq, row)
        return [self.opened.episodes[one] for one in wanted if one in self.opened.episodes]

    def is_given_out(self, line: Line) -> bool:
        """Whether a sentence about the asker may be another's word: handed over before it, or by the message before."""
        episode, start = line.episode, line.at.start
        if not self.about.asker or episode.source.role is not Role.USER:
            return False
        if is_given_out(episode.text, start):
            return True
        stored = self.reads.episodes(self.view.space_id, [episode.id])[episode.id]
        return start < handed(self.reads, self.view.space_id, [stored]).get(episode.id, 0)

    def neighbours(self, episode: Episode) -> list[Episode]:
        """The turn before, the episode, the turn behind, of one session."""
        here = Selection(session_id=episode.session_id, limit=1)
        before = self._select(replace(here, before=episode.seq, newest=True))
        after = self._select(replace(here, after=episode.seq))
        return [*before, episode, *after]

    def _select(self, selection: Selection) -> list[Episode]:
        space_id = self.view.space_id
        stored = [one for one in self.reads.select(space_id, selection) if self.is_allowed(one.seq)]
        found = [Episode.from_row(space_id, *one) for one in stored]
        for one in found:
            self.opened.episodes.setdefault(one.id, one)
        return found

    def is_allowed(self, seq: int) -> bool:
        """Whether the question may look at an episode: not one that is hidden, or was said or recorded too late."""
        mask = self.looking.allowed.mask
        return mask is None or bool(mask[self.looking.loaded.index.row_of(seq)])

    def behind(self, last: Episode) -> list[Episode]:
        """What came next in the log."""
        selection = Selection(after=last.seq, limit=_NEXT)
        rows = self.reads.select(self.view.space_id, selection)
        return [Episode.from_row(self.view.space_id, *one) for one in rows if self.is_allowed(one.seq)]
