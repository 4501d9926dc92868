"""Jobs and rejections as rows: work that waits, and what was not remembered. Neither is memory."""

from collections.abc import Iterable, Sequence

from affidavit.store.memory_reads import RejectionRow
from affidavit.store.protocol import Job
from affidavit.store.sql.connection import Connection

_KEEP_JOB = (
    "INSERT INTO job (space_id, kind, target, created_at, payload) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_KEEP_REJECTION = (
    "INSERT INTO rejection"
    " (space_id, episode_id, span_start, span_end, check_name, code, hint, at, model)"
    " SELECT space_id, id, CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), CAST(?5 AS TEXT), CAST(?6 AS TEXT),"
    " CAST(?7 AS TEXT), CAST(?8 AS BIGINT), CAST(?9 AS TEXT) FROM episode WHERE space_id = ?1 AND id = ?2"
    " ON CONFLICT (space_id, episode_id, span_start, span_end, code)"
    " DO UPDATE SET check_name = excluded.check_name, hint = excluded.hint, at = excluded.at,"
    " model = excluded.model"
)


def keep_jobs(conn: Connection, jobs: Sequence[Job]) -> None:
    """Keep work that waits; one that waits already is kept once."""
    conn.executemany(_KEEP_JOB, jobs)


def drop_jobs(conn: Connection, jobs: Iterable[Job]) -> None:
    """Work that is done."""
    conn.executemany(
        "DELETE FROM job WHERE space_id = ? AND kind = ? AND target = ?",
        sorted({(job.space_id, job.kind, job.target) for job in jobs}),
    )


def keep_rejections(
    conn: Connection, space_id: str, looked_at: Iterable[str], rows: Iterable[RejectionRow]
) -> None:
    """What was refused of the episodes that were looked at, in place of what was refused of them before."""
    again = [(space_id, one) for one in looked_at]
    conn.executemany("DELETE FROM rejection WHERE space_id = ? AND episode_id = ?", again)
    conn.executemany(_KEEP_REJECTION, [(space_id, *row) for row in rows])
