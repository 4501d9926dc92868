"""Episodes as the write path stores them, and candidates about them, without a store."""

from typing import Any

from affidavit.core.authority import POLICY, Party, Role, SpaceKind, authority_of
from affidavit.core.candidates import Candidate
from affidavit.core.memories import Kind, Part
from affidavit.core.values import EpisodeRow, Owner, json_text
from affidavit.store.protocol import Stored
from affidavit.text.lang.relations import RELATIONS
from affidavit.text.prepare import prepare
from affidavit.write.checks import Checked, Context, check

SAID = 1_780_315_200_000_000
"""2026-06-01T12:00:00Z."""
PRIYA = Owner(SpaceKind.USER, "priya")


class Place:
    """A space with episodes that may be cited."""

    def __init__(self, owner: Owner = PRIYA, **context) -> None:
        self.owner = owner
        self.context = context
        self.episodes: dict[str, Stored] = {}
        self.actors: dict[str, str] = {}

    def told(
        self, text: str, role: str = "user", *, name: str | None = None, member: str = "priya", **fields
    ):
        """Store a message as it would be recorded; gives its id."""
        number = len(self.episodes) + 1
        own = role == "user" and name is None
        who = (
            f"user:{member}"
            if own
            else f"{'person' if role in ('user', 'mail', 'document') else role}:{name or fields.get('source') or role}"
        )
        clean = prepare(text, user_message=role == "user")
        author, derived = fields.pop("author", None), fields.pop("derived_from", None)
        row = EpisodeRow(
            id=f"ep_{number}", session_id="s", speaker=name, role=role,
            authority=authority_of(
                self.owner.kind, Role(role), own_words=own,
                author=Party(author) if author else None, derived_from=Party(derived) if derived else None,
            ),
            status="active", occurred_start=SAID + number, occurred_end=SAID + number + 1, recorded_at=SAID + number,
            terms=b"", policy=POLICY, actor=f"ac_{who}", agent=None, author=author, derived_from=derived,
            occurred_text=None, occurred_basis="inferred", occurred_offset=None, source=None, source_id=None,
            event_type=None, resources="[]", idempotency_key=None, document=None, extra=None, metadata="{}",
            spans=json_text([span.to_list() for span in clean.spans]), text=clean.text,
        )._replace(**fields)  # fmt: skip
        self.episodes[row.id] = Stored(number, row)
        self.actors[row.actor] = who
        return row.id

    def check(self, *candidates: Candidate) -> Checked:
        """What the checks make of candidates."""
        known: dict[str, Any] = {
            "episodes": self.episodes,
            "actors": self.actors,
            "owner": self.owner,
            "relations": RELATIONS,
        }
        return check(candidates, Context(**(known | self.context)))

    def one(self, text: str, quote: str, episode: str = "ep_1", **fields):
        """The one thing that comes of a candidate: admitted, or the rejection."""
        done = self.check(said(text, quote, episode, **fields))
        assert len(done.admitted) + len(done.rejected) == 1
        return (done.admitted or done.rejected)[0]


def said(text: str, quote: str, episode: str = "ep_1", *, kind: str = "fact", **fields) -> Candidate:
    """A candidate with one quote."""
    return Candidate(text=text, kind=Kind(kind), parts=(Part(episode, quote=quote),), **fields)
