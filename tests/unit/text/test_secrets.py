"""What is masked and what stays, in the languages and forms in which people write secrets."""

import pytest

from affidavit.text.secrets.cards import luhn
from affidavit.text.secrets.masking import mask
from affidavit.text.spans import SpanKind

# Made-up keys, put together from parts so that no scanner takes this file for a leak.
BODY = "Qw7" + "eRt2Yu9IoP4aSd6FgH8jKl0ZxC5vBn3M"
GHP = "ghp" + "_" + BODY
SK = "sk" + "-" + BODY
SK_TEST = "sk" + "_test_" + "ABCdef123456"
SK_LIVE = "sk" + "_live_" + BODY
JWT = "ey" + "JhbGciOiJIUzI1NiJ9" + "." + "ey" + "JzdWIiOiI0MiJ9" + "." + "c2lnbmF0dXJlLW9mLW91cnM"
AWS = "AKIA" + "QWERTYUIOPASDFGH"
GOOGLE = "AIza" + "SyQwErTyUiOpAsDfGhJkLzXcVbNm1234567"
SLACK = "xox" + "b-1234567890-abcdefABCDEF"
GITLAB = "glpat-" + "Qw7eRt2Yu9IoP4aSd6Fg"
NPM = "npm" + "_" + BODY
HF = "hf" + "_" + BODY
SENDGRID = "SG" + "." + BODY + "." + BODY
YA = "ya29" + "." + BODY
PAT = "github" + "_pat_" + BODY
PEM = (
    "-----BEGIN RSA "
    "PRIVATE KEY-----\nMIIEowIBAAKCAQEAq1w2e3r4t5y6u7i8o9p0\nazsxdcfvgbhnjmkl==\n-----END RSA PRIVATE KEY-----"
)
OPENPEM = (
    "-----BEGIN "
    "PRIVATE KEY-----\nMIIEowIBAAKCAQEAq1w2e3r4t5y6u7i8o9p0\nazsxdcfv7gbhn2jmklq1w2e3r4t5y6u7i8o9\n"
)

