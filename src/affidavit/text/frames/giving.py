"""Whether what stands at a place, or what is said next, is a text that a sentence before gave out. Pure.

What frames read of its speaker gives nothing out: "My email is …".
"""

from affidavit.text.evidence.passages import sentence_around
from affidavit.text.frames.engine import is_stated
from affidavit.text.frames.playing import BACK, hands_over
from affidavit.text.sentences import stretches
from affidavit.text.whose.lines import paragraph_begin


def is_given_out(text: str, start: int) -> bool:
    r"""Whether a sentence before a place, in its paragraph, hands over what stands there.

    >>> text = "My sister sent me this. I live in Rome.\n\nI live in Oslo."
    >>> is_given_out(text, 24), is_given_out(text, 41)
    (True, False)
    """
    last, _ = sentence_around(text, start, start)
    before = text[max(paragraph_begin(text, start), start - BACK) : last]
    return any(_gives_out(before[slice(*one)]) for one in stretches(before))


def gives_out_what_follows(text: str) -> bool:
    """Whether the last sentence of a text hands over, so that what is said next may be another's words.

    >>> (
    ...     gives_out_what_follows("Hi! My sister sent me this:"),
    ...     gives_out_what_follows("My email is ana@mail.org"),
    ... )
    (True, False)
    """
    near = text.rstrip()[-BACK:]
    sentences = list(stretches(near))
    return bool(sentences) and _gives_out(near[slice(*sentences[-1])].strip().rstrip(":："))


def _gives_out(sentence: str) -> bool:
    return hands_over(sentence) and not is_stated(sentence)
