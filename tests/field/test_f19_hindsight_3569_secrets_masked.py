"""F19 (hindsight #3569, agentmemory#911): secrets are masked before anything else sees the text."""

import pytest

from affidavit.text.prepare import mask_value, prepare
from affidavit.text.spans import SpanKind

# Put together from parts, so that no scanner takes this file for a leak.
STRIPE = "sk" + "_test_" + "ABC4eC39HqLyjW"
GITHUB = "ghp" + "_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
PEM = (
    "-----BEGIN EC "
    "PRIVATE KEY-----\nMHcCAQEEIB1a2b3c4d5e6f7g8h9i0jkLmNoPqRsTuVwXyZ\n-----END EC "
    "PRIVATE KEY-----"
)

CASES = [
    (f"凭证为{STRIPE}，请保存", STRIPE, "凭证为[secret:token]，请保存"),
    (f"token:{GITHUB}", GITHUB, "token:[secret:token]"),
    (f"here:\n{PEM}\nok?", "MHcCAQEE", "here:\n[secret:private_key]\nok?"),
    ("remember my password is hunter2", "hunter2", "remember my password is [secret:password]"),
    ("请记住我的密码是hunter2", "hunter2", "请记住我的密码是[secret:password]"),
    ("トークン：" + GITHUB + "です", GITHUB, "トークン：[secret:token]です"),
    ("비밀번호는hunter2", "hunter2", "비밀번호는[secret:password]"),
]


@pytest.mark.parametrize("text,secret,stored", CASES)
@pytest.mark.parametrize("user", [True, False])
def test_f19_masked_in_every_role(text: str, secret: str, stored: str, user: bool) -> None:
    made = prepare(text, user_message=user)
    assert made.text == stored
    masked = [span for span in made.spans if span.kind is SpanKind.MASKED]
    assert len(masked) == 1
    assert made.text[masked[0].start : masked[0].end] == f"[secret:{masked[0].label}]"
    assert secret not in repr(made)


@pytest.mark.parametrize("text,secret", [(case[0], case[1]) for case in CASES])
def test_f19_masked_in_metadata(text: str, secret: str) -> None:
    assert secret not in repr(mask_value({"deep": [{"note": text, text: 1}]}))


def test_f19_a_secret_in_a_quote_is_both() -> None:
    made = prepare(f"he wrote\n> token: {GITHUB}\nbad idea", user_message=True)
    assert GITHUB not in made.text
    assert [span.kind for span in made.spans] == [SpanKind.THIRD_PARTY, SpanKind.MASKED]
