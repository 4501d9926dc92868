"""What a trace binds: what was shown, by the log's entries."""

from collections.abc import Sequence
from hashlib import sha256

from affidavit.store.protocol import Reads


def digest_of(reads: Reads, places: Sequence[tuple[str, int]]) -> bytes:
    """One digest over what was shown, in order; `places` are the space and the number of each one's entry.

    Entries hold blinded commitments: nobody can test a guess against it, also after an erasure.
    """
    seqs: dict[str, list[int]] = {}
    for space_id, seq in places:
        seqs.setdefault(space_id, []).append(seq)
    bodies = {
        (space_id, seq): body
        for space_id, wanted in seqs.items()
        for seq, body in reads.entries_at(space_id, wanted).items()
    }
    return sha256(b"".join([sha256(bodies[one]).digest() for one in places if one in bodies])).digest()
