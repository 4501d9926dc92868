"""Long texts built to be slow: every step reads them in time that grows with their length only."""

import pytest

from affidavit.text.documents.chunks import chunk
from affidavit.text.prepare import prepare
from affidavit.text.whose.watermark import neutralise

ID = "018f6a2e7b3c7d4e8f5a6b7c8d9e0f1a"
UNITS = [
    "a",
    ">",
    "> \n",
    "`",
    "```\n",
    "-----BEGIN ",
    "-----BEGIN " + "PRIVATE KEY-----",
    "QUJDabc123+/",
    "\0a",
    "\ud800",
    "password ",
    "password for ",
    'password: "',
    "pin:1 ",
    "pin:1234 ",
    "pin:",
    "eyJ",
    "sk-",
    "://a:",
    "4444 ",
    "4",
    "4 ",
    "x is my password ",
    "wrote:",
    "On 1 wrote:\n",
    "From: x\n",
    "From: ",
    "To: x\n",
    "schrieb ",
    "<affidavit-context",
    "</affidavit-context>",
    "[mem_",
    f"[mem_{ID}]\n",
    "\n",
    "\r",
    ".",
    "a\n\n",
    "# a\n",
    " ",
    "|",
    "a|b\n-|-\n",
    "\u0301",
    "密码",
    "密码：芝麻开门，",
    "<blockquote>",
    "Bearer ",
    "\u2028> ",
    "İpassword ",
    "On 3 June 2025, Ben wrote:\n> x\nmine\n",
    "👨\u200d",
    "&lt;",
    "AA11 ",
    "[secret:pin]",
    "[secret:",
    "--",
    "a: ",
]


@pytest.mark.usefixtures("stopped_if_it_hangs")
@pytest.mark.parametrize("size", [128 * 1024, pytest.param(2 * 1024 * 1024, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", UNITS)
def test_a_long_hostile_text(unit: str, size: int) -> None:
    text = unit * (size // len(unit))
    made = prepare(text, user_message=True)
    neutralise(text)
    chunk(text, markdown=True)
    assert "\0" not in made.text