# The text, and what must not be left of it.
SECRET = [
    ("remember my password is hunter2", "hunter2"),
    ("Remember, my password is swordfish.", "swordfish"),
    ("password: hunter", "hunter"),
    ("Password = Tr0ub4dor&3", "Tr0ub4dor"),
    ("the password for the wifi is bluebird99", "bluebird99"),
    ("the wifi password at my flat is: bluebird99", "bluebird99"),
    ("change my password to n3wSecret!", "n3wSecret"),
    ("my password (staging): open-sesame-4", "open-sesame-4"),
    ('my password is "correct horse battery staple"', "horse battery"),
    ("passphrase: correct horse battery staple", "battery"),
    ('{"user": "bob", "password": "hunter2"}', "hunter2"),
    ("{'password': 'hunter two'}", "hunter two"),
    ("DB_PASSWORD=s3cr3t_value", "s3cr3t_value"),
    ("export userPassword=abcdefgh", "abcdefgh"),
    ("<password>hunter2</password>", "hunter2"),
    ("login --password hunter2 --verbose", "hunter2"),
    ("user bob password hunter2 please", "hunter2"),
    ("hunter2 is my password", "hunter2"),
    ("pw: hunter2", "hunter2"),
    ("user/pass: bob/hunter2", "hunter2"),
    ("**Password:** hunter2", "hunter2"),
    ("Server=db;User=sa;Password=hunter2;Encrypt=true", "hunter2"),
    ("AccountKey=" + BODY + "==;EndpointSuffix=x", BODY),
    ("postgres://bob:s3cr3t@db.example/app", "s3cr3t"),
    ("redis://:p%40ss@cache.example:6379/0", "p%40ss"),
    ("https://bob:pa:ss@host.example/", "pa:ss"),
    ("https://api.example/x?api_key=abc123def456&page=2", "abc123def456"),
    ("凭证为" + SK_TEST, SK_TEST),
    ("token:" + GHP, GHP),
    ("my key is " + SK + ", keep it", SK),
    ("使用" + SK_LIVE + "付款", SK_LIVE),
    ("x" + GHP, BODY),
    (JWT, "c2lnbmF0dXJl"),
    ("Authorization: Bearer " + BODY, BODY),
    ("Authorization: Basic Ym9iOmh1bnRlcjI=", "Ym9iOmh1bnRlcjI"),
    ("curl -H 'X-Api-Key: 9f8e7d6c5b4a3928'", "9f8e7d6c5b4a3928"),
    (AWS, AWS),
    ("aws_secret_access_key = " + "wJ4/" + BODY, BODY),
    (GOOGLE, GOOGLE),
    (SLACK, SLACK),
    (GITLAB, GITLAB),
    (NPM, NPM),
    (HF, HF),
    (SENDGRID, BODY),
    (YA, BODY),
    (PAT, BODY),
    ("client_secret: a1b2c3d4e5", "a1b2c3d4e5"),
    ("secret=opensesame", "opensesame"),
    ("the access token is 8f14e45fceea167a", "8f14e45fceea167a"),
    (PEM, "MIIEowIBAAKCAQEA"),
    (OPENPEM, "azsxdcfv7gbhn2"),
    ("> " + PEM.replace("\n", "\n> "), "azsxdcfvgbhnjmkl"),
    (PEM.replace("\n", "\\n"), "azsxdcfvgbhnjmkl"),
    ("my PIN is 4821", "4821"),
    ("one-time_code: 482113", "482113"),
    ("Mot-de_passe: papillon", "papillon"),
    ("PIN: 0007", "0007"),
    ("pin code 482113 for the door", "482113"),
    ("CVV 123", "123"),
    ("the security code is 9921", "9921"),
    ("card 4111 1111 1111 1111, exp 12/27", "1111"),
    ("4111111111111111", "4111"),
    ("5500-0000-0000-0004", "0004"),
    ("amex 3782 822463 10005", "822463"),
    ("卡号４１１１１１１１１１１１１１１１", "１１１１"),
    ("mein Passwort ist Geheimnis99", "Geheimnis99"),
    ("mein Passwort lautet Schmetterling.", "Schmetterling"),
    ("WLAN-Passwort: Sommerwind", "Sommerwind"),
    ("mi contraseña es gatito77", "gatito77"),
    ("contraseña: mariposa", "mariposa"),
    ("mon mot de passe est soleil42", "soleil42"),
    ("mot de passe : papillon", "papillon"),
    ("minha senha é cachorro9", "cachorro9"),
    ("senha: borboleta", "borboleta"),
    ("la mia password è farfalla8", "farfalla8"),
    ("мой пароль: бабочка", "бабочка"),
    ("пароль — qwerty12", "qwerty12"),
    ("密码是hunter2，谢谢", "hunter2"),
    ("我的密码为abc123xyz。", "abc123xyz"),
    ("口令：芝麻开门", "芝麻开门"),
    ("验证码是482911", "482911"),
    ("パスワードはabc123です", "abc123"),
    ("パスワードは「ひらけごま」", "ひらけごま"),
    ("暗証番号は4821", "4821"),
    ("비밀번호는 abc123입니다", "abc123"),
    ("wachtwoord: vlinder", "vlinder"),
    ("hasło: motyl123", "motyl123"),
    ("şifre: kelebek9", "kelebek9"),
    ("İşte şifre: kelebek9", "kelebek9"),
    ("รหัสผ่าน: abc12345", "abc12345"),
    ("كلمة المرور: abc12345", "abc12345"),
    ("my seed phrase is apple brick cloud delta eagle flame grape house igloo jolly knife lemon", "eagle"),
]

