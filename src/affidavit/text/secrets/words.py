"""Secrets that stand after a keyword: "password: …", "my PIN is …", 口令是…, "token=…".

One scan over the lower-cased text finds keyword and connector together; what follows is then judged by
the keyword's class. A password may be any word, a token has to look drawn by lot, a PIN is a few digits.
"""

import re
from collections.abc import Iterator

from affidavit.text.secrets.judge import Class, Keyword, value_after
from affidavit.text.secrets.values import is_drawn
from affidavit.text.spans import Found

_WORDS: dict[Class, str] = {
    Class.PASSWORD: """password passwort passphrase passcode passwd pass-phrase pass_phrase pwd kennwort contraseña
        contrasena contraseñas mot_de_passe mdp senha palavra-passe parola_d'ordine wachtwoord hasło haslo şifre sifre
        lösenord adgangskode passord salasana heslo jelszó пароль кодовое_слово 密码 密碼 口令 パスワード 비밀번호 암호
        पासवर्ड รหัสผ่าน mật_khẩu kata_sandi كلمة_المرور كلمة_السر סיסמה seed_phrase recovery_phrase secret_phrase
        mnemonic""",
    Class.TOKEN: """token api_key api-key apikey api-schlüssel api-token secret_key secretkey secret-key access_key
        secret_access_key accesskey access-key accountkey sharedaccesskey private_key privatekey signing_key
        encryption_key auth_key license_key client_secret clientsecret client-secret app_secret secret secrets
        credential credentials authorization clé_api cle_api clé_d'api clave_api clave_de_api chave_api chave_de_api
        chiave_api ключ_api api-ключ api_ключ токен секрет zugangsschlüssel geheimnis secreto segredo segreto
        凭证 凭据 密钥 密鑰 令牌 秘钥 秘密鍵 トークン apiキー 토큰 api키 api_키 رمز_الوصول टोकन โทเค็น""",
    Class.PIN: """pin pincode pin-code pin_code pin_number pin-nummer cvv cvv2 cvc cvc2 otp security_code
        verification_code one-time_code access_code geheimzahl sicherheitscode code_pin código_pin código_de_seguridad
        codice_pin пин пин-код пинкод 验证码 驗證碼 安全码 暗証番号 인증번호 핀번호 pin码 clave_secreta""",
    Class.SHORT: "pass pw passw psw pswd clave parola",
}
_KIND = {word.replace("_", " "): kind for kind, words in _WORDS.items() for word in words.split()}
_GAP = re.compile(r"[ \t_\-]")
# However its words are joined: "one-time_code" is "one time code".
_KIND_OF = {_GAP.sub(" ", word): kind for word, kind in _KIND.items()}


def _alternatives(words: list[str]) -> str:
    """One pattern for many words, grouped by first letter so that most places are left at once; longest first."""
    groups: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        groups.setdefault(word[0], []).append(re.escape(word[1:]).replace(r"\ ", r"[ \t_\-]"))
    return "|".join(f"{re.escape(first)}(?:{'|'.join(tails)})" for first, tails in sorted(groups.items()))


_IS = r"is|was|are|ist|war|lautet|heißt|es|era|est|était|è|é|это|был|jest|to\sjest|är|er|on"
_STRONG = r":=|=>|->|→|[:=：＝]"
_WEAK = (
    rf"(?:\s{{1,3}}(?:{_IS})|['’]s)(?:\s?:)?\s{{1,3}}|\s{{1,3}}(?:to|auf|a|à|en)\s"
    r"|\s{0,2}(?:就是|设为|改为|为|是|為|は|が|を|는|은|가)[:：]?\s{0,2}|\s[\-–—]{1,2}\s"
)
_FOR = r"for|to|of|on|at|in|für|fürs|zum|zur|von|vom|para|de|del|da|do|pour|du|di|per|для|от|к|voor|van|no[.]"
_SCAN = re.compile(
    rf"({_alternatives(list(_KIND))})(?:\\?[\"'`*”’»)\]>]){{0,4}}(?:\s?[(（][^()（）\n]{{1,40}}[)）])?"
    rf"(?:[ \t\n]{{0,3}}(?P<strong>{_STRONG})|(?P<tag>(?<=[a-z]>)(?=[^\s<]))|(?P<for>\s(?:{_FOR})\s)"
    rf"|(?P<weak>{_WEAK})|(?P<bare>[ \t]{{1,3}}))"
)
_LATER = re.compile(rf"(?P<strong>{_STRONG})|(?P<weak>\s(?:{_IS})\s{{1,3}}|\s?(?:为|是|は)\s?)|[.!?;\n\"]")
_REVERSED = re.compile(
    r"\s(?:is|was|ist|es|est|è|é)\s(?:my|our|the|mein|unser|mi|mon|la mia|minha|a minha)\s(?:[\w\-]{2,12}\s)?"
    r"(?:password|passwort|contraseña|mot de passe|senha|passcode|pin)(?![a-z])"
)
# A literal that must stand in a lower-cased text, and a closer look where it is part of ordinary words.
_STEMS: tuple[tuple[str, re.Pattern[str] | None], ...] = (
    ("pass", re.compile(r"pass(?:w|e|c|p?[-_ ]?phr|kod|ord|[\"'`*)\]>\\]{0,4}\s{0,3}(?:[:=：＝]|->|→|--))")),
    ("pin", re.compile(r"pin(?!g|e|n|i|k|t|s|a|o|l)")),
    ("key", re.compile(r"(?:api|secret|access|account|private|signing|encryption|auth|license)[ \t_-]?key")),
    ("code", re.compile(r"(?:security|verification|time|access|pin|sicherheits)[ \t_-]?code")),
    ("otp", re.compile(r"otp(?![a-z])")),
    ("pw", re.compile(r"pwd|pw[\"'`*)\]>\\]{0,4}\s{0,3}[:=：＝-]")),
    *((stem, None) for stem in ("token", "secret", "credential", "cvv", "cvc", "contrase", "senha", "mdp", "clave",
                                "parola", "kennwort", "schlüssel", "geheim", "authoriz", "phrase", "mnemonic",
                                "wachtwoord", "psw", "haslo", "sifre", "salasana", "heslo", "segre")),
)  # fmt: skip
_OTHER = ("şifre", "hasło", "lösenord", "adgangskode", "jelszó", "парол", "слово", "токен", "секрет", "пин", "ключ",
          "密", "口令", "凭", "令牌", "秘", "验证码", "驗證碼", "安全码", "パスワード", "トークン", "キー", "暗証番号",
          "비밀번호", "암호", "토큰", "인증번호", "핀번호", "키", "पासवर्ड", "टोकन", "รหัส", "โทเค็น", "khẩu", "sandi",
          "كلمة", "رمز", "סיסמה", "clé", "código", "codice")  # fmt: skip
