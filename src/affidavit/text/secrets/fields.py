"""Secrets in structured values: a field called `password` says what it holds, whatever that looks like."""

import re

from affidavit.text.secrets.values import is_drawn, is_prose

_PASSWORD = re.compile(
    r"(?:^|[_\-. ])(?:password|passwort|passwd|pwd|passphrase|passcode|contrasena|contraseña|senha"
    r"|mot_?de_?passe|пароль|密码|密碼|口令|パスワード|비밀번호)\d?$|[a-z]password$"
)
_TOKEN = re.compile(
    r"(?:^|[_\-. ]|[a-z])(?:(?:access|refresh|auth|api|bearer|session|id|bot|app|csrf)[_\-. ]?token"
    r"|(?:api|secret|private|access)[_\-. ]?key|(?:client[_\-. ]?)?secret|credentials?|authorization)$"
    r"|^token$|^凭证$|^令牌$|^密钥$"
)
_PIN = re.compile(r"(?:^|[_\-. ])(?:pin|pin[_\-. ]?code|cvv2?|cvc2?|otp)$")


def masked_field(key: str, value: object) -> str | None:
    """The mark to store instead of a secret field's value; None when the field is an ordinary one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    low, text = key.lower(), str(value)
    if text.startswith("[secret:"):
        return None
    if _PASSWORD.search(low) and len(text) >= 3 and not is_prose(text):
        return "[secret:password]"
    if _PIN.search(low) and re.fullmatch(r"\d{3,8}", text):
        return "[secret:pin]"
    if (
        _TOKEN.search(low)
        and isinstance(value, str)
        and (is_drawn(text) or (len(text) >= 16 and " " not in text))
    ):
        return "[secret:token]"
    return None
