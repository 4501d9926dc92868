"""Secrets that are known by their shape: provider keys, JWTs, private keys, authorization headers, URLs.

Every pattern either has a bounded length or swallows the whole run it looks at, and the rest is decided
afterwards: a run of two million characters is read once.
"""

import base64
import binascii
import re
from collections.abc import Iterator

from affidavit.text.spans import Found

# Prefix, label, shortest body. A body is a run of URL-safe characters.
_PREFIXES: tuple[tuple[str, str, int], ...] = (
    *((f"{kind}_{mode}_", "api_key", 6) for kind in ("sk", "pk", "rk") for mode in ("live", "test")),
    *((f"{prefix}_", "token", 16) for prefix in ("ghp", "gho", "ghu", "ghs", "ghr")),
    ("github_pat_", "token", 16),
    ("glpat-", "token", 12),
    ("npm_", "token", 20),
    ("pypi-", "token", 40),
    ("hf_", "token", 20),
    ("whsec_", "secret", 16),
    ("shpat_", "token", 20),
    ("dop_v1_", "token", 20),
    *((f"xox{kind}-", "token", 10) for kind in "abeoprs"),
    ("sk-", "api_key", 16),
    ("AIza", "api_key", 30),
    ("ya29.", "token", 20),
    ("SG.", "api_key", 20),
    ("hvs.", "token", 20),
    ("dp.pt.", "token", 20),
    ("AGE-SECRET-KEY-", "private_key", 40),
)
_MIN = {prefix: (label, shortest) for prefix, label, shortest in _PREFIXES}
_KEYS = re.compile(
    "("
    + "|".join(re.escape(prefix) for prefix in sorted(_MIN, key=len, reverse=True))
    + r")([A-Za-z0-9_\-.]*+)"
)
_HINTS = (*_MIN, "AKIA", "ASIA")
_AWS = re.compile(r"A[KS]IA[A-Z0-9]{16}")
_BOT = re.compile(r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])")
_JWT = re.compile(r"eyJ([A-Za-z0-9_\-]*+)(?:\.([A-Za-z0-9_\-]++)(?:\.[A-Za-z0-9_\-]*+)?)?+")
_URL = re.compile(r"://[^\s/:@?#]{0,256}+:([^\s/\"'<>]{1,256})@")
_AUTH = re.compile(r"(bearer|basic)[ \t]{1,4}+([A-Za-z0-9._~+/\-]++=*+)", re.I)
_PEM = re.compile(r"-{4,5}+ ?BEGIN [A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)? ?-{4,5}+")
_PEM_END = re.compile(r"-{4,5}+ ?END [A-Z0-9 ]{0,60}+-{4,5}+")
_PEM_WORD = re.compile(
    r"(?:\s|\\[nrt]|>|\"|\+(?=\s))*+(?:[A-Za-z][A-Za-z\-]{2,20}:[ \t][^\n]{0,120}\n|([A-Za-z0-9+/=]++))"
)
_PEM_LONGEST = 65_536


def find_shapes(text: str) -> list[Found]:
    """Every secret known by its shape, as `(start, end, label)`, in no particular order."""
    found: list[Found] = []
    if any(hint in text for hint in _HINTS):
        found.extend(_keys(text))
    if ":AA" in text:
        found.extend((match.start(), match.end(), "token") for match in _BOT.finditer(text))
    if "eyJ" in text:
        found.extend(_jwts(text))
    if "://" in text:
        found.extend(
            (match.start(1), match.end(1), "password") for match in _URL.finditer(text) if _hidden(match[1])
        )
    if "PRIVATE KEY" in text:
        found.extend(_private_keys(text))
    if "earer" in text or "asic" in text or "EARER" in text or "ASIC" in text:
        found.extend(_headers(text))
    return found


def has_hint(text: str) -> bool:
    """A cheap first look: False means that no shape can be here."""
    if "_" in text and any(hint in text for hint in _SNAKE):
        return True
    return any(hint in text for hint in _PLAIN)


