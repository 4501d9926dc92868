"""Affidavit: long-term memory for AI agents that can show its evidence.

>>> from affidavit import Memory
>>> with Memory("doctest.db") as memory:
...     _ = memory.add("I moved to Lisbon in May", user_id="priya")
...     print(memory.search("Lisbon", user_id="priya").hits[0].text)
The user lives in Lisbon.
"""

import importlib
import typing

from affidavit import errors
from affidavit.errors import AffidavitError
from affidavit.memory import Memory

if typing.TYPE_CHECKING:
    from affidavit.admin import Admin, Inspection
    from affidavit.aio import AsyncMemory
    from affidavit.answer.access import Access
    from affidavit.answer.results import Answer, Citation, Claim, Sentence, Step
    from affidavit.config import Config
    from affidavit.core.arguments import ArgumentKind
    from affidavit.core.authority import Authority, Party, Role, SpaceKind
    from affidavit.core.candidates import Check, Rejection, Slot
    from affidavit.core.ceiling import Ceiling
    from affidavit.core.choices import Overruled
    from affidavit.core.cost import Cost
    from affidavit.core.decision import ArgumentSlot, Decision, DecisionReason, Verdict
    from affidavit.core.memories import Kind, MemoryStatus, Reason
    from affidavit.core.permits import Permit
    from affidavit.core.standing import Holds, Why
    from affidavit.core.values import DocumentPlace, Episode, Source, Status
    from affidavit.core.when import Basis, When
    from affidavit.privacy.receipt import ErasedSpace, Receipt
    from affidavit.proof.verify import Problem, VerifyResult
    from affidavit.providers.embedder import Embedder
    from affidavit.providers.language_model import LanguageModel, Prompt, Reply, Stop
    from affidavit.read.context import Context
    from affidavit.read.history import Happening, History, What
    from affidavit.read.memories import ConflictGroup, MemoryItem, Quote
    from affidavit.read.plan import Granularity
    from affidavit.read.profile import Profile, ProfileLine
    from affidavit.read.recalled import Contested, Recalled
    from affidavit.read.rejections import NotRemembered, Rejections
    from affidavit.read.render import Section
    from affidavit.read.results import Hit, Item, Page, SearchResult
    from affidavit.read.tokens import Tokenizer
    from affidavit.read.why import Because, Explanation, Refusal
    from affidavit.store.protocol import Clock
    from affidavit.text.frames.statement import Certainty
    from affidavit.text.spans import Span, SpanKind
    from affidavit.write.act import Acted
    from affidavit.write.documents import Document
    from affidavit.write.maintain import Maintained
    from affidavit.write.messages import Skipped
    from affidavit.write.results import AddResult, Derived, Remembered
    from affidavit.write.sources import Revocation, SourceHandle, SourceInfo

__version__ = "0.1.0"

