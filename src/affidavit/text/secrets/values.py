"""What a value after a keyword looks like: a secret, a word of prose, a placeholder or a piece of code."""

import re

# Words that follow "password is" or "token:" in ordinary prose, forms and manuals.
_WORDS = """
a an the this that these those not no none null nil true false yes never always only still now here
there also just very too quite more less what where when who why how which whatever in on at to for from
with without of by as and or but if so it its your my our their his her he she we they i you is are was
were be been being do does did don't dont have has had can could will would shall should must may might
please see ask use check enter type try reset change set get keep remember forgot forget forgotten
required optional mandatory needed necessary invalid valid wrong incorrect correct right bad good fine
ok okay strict weak strong safe secure insecure simple easy hard complex long short longer shorter empty
blank missing unknown known old new same different unique public private hidden visible expired outdated
leaked stolen lost gone stored saved encrypted hashed default temporary permanent sensitive important
confidential case case-sensitive protected policy policies manager field form page link prompt generator
hash length strength protection authentication value string text word number numbers letters characters
digits example sample placeholder tbd todo n/a na unset undefined redacted removed masked withheld
secret password token pin key code credentials login account user username email name going about all
any some one two three four five six seven eight nine ten half part everything something nothing
everyone someone nobody both either neither each every other another already enough working broken ready
annoying stupid terrible great awful complicated tricky guessable predictable memorable crucial
essential up down out off over under after before between back again next last first second then than
because since until while during per via like unlike let make makes made patience practice practise time
love hard-work wifi wi-fi oauth jwt bearer basic str int bool bytes object dict list optional[str] none;
null; string; falsch richtig korrekt sicher unsicher schwach stark lang kurz zu leer weg bekannt
unbekannt vergessen nötig erforderlich notwendig abgelaufen ungültig gültig geändert nicht kein keine
das der die ein eine einen pflicht geheim immer noch schon mir dir uns ihm ihr wie wo bitte siehe nur
mindestens gesperrt veraltet es está esta el la los las un una unos muy incorrecta incorrecto correcta
obligatoria obligatorio requerida necesaria segura inseguro débil fuerte larga corta vacía caducada
válida inválida nueva vieja olvidada que para por con sin secreta secreto demasiado le les une des du de
trop pas obligatoire requis faux fausse bon bonne sûr sûre faible fort court vide expiré perdu oublié
nouveau ancien très toujours sécurisé nécessaire valide invalide o os um uma não nao muito obrigatória
obrigatorio incorreta errada certa fraca forte longa curta vazia expirada nova velha esquecida
necessária il lo gli uno non molto errata sbagliata corretta sicura debole lunga vuota scaduta
obbligatoria valida het een niet verplicht verkeerd fout juist sterk zwak leeg verlopen vereist vergeten
не это неверный неправильный верный правильный слабый сильный надёжный устарел истёк нужен обязателен
должен забыт пустой длинный короткий просрочен
"""
_PROSE = frozenset(_WORDS.split())
_SUFFIXES = ("ed", "ing", "able", "ible", "ly", "ful", "less", "ous")
_SHAPE = re.compile(
    r"\d+(?:st|nd|rd|th|x|h|m|s|am|pm|min|kg|km|gb|mb|kb|px|%|€|\$|£)|[$€£]\d[\d.,]*"
    r"|\d+-[a-z]{2,}(?:-[a-z]+)*|\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}|\d\d?:\d\d(?::\d\d)?"
    r"|sha-?\d+|md5|base\d+|bcrypt|argon2\w*|scrypt|pbkdf2|aes-?\d*|rsa-?\d*|utf-?\d+|oauth2?|2fa|mfa|u2f|fido2?|h?totp"
    r"|rs\d{3}|hs\d{3}|es\d{3}|v\d+(?:\.\d+)*|\d+(?:\.\d+)+|[a-z]{1,4}-\d{1,6}|ipv[46]|win\d+|windows\d+|1password",
)
_PLACEHOLDER = re.compile(
    r"<[^>]{0,60}>?|\$\{[^}]*\}?|\{\{?[^}]*\}?\}|\$[A-Z_][A-Z0-9_]*|%\(?\w+\)?s?%?|\[[^\]]*\]|([^\w\s])\1+|[*•●·.…_\-xX]+"
    r"|your[-_ ]?\w*(?:[-_]\w+)*|my[-_](?:password|token|secret|key)|xxx+\w*|changeme|\?+|insert[-_]\w+",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[a-z_][\w.]*[\[(].*|(?:os|process|config|self|this|env|args?|settings|request|req|ctx|app|user|options|opts|params"
    r"|data|form|body|props|state)\.[\w.]+.*|[\w.]*[._](?:password|passwd|token|secret|key|pin)[;,]?|function\b.*|await|new|return"
    r"|(?:str|string|bytes|optional|any|none|int|boolean)[\[\]|?;,]*",
    re.IGNORECASE,
)


def is_prose(value: str) -> bool:
    """An ordinary word of prose, a placeholder or a reference in code: never a secret."""
    low = value.lower()
    return (
        low in _PROSE
        or _PLACEHOLDER.fullmatch(value) is not None
        or _CODE.fullmatch(value) is not None
        or _SHAPE.fullmatch(low) is not None
    )


def is_drawn(value: str, shortest: int = 4) -> bool:
    """Whether a value looks made up: letters with digits, with symbols, or with capitals inside."""
    if len(value) < shortest or is_prose(value):
        return False
    letters = any(char.isalpha() for char in value)
    digits = any(char.isdigit() for char in value)
    symbols = any(not char.isalnum() and char not in "-'’.,/()" for char in value)
    inner = any(char.isupper() for char in value[1:]) and any(char.islower() for char in value)
    return (letters and digits) or (symbols and (letters or digits)) or (inner and len(value) >= 6)


def is_word(value: str) -> bool:
    """A plain word that may well be a password: letters only, four or more, and not a word of prose."""
    if len(value) < 4 or not value.isalpha() or is_prose(value):
        return False
    # Participles ("changed", "missing") are prose, but not a German noun in -ing.
    return not (value.islower() and value.endswith(_SUFFIXES))