# A text with more secrets than this is a dump of secrets: everything after them is one.
MOST = 10_000


def lowered(text: str) -> str:
    """Lower case with the same offsets: the one capital with a two-letter lower form is folded by hand."""
    low = text.lower()
    return low if len(low) == len(text) else text.replace("\u0130", "i").lower()


def has_hint(low: str) -> bool:
    """A cheap first look at a lower-cased text: False means that no keyword can be here."""
    for stem, closer in _STEMS:
        if stem in low and (closer is None or closer.search(low) is not None):
            return True
    return "codice" in low or (not low.isascii() and any(map(low.__contains__, _OTHER)))


def find_words(text: str, low: str) -> list[Found]:
    """Every value after a keyword as `(start, end, label)`, from left to right; `low` is `lowered(text)`."""
    found: list[Found] = []
    place = 0
    while (hit := _SCAN.search(low, place)) is not None:
        value = _after(text, low, hit)
        if value is None:
            place = hit.end(1)
            continue
        if len(found) == MOST:
            return [*found, (value[0], len(text), value[2])]
        found.append(value)
        place = max(value[1], hit.end(1))
    found.extend(_before(text, low))
    return found


def _after(text: str, low: str, hit: re.Match[str]) -> Found | None:
    """The secret that follows one keyword, if it is one."""
    kind = _KIND_OF[_GAP.sub(" ", hit[1])]
    strength, place = hit.lastgroup or "bare", hit.end()
    if kind is Class.PIN and _PIN_VALUE.match(low, place) is None and strength != "for":
        return None
    if strength == "tag":
        strength = "strong"
    if strength == "for":
        strength, place = _later(low, hit)
    if strength == "bare" and low.startswith("--", max(0, hit.start() - 2)):
        strength = "strong"
    if not _stands_alone(low, hit.start(), kind, strength) or _is_mask(low, hit.start(1)):
        return None
    return value_after(Keyword(text, low, hit.start(), kind, strength), place)


def _later(low: str, hit: re.Match[str]) -> tuple[str, int]:
    """The connector after "password for the wifi": within the sentence and 48 characters."""
    later = _LATER.search(low, hit.end(), hit.end() + 48)
    if later is not None and later.lastgroup is not None:
        return later.lastgroup, later.end()
    return "weak", hit.end()


def _stands_alone(low: str, start: int, kind: Class, strength: str) -> bool:
    """Glued to CJK text or to `DB_` is fine; inside another Latin word only for compounds with a clear connector."""
    before = low[start - 1] if start else ""
    if not before.isalpha() or ord(before) >= 0x2E80 or ord(low[start]) >= 0x0600:
        return True
    if kind is Class.PASSWORD:
        return True
    return kind is Class.TOKEN and strength == "strong"


_OPEN_MASK = "[secret:"


def _is_mask(low: str, start: int) -> bool:
    """Whether the keyword is part of a mask that we wrote."""
    opening = low.rfind(_OPEN_MASK, max(0, start - 8), start + 7)
    return opening >= 0 and low.find("]", opening, opening + 24) > 0


_PIN_VALUE = re.compile(r"[\s\"'「“*(]{0,6}\d[ \-]?\d[ \-]?\d")


def _before(text: str, low: str) -> Iterator[Found]:
    """In "hunter2 is my password" the value stands before the keyword."""
    if not any(
        map(low.__contains__, (" my ", " our ", " the ", " mein ", " unser ", " mi", " mon ", " la "))
    ):
        return
    for hit in _REVERSED.finditer(low):
        begin = max(0, hit.start() - 80)
        last = max(low.rfind(" ", begin, hit.start()), low.rfind("\n", begin, hit.start()), begin - 1)
        value = text[last + 1 : hit.start()].strip("\"'`“”«»*(")
        drawn = is_drawn(value, 5) or (value.isdecimal() and 4 <= len(value) <= 12)
        if drawn and "[secret:" not in value:
            start = text.index(value, last + 1)
            yield start, start + len(value), "password"