BENIGN = [
    "the password policy is strict",
    "my token of appreciation",
    "password is required",
    "The password is wrong.",
    "My password is too weak",
    "your password was changed yesterday",
    "the secret is to stir slowly",
    "The secret: never stir.",
    "PIN is a word",
    "connect pin 13 to ground",
    "shopping: 1234 steps",
    "the pin is 12 mm long",
    "password must have 8 characters",
    "the password is 12 characters long",
    "Password: required",
    "password: ********",
    "password: <your-password>",
    "password=${DB_PASSWORD}",
    "password = os.environ['DB_PASSWORD']",
    "password = get_password()",
    "token = parser.next()",
    "a token bucket limits requests",
    "max tokens: 4096",
    "the token is 2048 long",
    "I lost my token yesterday and my card too",
    "forgot my password again",
    "password manager recommendations?",
    "reset password link",
    "he used bcrypt for password hashing with sha256",
    "password: see the vault",
    "api key: ask Maria",
    "the api key is missing",
    "OAuth tokens expire after an hour",
    "Victoria's Secret has a sale",
    "secret santa is on Friday",
    "the key is practice",
    "key: value",
    "Bearer of good news",
    "basic understanding of chess",
    "credentials are checked at the door",
    "commit 3f2a9c8b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a",
    "id 018f6a2e-7b3c-7d4e-8f5a-6b7c8d9e0f1a",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "order 4711-2024-0042 shipped",
    "order number 1234567890123456",
    "tracking 9400110200881234567890",
    "IBAN DE89 3704 0044 0532 0130 00",
    "IBAN GB82 WEST 1234 5698 7654 32",
    "call +49 151 23456789",
    "ISBN 978-3-16-148410-0",
    "1700000000000 is the time in milliseconds",
    "https://example.com:8080/@scope/pkg",
    "see http://host.example/a:b@c",
    "task-abcdefghijklmnopqrstuvwx",
    "risk-management-framework-2024-edition",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG\n-----END CERTIFICATE-----",
    "a file that starts with -----BEGIN PRIVATE KEY----- is a key",
    "das Passwort ist falsch",
    "das Passwort ist zu kurz",
    "Passwort vergessen?",
    "la contraseña es incorrecta",
    "mot de passe oublié",
    "le mot de passe est obligatoire",
    "a senha está errada",
    "密码是什么？",
    "密码不能为空",
    "密码是必须的",
    "パスワードは必要です",
    "パスワードを忘れました",
    "비밀번호는 필요합니다",
    "пароль неверный",
    "мой пароль не подходит",
    "I can pass the salt: 2 grams",
    "boarding pass: gate 14",
    "compass: north",
    "pass on the message",
    "passport: renewed in 2024",
    "the pincushion: 1234",
    "temperatures 4512 4820 5233 4100 " * 40,
]


@pytest.mark.parametrize("text,secret", SECRET)
def test_a_secret_is_gone(text: str, secret: str) -> None:
    masked, spans = mask(text)
    assert secret not in masked
    assert spans
    for span in spans:
        assert span.kind is SpanKind.MASKED
        assert masked[span.start : span.end] == f"[secret:{span.label}]"


@pytest.mark.parametrize("text", BENIGN)
def test_ordinary_text_stays(text: str) -> None:
    assert mask(text) == (text, ())


@pytest.mark.parametrize("text", [text for text, _ in SECRET])
def test_masking_twice_changes_nothing(text: str) -> None:
    once = mask(text)
    assert mask(once[0]) == once


@pytest.mark.parametrize(
    "digits", ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "6011 1111 1111 1117"]
)
def test_no_digit_of_a_card_is_kept(digits: str) -> None:
    masked, spans = mask(f"pay with {digits} please")
    assert masked == "pay with [secret:card] please"
    assert [span.label for span in spans] == ["card"]


def test_a_wrong_check_sum_is_no_card() -> None:
    assert luhn("4111111111111111")
    assert not luhn("4111111111111112")
    assert mask("4111 1111 1111 1112")[0] == "4111 1111 1111 1112"


def test_labels_tell_the_kind() -> None:
    assert (
        mask(f"{GHP}\n{SK}\n{JWT}\nmy pin is 4821")[0]
        == "[secret:token]\n[secret:api_key]\n[secret:jwt]\nmy pin is [secret:pin]"
    )


def test_only_the_password_of_an_url_is_masked() -> None:
    assert (
        mask("postgres://bob:s3cr3t@db.example/app")[0] == "postgres://bob:[secret:password]@db.example/app"
    )


def test_text_after_a_private_key_stays() -> None:
    assert mask(f"{PEM}\nThanks!")[0] == "[secret:private_key]\nThanks!"
    assert mask(f"{OPENPEM}\nThanks for the help")[0].endswith("\nThanks for the help")


def test_an_unknown_mark_is_no_shelter() -> None:
    masked, _ = mask("password: hunter2 [secret:mine] password: hunter3")
    assert "hunter2" not in masked
    assert "hunter3" not in masked


def test_a_dump_of_secrets_is_masked_to_its_end() -> None:
    masked, _ = mask("pin:1234 " * 12_000)
    assert "1234" not in masked
    assert mask(masked)[0] == masked
