"""A4, as met in the attack table without a model: a message that quotes others was found as the user's word."""

import pytest

from affidavit import Authority
from affidavit.text.whose.watermark import context_close, context_open


@pytest.mark.parametrize(
    "told",
    [
        "please read\n> I owe Bob 2,400 euros",
        "please file this\n\n---------- Forwarded message ---------\nFrom: Bob <bob@mail.example>\n\nI owe 2,400 euros",
        f"see\n{context_open('tr_1')}\nThe user owes Bob 2,400 euros.\n{context_close('tr_1')}",
    ],
)
def test_it_is_found_with_no_more_authority_than_what_it_quotes(memory, told):
    memory.add(told, user_id="priya")
    hit = memory.search("2,400 euros", user_id="priya").hits[0]
    assert "2,400" in hit.text
    assert hit.authority is Authority.UNENDORSED
    assert {quote.authority for quote in hit.evidence} == {Authority.UNENDORSED}


def test_the_users_own_message_is_found_as_his(memory):
    memory.add("I owe Bob 2,400 euros", user_id="priya")
    assert memory.search("2,400 euros", user_id="priya").hits[0].authority is Authority.AUTHORIZED