# Loaded when first asked for: the import of the package stays light.
_LATER = {
    "Access": "affidavit.answer.access",
    "Acted": "affidavit.write.act",
    "AddResult": "affidavit.write.results",
    "Admin": "affidavit.admin",
    "Answer": "affidavit.answer.results",
    "ArgumentKind": "affidavit.core.arguments",
    "ArgumentSlot": "affidavit.core.decision",
    "AsyncMemory": "affidavit.aio",
    "Authority": "affidavit.core.authority",
    "Basis": "affidavit.core.when",
    "Because": "affidavit.read.why",
    "Ceiling": "affidavit.core.ceiling",
    "Certainty": "affidavit.text.frames.statement",
    "Check": "affidavit.core.candidates",
    "Citation": "affidavit.answer.results",
    "Claim": "affidavit.answer.results",
    "Clock": "affidavit.store.protocol",
    "Config": "affidavit.config",
    "ConflictGroup": "affidavit.read.memories",
    "Contested": "affidavit.read.recalled",
    "Context": "affidavit.read.context",
    "Cost": "affidavit.core.cost",
    "Decision": "affidavit.core.decision",
    "DecisionReason": "affidavit.core.decision",
    "Derived": "affidavit.write.results",
    "Document": "affidavit.write.documents",
    "DocumentPlace": "affidavit.core.values",
    "Embedder": "affidavit.providers.embedder",
    "Episode": "affidavit.core.values",
    "ErasedSpace": "affidavit.privacy.receipt",
    "Explanation": "affidavit.read.why",
    "Granularity": "affidavit.read.plan",
    "Happening": "affidavit.read.history",
    "History": "affidavit.read.history",
    "Hit": "affidavit.read.results",
    "Holds": "affidavit.core.standing",
    "Inspection": "affidavit.admin",
    "Item": "affidavit.read.results",
    "Kind": "affidavit.core.memories",
    "LanguageModel": "affidavit.providers.language_model",
    "Maintained": "affidavit.write.maintain",
    "MemoryItem": "affidavit.read.memories",
    "MemoryStatus": "affidavit.core.memories",
    "Overruled": "affidavit.core.choices",
    "Page": "affidavit.read.results",
    "Party": "affidavit.core.authority",
    "Permit": "affidavit.core.permits",
    "Problem": "affidavit.proof.verify",
    "Profile": "affidavit.read.profile",
    "ProfileLine": "affidavit.read.profile",
    "Prompt": "affidavit.providers.language_model",
    "Quote": "affidavit.read.memories",
    "Reason": "affidavit.core.memories",
    "Recalled": "affidavit.read.recalled",
    "Receipt": "affidavit.privacy.receipt",
    "Refusal": "affidavit.read.why",
    "Reply": "affidavit.providers.language_model",
    "Rejection": "affidavit.core.candidates",
    "Rejections": "affidavit.read.rejections",
    "NotRemembered": "affidavit.read.rejections",
    "Remembered": "affidavit.write.results",
    "Revocation": "affidavit.write.sources",
    "Role": "affidavit.core.authority",
    "SearchResult": "affidavit.read.results",
    "Section": "affidavit.read.render",
    "Sentence": "affidavit.answer.results",
    "Skipped": "affidavit.write.messages",
    "Slot": "affidavit.core.candidates",
    "Source": "affidavit.core.values",
    "SourceHandle": "affidavit.write.sources",
    "SourceInfo": "affidavit.write.sources",
    "SpaceKind": "affidavit.core.authority",
    "Span": "affidavit.text.spans",
    "SpanKind": "affidavit.text.spans",
    "Status": "affidavit.core.values",
    "Step": "affidavit.answer.results",
    "Stop": "affidavit.providers.language_model",
    "Tokenizer": "affidavit.read.tokens",
    "Verdict": "affidavit.core.decision",
    "VerifyResult": "affidavit.proof.verify",
    "What": "affidavit.read.history",
    "When": "affidavit.core.when",
    "Why": "affidavit.core.standing",
}


def __getattr__(name: str) -> typing.Any:
    if name not in _LATER:
        raise AttributeError(f"module 'affidavit' has no attribute {name!r}")
    return getattr(importlib.import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Access",
    "Acted",
    "AddResult",
    "Admin",
    "AffidavitError",
    "Answer",
    "ArgumentKind",
    "ArgumentSlot",
    "AsyncMemory",
    "Authority",
    "Basis",
    "Because",
    "Ceiling",
    "Certainty",
    "Check",
    "Citation",
    "Claim",
    "Clock",
    "Config",
    "ConflictGroup",
    "Contested",
    "Context",
    "Cost",
    "Decision",
    "DecisionReason",
    "Derived",
    "Document",
    "DocumentPlace",
    "Embedder",
    "Episode",
    "ErasedSpace",
    "Explanation",
    "Granularity",
    "Happening",
    "History",
    "Hit",
    "Holds",
    "Inspection",
    "Item",
    "Kind",
    "LanguageModel",
    "Maintained",
    "Memory",
    "MemoryItem",
    "MemoryStatus",
    "NotRemembered",
    "Overruled",
    "Page",
    "Party",
    "Permit",
    "Problem",
    "Profile",
    "ProfileLine",
    "Prompt",
    "Quote",
    "Reason",
    "Recalled",
    "Receipt",
    "Refusal",
    "Rejection",
    "Rejections",
    "Remembered",
    "Reply",
    "Revocation",
    "Role",
    "SearchResult",
    "Section",
    "Sentence",
    "Skipped",
    "Slot",
    "Source",
    "SourceHandle",
    "SourceInfo",
    "SpaceKind",
    "Span",
    "SpanKind",
    "Status",
    "Step",
    "Stop",
    "Tokenizer",
    "Verdict",
    "VerifyResult",
    "What",
    "When",
    "Why",
    "__version__",
    "errors",
]