_SNAKE = ("sk_", "pk_", "rk_", "gh", "pat_", "npm_", "hf_", "whsec_", "dop_v1_")
_PLAIN = ("sk-", "xox", "AKIA", "ASIA", "AIza", "glpat-", "pypi-", "SG.", "ya29.", "hvs.", "dp.pt.",
          "AGE-SECRET-KEY-", ":AA", "eyJ", "://", "PRIVATE KEY", "earer ", "asic ", "EARER ", "ASIC ")  # fmt: skip


def _keys(text: str) -> Iterator[Found]:
    for match in _KEYS.finditer(text):
        label, shortest = _MIN[match[1]]
        body = match[2].rstrip("._-")
        if len(body) >= shortest and _is_key(text, match, body):
            yield match.start(), match.start(2) + len(body), label
    if "AKIA" in text or "ASIA" in text:
        yield from ((match.start(), match.end(), "api_key") for match in _AWS.finditer(text))


def _is_key(text: str, match: re.Match[str], body: str) -> bool:
    """`sk-`, `SG.` and a few more also end or begin ordinary words: those need a body that looks drawn by lot."""
    prefix = match[1]
    if prefix not in ("sk-", "SG.", "hf_", "npm_", "pypi-"):
        return True
    inner = re.search(r"[A-Za-z0-9]{12}", body)
    mixed = any(char.isdigit() for char in body) and any(char.isalpha() for char in body)
    before = text[match.start() - 1] if match.start() else ""
    glued = before.isascii() and before.isalpha()
    return inner is not None and mixed and not (glued and body.islower() and prefix == "sk-" and "-" in body)


def _jwts(text: str) -> Iterator[Found]:
    for match in _JWT.finditer(text):
        if len(match[1]) >= 8 and match[2] and len(match[2]) >= 4:
            yield match.start(), match.end(), "jwt"


def _hidden(password: str) -> bool:
    return not re.fullmatch(
        r"\$\{[^}]*\}|\{\{?[^}]*\}?\}|\$[A-Z_][A-Z0-9_]*|\*+|x{3,}|\.{3}|…", password
    ) and not (password.startswith("[secret:"))


def _headers(text: str) -> Iterator[Found]:
    for match in _AUTH.finditer(text):
        value = match[2].rstrip(".")
        before = text[match.start() - 1] if match.start() else ""
        if before.isascii() and before.isalnum():
            continue
        named = "uthorization" in text[max(0, match.start() - 24) : match.start()].lower()
        random = (
            len(value) >= 12
            and any(char.isdigit() for char in value)
            and any(char.isalpha() for char in value)
        )
        if match[1].lower() == "basic":
            random = _is_basic(value)
        if random or (named and len(value) >= 6):
            yield match.start(2), match.start(2) + len(value), "authorization"


def _is_basic(value: str) -> bool:
    """Basic credentials are base64 of `user:password`."""
    if len(value) < 8 or len(value) > 4096:
        return False
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


def _private_keys(text: str) -> Iterator[Found]:
    done = 0
    for match in _PEM.finditer(text):
        if match.start() < done:
            continue
        after = text.find("----", match.end(), match.end() + _PEM_LONGEST)
        closing = _PEM_END.match(text, after) if after >= 0 else None
        if closing is not None and re.search(r"[A-Za-z0-9+/=]{16}", text[match.end() : after]):
            done = closing.end()
            yield match.start(), done, "private_key"
            continue
        done = _pem_body(text, match.end(), after if after >= 0 else len(text))
        if done > match.end():
            yield match.start(), done, "private_key"


def _pem_body(text: str, start: int, limit: int) -> int:
    """Where the base64-looking run after a private key's opening line ends (`start` when there is none)."""
    end = place = start
    while (match := _PEM_WORD.match(text, place, limit)) is not None and match.end() > place:
        place = match.end()
        word = match[1]
        if word is None:
            continue
        # A short last line belongs to the key; an ordinary word after it does not.
        if (
            len(word) >= 24
            or word.endswith("=")
            or (len(word) >= 4 and end > start and _is_mixed(word))
            or (end == start and len(word) >= 8 and _is_mixed(word))
        ):
            end = place
        else:
            break
    return end


def _is_mixed(word: str) -> bool:
    return any(char.isdigit() or char in "+/" for char in word) or not (
        word.islower() or word.istitle() or word.isupper()
    )
