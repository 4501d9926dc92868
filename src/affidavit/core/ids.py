"""Time-ordered ids: a prefix and the 32 hexadecimal digits of a UUIDv7.

The clock and the randomness are passed in, so that the same inputs give the same ids.
"""

STORE, SPACE, EPISODE, ACTOR, TRACE = "st_", "sp_", "ep_", "ac_", "tr_"
MEMORY, CONFLICT, SOURCE = "mem_", "cf_", "src_"
PERMIT, DECISION = "pm_", "dec_"
DIRECTORY_ID = "directory"
"""The space id of the directory, the log of all spaces' heads."""
RANDOM_BYTES = 10


def make_id(prefix: str, now: int, random: bytes) -> str:
    """An id made at `now` (UTC microseconds) with ten random bytes.

    The microsecond within the millisecond fills the UUIDv7's `rand_a`, so that ids made one after another sort.

    >>> make_id("ep_", 1_767_225_600_000_250, bytes(10))
    'ep_019b76daa80074008000000000000000'
    """
    milliseconds, micro = divmod(now, 1000)
    fraction = micro * 4096 // 1000
    high = (milliseconds & (1 << 48) - 1) << 16 | 0x7000 | fraction
    low = 0x8000000000000000 | int.from_bytes(random[:8]) >> 2
    return f"{prefix}{high:016x}{low:016x}"
