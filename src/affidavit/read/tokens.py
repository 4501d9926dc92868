"""How long a text is for a model: a port, and a bound for when nobody says which model it is."""

from typing import Final, Protocol


class Tokenizer(Protocol):
    """Counts tokens as a model does. Must be usable from several threads at once."""

    def count(self, text: str) -> int:
        """How many tokens the text has."""
        ...


class Utf8Bytes:
    """One token for each byte of UTF-8, and one more: never less than what a byte-pair tokenizer counts.

    A byte-level vocabulary has every byte, so each of its tokens stands for one byte or more; those that fall back
    to bytes may put a blank in front. English prose has three to five bytes a token: hand in the tokenizer of your
    model to use the room there is.

    >>> Utf8Bytes().count("naïve")
    7
    """

    def count(self, text: str) -> int:
        """Bytes of UTF-8, and one."""
        return len(text.encode("utf-8", "surrogatepass")) + 1 if text else 0


UPPER_BOUND: Final = Utf8Bytes()
"""The counter where none is given."""
