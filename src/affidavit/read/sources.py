"""Who said something, in the words of a prompt. Foreign names stand in quotes, so that none passes for another."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from affidavit.core.authority import Authority, Party, Role, SpaceKind
from affidavit.core.values import Episode, Head
from affidavit.read.memories import MemoryItem
from affidavit.store.protocol import Reads
from affidavit.text.whose.inert import inert, quoted

_LONGEST: Final = 60
_OTHERS: Final = ", from what others wrote"


@dataclass(frozen=True, slots=True)
class Sources:
    """The episodes behind memories of one space, and who its contributors are."""

    kind: SpaceKind
    episodes: Mapping[str, Episode]
    actors: Mapping[str, str]

    @classmethod
    def behind(cls, reads: Reads, head: Head, items: Iterable[MemoryItem]) -> "Sources":
        """Read what is needed to say whose statements these are."""
        wanted = dict.fromkeys(quote.episode_id for item in items for quote in item.evidence)
        found = reads.episodes(head.space_id, list(wanted)) if wanted else {}
        episodes = {id_: Episode.from_row(head.space_id, one.seq, one.row) for id_, one in found.items()}
        return cls(head.kind, episodes, reads.actors(head.space_id))

    def of_memory(self, item: MemoryItem) -> str | None:
        """Whose statement a memory is; None for what the owner of the space stands behind himself."""
        if item.claimant is not None:
            return self._claimant(item, item.claimant)
        if item.authority == Authority.AUTHORIZED:
            return None
        quotes = sorted(item.evidence, key=lambda quote: -quote.authority.rank)
        for quote in quotes:
            if quote.episode_id in self.episodes:
                return self.of_episode(
                    self.episodes[quote.episode_id], pasted=not self._own(item, quote.episode_id)
                )
        return "somebody"

    def _claimant(self, item: MemoryItem, name: str) -> str:
        """Who claims it: as its message is told, where he wrote that himself."""
        for quote in item.evidence:
            episode = self.episodes.get(quote.episode_id)
            if episode is not None and name in self._names(episode):
                return self.of_episode(episode)
        return named(name)

    def _names(self, episode: Episode) -> tuple[str | None, ...]:
        actor = self.actors.get(episode.actor, "").partition(":")[2]
        return episode.source.speaker, episode.source.name, actor

    def _own(self, item: MemoryItem, episode_id: str) -> bool:
        """Whether a memory is as authorized as the message it quotes: else the quote is of somebody else's words."""
        return item.authority >= self.episodes[episode_id].authority

    def of_episode(self, episode: Episode, *, pasted: bool = False) -> str:
        """Who said an episode; `pasted`: a stretch of it that is not the speaker's own."""
        who = self._speaker(episode)
        if pasted:
            return f"a text that {who} quoted"
        parties = {episode.source.author, episode.source.derived_from}
        return f"{who}{_OTHERS}" if Party.THIRD_PARTY in parties else who

    def _speaker(self, episode: Episode) -> str:
        source, role = episode.source, episode.source.role
        if role is Role.USER:
            return self._user(episode)
        if role is Role.ASSISTANT:
            return "the assistant"
        if role is Role.SYSTEM:
            return "the system"
        name = source.speaker or source.name
        if role is Role.TOOL:
            return f"the tool {named(name)}" if name else "a tool"
        if role is Role.MAIL:
            return f"a mail from {named(name)}" if name else "a mail"
        title = (episode.document.name if episode.document else None) or name
        return f"the document {named(title)}" if title else "a document"

    def _user(self, episode: Episode) -> str:
        kind, _, name = self.actors.get(episode.actor, "").partition(":")
        if self.kind is SpaceKind.USER and kind == "user":
            return "the user"
        shown = episode.source.speaker or (name if kind in {"user", "person"} else None)
        return named(shown) if shown else "somebody"


def named(name: str) -> str:
    """A foreign name: inert, short, in quotes.

    >>> named("Bob, the user")
    '"Bob, the user"'
    """
    return quoted(inert(name[: 4 * _LONGEST]), _LONGEST)
