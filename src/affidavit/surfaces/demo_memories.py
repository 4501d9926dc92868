"""The demo's parts about memories: what holds now, what held before, what is not known, and whom one may believe."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.action import decision_lines
from affidavit.surfaces.cli.ask import answer_lines
from affidavit.surfaces.cli.history import history_lines
from affidavit.surfaces.demo_run import USER, Demo

if TYPE_CHECKING:
    from affidavit.memory import Memory
    from affidavit.read.memories import MemoryItem

_KINDS = ("fact", "preference", "event", "instruction")
_WIDTH = 130
_TOKENS = 2_500


def steps(demo: Demo) -> None:
    """All of them, in their order."""
    with demo.open() as memory:
        _answers(demo, memory)
        _history(demo, memory)
        _unknown(demo, memory)
        _mail(demo, memory)
        _actions(demo, memory)


def _answers(demo: Demo, memory: "Memory") -> None:
    page = memory.list(user_id=USER, kinds=_KINDS, limit=1000)
    demo.step(
        3,
        f"Ask what holds now, and what held before ({show.count(len(page), 'statement')} drawn from the same words)",
        "No model takes part: what people plainly say of themselves is taken down, each with its quote.",
    )
    told = []
    for one in demo.data["answers"]:
        found = memory.answer(one["question"], user_id=USER, as_of=one.get("as_of"))
        dated = f" --as-of {one['as_of']}" if "as_of" in one else ""
        demo.tell("")
        demo.tell(f'   affidavit ask "{one["question"]}"{dated}')
        demo.block(answer_lines(found))
        quoted = any(one["quote"] in citation.quote for citation in found.citations)
        demo.check(found.text == one["text"] and quoted, f"answered: {one['question']}{dated}")
        told.append({"question": one["question"], "as_of": one.get("as_of"), "answer": found.text})
    demo.report["answers"] = told


def _history(demo: Demo, memory: "Memory") -> None:
    home = demo.data["home"]
    demo.step(4, "See how a memory changed, and why the old value is not found")
    versions = _versions(memory, home["relation"])
    old = next((one for one in versions if one.text == home["old"]), None)
    now = next((one for one in versions if one.text == home["now"]), None)
    if not demo.check(old is not None and now is not None, "both homes are remembered") or not old or not now:
        return
    found = memory.history(old.id, user_id=USER)
    demo.block(history_lines(found))
    quoted = all(version.evidence for version in found)
    demo.check(old.id == now.id and len(found) > 1 and quoted, "the history has every home with its quote")
    why = memory.why(home["question"], old.version_id, user_id=USER)
    demo.tell("")
    demo.tell(f'   affidavit why "{home["question"]}" {old.version_id}')
    demo.tell(f"   {why.because}: {show.line(why.text)}")
    demo.check((why.because, why.by) == ("superseded", now.version_id), "why names what took its place")
    demo.report["history"] = {
        "versions": [one.text for one in found], "why_not": str(why.because), "by": why.by,
    }  # fmt: skip


def _versions(memory: "Memory", relation: str) -> "list[MemoryItem]":
    """The user's own."""
    page = memory.list(user_id=USER, kinds=_KINDS, limit=1000)
    items = [one.memory for one in page if one.memory is not None]
    return [one for one in items if one.relation == relation and one.subject == "user"]


def _unknown(demo: Demo, memory: "Memory") -> None:
    demo.step(
        5,
        "Ask what it can't know",
        "What was never said, was only a maybe, is about somebody else, or is another user's.",
    )
    told = []
    for one in demo.data["unknown"]:
        found = memory.answer(one["question"], user_id=one.get("user", USER))
        demo.tell("")
        user = f" --user {one['user']}" if "user" in one else ""
        demo.tell(f'   affidavit ask "{one["question"]}"{user}   ({one["about"]})')
        demo.block(answer_lines(found))
        demo.check(found.abstained and not found.citations, f"not known: {one['question']}{user}")
        if "claims" in one:
            claimed = any(one["claims"] in claim.quote for claim in found.unverified)
            demo.check(claimed, f"told as a claim: {one['question']}")
        told.append({"question": one["question"], "user": one.get("user", USER), "answer": found.text})
    demo.report["unknown"] = told


def _mail(demo: Demo, memory: "Memory") -> None:
    """Somebody writes in her name: what becomes of it."""
    mail = demo.data["mail"]
    demo.step(
        6,
        "Read a mail that was written to be remembered, in her name",
        f'"I live in {mail["place"]} now … From now on {mail["says"]}": nobody can tell who really wrote it.',
    )
    hit = next(one for one in memory.search(mail["says"], user_id=USER, filters={"role": "mail"}))
    refused = memory.why(mail["says"], hit.id, user_id=USER).refused
    for one in refused:
        demo.tell(f"   refused as a memory: check {one.check}, code {one.code}")
        demo.tell(f"{show.BAR}{show.line(one.hint)}")
    codes = [{"check": one.check, "code": one.code} for one in refused]
    demo.check(mail["refused"] in codes, "the mail's permission is refused")
    context = memory.recall(mail["question"], user_id=USER, max_tokens=_TOKENS)
    demo.tell("")
    demo.tell(f'   affidavit recall "{mail["question"]}"   (what a model is shown)')
    lines = context.render().splitlines()
    demo.block(f"{show.BAR}{_short(line)}" for line in lines)
    demo.check(_kept_apart(lines, mail), "the mail stands under the heading of what is never asserted")
    grounded = [one.text for one in context.grounded]
    demo.check(not any(mail["place"] in text for text in grounded), "nothing of the mail is grounded")
    demo.report["mail"] = {"refused": codes, "grounded": grounded}


def _kept_apart(lines: list[str], mail: Mapping[str, Any]) -> bool:
    """Whether the claimed place stands below the never-assert heading, and only there; the true one above it."""
    from affidavit.read.render import NEVER_ASSERT

    if NEVER_ASSERT not in lines:
        return False
    at = lines.index(NEVER_ASSERT)
    claimed = [number for number, line in enumerate(lines) if mail["place"] in line]
    return bool(claimed) and min(claimed) > at and any(mail["holds"] in line for line in lines[:at])


def _short(text: str) -> str:
    plain = show.line(text)
    return plain if len(plain) <= _WIDTH else f"{plain[:_WIDTH].rstrip()} …"


def _actions(demo: Demo, memory: "Memory") -> None:
    demo.step(
        7,
        "Ask before acting: may these tools be called?",
        "Every protected value is traced to who said it. Only the user's own word that holds now is enough.",
    )
    told = []
    for one in demo.data["actions"]:
        decision = memory.check_action(one["tool"], one["args"], user_id=USER)
        demo.tell("")
        demo.tell(f"   {one['tool']} {', '.join(one['args'].values())}   ({one['about']})")
        # The token is a person's to hand back: it is no part of what is shown.
        demo.block(line for line in decision_lines(decision) if "--confirm" not in line)
        codes = [reason.code for reason in decision.reasons]
        held = decision.outcome == one["outcome"] and codes[:1] == ([one["code"]] if "code" in one else [])
        demo.check(held, f"{one['outcome']}: {one['tool']} ({one['about']})")
        told.append(
            {"tool": one["tool"], "args": one["args"], "outcome": str(decision.outcome), "codes": codes}
        )
    demo.report["actions"] = told
