"""The space index reads the first columns of a stored episode by their place: the two lists must stay one."""

from affidavit.core.values import EPISODE_COLUMNS
from affidavit.index.columns import IndexRow


def test_the_index_reads_the_first_columns_of_an_episode_in_their_order() -> None:
    known = tuple("session" if name == "session_id" else name for name in EPISODE_COLUMNS)
    assert IndexRow._fields == ("seq", *known)[: len(IndexRow._fields)]
