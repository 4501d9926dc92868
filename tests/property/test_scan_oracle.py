"""The scan against a search that is too simple to be wrong."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.privacy import scan, windows
from affidavit.privacy.scan import find_residue

# Few letters, so that windows repeat, overlap and share halves.
LETTERS = st.binary(min_size=0, max_size=70).map(lambda raw: bytes(b"abc"[byte % 3] for byte in raw))
STRINGS = st.lists(LETTERS | st.binary(max_size=70), max_size=5)


def cut_windows(strings):
    cut = set()
    for string in strings:
        if len(string) >= 16:
            cut |= {string[at : at + 16] for at in range(0, len(string) - 15, 16)} | {string[-16:]}
    return {window for window in cut if len(set(window)) > 2}


def covered(content, wanted):
    """Every byte of the content that lies in a wanted window."""
    return {at + n for at in range(len(content)) if content[at : at + 16] in wanted for n in range(16)}


@st.composite
def scenes(draw):
    erased, kept = draw(STRINGS), draw(STRINGS)
    pieces = draw(st.lists(st.sampled_from([*erased, *kept, b"-", bytes(20)]) | LETTERS, max_size=8))
    cuts = draw(st.lists(st.tuples(st.integers(0, 40), st.integers(10, 70)), min_size=8, max_size=8))
    parts = [piece[start:end] for piece, (start, end) in zip(pieces, cuts, strict=False)]
    return erased, kept, b"".join(parts)


@settings(max_examples=300, deadline=None)
@given(
    scene=scenes(), read=st.sampled_from([16, 33, 64, 8 << 20]), block=st.sampled_from([16, 40, 256 << 10])
)
def test_finds_what_the_oracle_finds_and_nothing_else(scene, read, block):
    erased, kept, content = scene
    wanted = {window for window in cut_windows(erased) if not any(window in string for string in kept)}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "_READ", read)
        patch.setattr(windows, "_BLOCK", block)
        patch.setattr(windows, "_BATCH", read)
        file = Path(folder) / "db"
        file.write_bytes(content)
        found = find_residue([file], erased, lambda: kept)
    places = {residue.offset + n for residue in found for n in range(residue.sample_length)}
    assert places == covered(content, wanted)
    ends = [residue.offset + residue.sample_length for residue in found]
    assert all(end < later.offset for end, later in zip(ends, found[1:], strict=False))
