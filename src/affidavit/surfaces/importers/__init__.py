"""Importers: pure readers from an open file to items that can be recorded.

They write nothing. Whatever is wrong with a file is listed, item by item, and never costs the rest.
"""

from affidavit.surfaces.importers.chatgpt import read_chatgpt
from affidavit.surfaces.importers.claude import read_claude
from affidavit.surfaces.importers.files import detect, open_import
from affidavit.surfaces.importers.items import Imported, ImportItem, ImportProblem, ProblemKind
from affidavit.surfaces.importers.jsonl import read_jsonl
from affidavit.surfaces.importers.mail import read_eml
from affidavit.surfaces.importers.mail_headers import MailOwner
from affidavit.surfaces.importers.mbox import read_mbox
from affidavit.surfaces.importers.recognise import ImportFormat

__all__ = [
    "ImportFormat",
    "ImportItem",
    "ImportProblem",
    "Imported",
    "MailOwner",
    "ProblemKind",
    "detect",
    "open_import",
    "read_chatgpt",
    "read_claude",
    "read_eml",
    "read_jsonl",
    "read_mbox",
]
